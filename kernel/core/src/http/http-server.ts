import type { InjectionToken } from 'tsyringe'
/** Where a listener takes connections. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** Where the service listens. */
export interface ListenAddresses extends ListenAddress {
  /**
   * A port of the loopback for programs that the service runs for others. What comes through it is
   * neither from a trusted proxy nor from this machine, whatever it says and whatever is configured.
   */
  readonly forPrograms: ListenAddress
}

/** Why a server drains. */
export interface DrainOptions {
  /**
   * Another server of this process takes over: new connections wait for it, and the clients of event
   * streams are asked to come back at once. Default: the service ends.
   */
  readonly restarting?: boolean
}

/** The HTTP server as its owner sees it. */
export interface HttpServer {
  /**
   * Binds `server.host` and `server.port`, and a free port of the loopback for programs. @throws
   * `port_in_use`, `address_unavailable`; both name the setting to change.
   */
  listen(): Promise<ListenAddresses>
  /** Everything has started: `/readyz` answers 200. */
  ready(): void
  /**
   * What `/readyz` reports while the service is not ready or impaired; `undefined` when it is
   * repaired.
   */
  setStep(step: string | undefined): void
  /** How many requests are being answered, streams and tunnels aside. */
  openRequests(): number
  /**
   * Resolves at the first moment without such a request, or when the signal is aborted; its caller
   * goes on in that same moment.
   */
  whenQuiet(signal: AbortSignal): Promise<void>
  /**
   * Stops accepting requests, asks the clients of event streams to reconnect later, lets the other
   * requests finish until the limit, and then ends them.
   */
  drain(limitMs: number, options?: DrainOptions): Promise<void>
  /** Ends all remaining connections. May be called again. */
  close(): Promise<void>
}

export const httpServerToken: InjectionToken<HttpServer> = Symbol('http-server')
