import type { JsonObject } from '@agent-service/sdk'

/** Options of one command. */
export interface CommandOptions {
  readonly signal?: AbortSignal
  /** Default 30 seconds. */
  readonly limitMs?: number
}

/** A conversation with one target of the browser, or with the browser itself. */
export interface ProtocolSession {
  /** Absent for the browser itself. */
  readonly id: string | undefined
  /**
   * Sends a command; commands of one session are carried out in their order. @throws `browser_command_failed`,
   * `browser_timeout`, `browser_lost`, the reason of the signal.
   */
  send<Result = JsonObject>(method: string, parameters?: object, options?: CommandOptions): Promise<Result>
  /** Calls back for each event with this name. The result ends that. */
  on<Parameters = JsonObject>(event: string, listener: (parameters: Parameters) => void): () => void
  /** The session of a target that this one attached. The same one each time. */
  child(id: string): ProtocolSession
  /** Aborted when the target is gone or the connection ended; its reason is a `browser_lost`. */
  readonly ended: AbortSignal
}
