import type { InjectionToken } from 'tsyringe'
/** The HTTP server as its owner sees it. */
export interface HttpServer {
  /**
   * Binds `server.host` and `server.port`. @throws `port_in_use`, `address_unavailable`; both name
   * the setting to change.
   */
  listen(): Promise<{ readonly host: string; readonly port: number }>
  /** Everything has started: `/readyz` answers 200. */
  ready(): void
  /**
   * What `/readyz` reports while the service is not ready or impaired; `undefined` when it is
   * repaired.
   */
  setStep(step: string | undefined): void
  /**
   * Stops accepting requests, asks the clients of event streams to reconnect later, lets the other
   * requests finish until the limit, and then ends them.
   */
  drain(limitMs: number): Promise<void>
  /** Ends all remaining connections. May be called again. */
  close(): Promise<void>
}

export const httpServerToken: InjectionToken<HttpServer> = Symbol('http-server')
