import type { Contribution } from '../../core/contribution-point.js'
import type { JsonValue } from '../../core/json.js'

/** One record of an export. */
export interface UserDataRecord {
  /** Where it belongs in the export, a relative path: `chats/0190….json`. */
  readonly path: string
  /** The content, readable without this service. */
  readonly json: JsonValue
}

/** A plugin's data of one user: export, size and erasure. */
export interface UserData extends Contribution {
  /** The generation of this contract that the contribution is written for. */
  readonly specVersion: 1
  /** The plugin's word: `agents`; of a third party its id, or `<plugin id>.<what>`. */
  readonly id: string
  /** The per-user collections that this answers for; of a third party its own alone. */
  readonly collections: readonly string[]
  /** All of one user's records. May take long; stops when aborted. */
  export(userId: string, options: { readonly signal: AbortSignal }): AsyncIterable<UserDataRecord>
  /**
   * Erases all of it. May be called again after a crash half-way, and for a user who has nothing.
   */
  erase(userId: string, options: { readonly signal: AbortSignal }): Promise<void>
  /** Roughly how much there is. */
  size(userId: string, options: { readonly signal: AbortSignal }): Promise<{ readonly records: number; readonly bytes: number }>
}
