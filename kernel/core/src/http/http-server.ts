import type { InjectionToken } from 'tsyringe'
/** The listening side. */
export interface HttpServer {
  /** Binds `server.host` and `server.port`. @throws `port_in_use`, `address_unavailable` with what to change. */
  listen(): Promise<{ readonly host: string; readonly port: number }>
  /** Everything is up: `/readyz` answers 200. */
  ready(): void
  /** What `/readyz` says while not ready, or when something later breaks; undefined again when it is mended. */
  setStep(step: string | undefined): void
  /** Stops accepting, tells event streams to come back, lets the rest finish until the limit, then ends them. */
  drain(limitMs: number): Promise<void>
  /** Ends what is left. May be called again. */
  close(): Promise<void>
}

export const httpServerToken: InjectionToken<HttpServer> = Symbol('http-server')
