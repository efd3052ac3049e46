import type { Contribution } from '../../core/contribution-point.js'
import type { JsonValue } from '../../core/json.js'

/** One record of an export. */
export interface UserDataRecord {
  /** Where it belongs in the export, a relative path: `chats/0190….json`. */
  readonly path: string
  /** The content, readable without this service. */
  readonly json: JsonValue
}

/** What became of a part of a user's data when the account got another holder. */
export interface HandOverItem {
  /** What it is, in a few words in the plural: `scheduled tasks`. */
  readonly what: string
  /** How many; those with 0 are not mentioned. */
  readonly count: number
  /**
   * `ended`: they are gone, or work no more; `set_aside`: gone, with a copy among the new holder's
   * files; `kept`: content that is there as before, for the new holder to look through.
   */
  readonly outcome: 'ended' | 'set_aside' | 'kept'
}

/** What a hand-over gives to the part that carries it out. */
export interface HandOverOptions {
  /** Aborts when the service stops; the hand-over begins again later. */
  readonly signal: AbortSignal
  /**
   * This hand-over's alone, and the name of a folder that nobody could foresee: where a part moves
   * files out of the way.
   */
  readonly name: string
  /**
   * Keeps a copy of what is taken away, readable among the new holder's files. Resolves when it is
   * on the disk.
   */
  setAside(record: UserDataRecord): Promise<void>
}

/** A plugin's data of one user: export, size, erasure, and what a new holder of the account gets. */
export interface UserData extends Contribution {
  /** The generation of this contract that the contribution is written for. */
  readonly specVersion: 1
  /** The plugin's word: `agents`; of a third party its id, or `<plugin id>.<what>`. */
  readonly id: string
  /** The per-user collections that this answers for; of a third party its own alone. */
  readonly collections: readonly string[]
  /**
   * All operations of the API that show the person the same data, by their ids, of one record as of a
   * list: if policies forbid the person one of them, the export leaves the data out and says so.
   * Default: none.
   */
  readonly shownBy?: readonly string[]
  /** All of one user's records. May take long; stops when aborted. */
  export(userId: string, options: { readonly signal: AbortSignal }): AsyncIterable<UserDataRecord>
  /**
   * Erases all of it. May be called again after a crash half-way, and for a user who has nothing.
   * Resolves only when nothing is left: it is not called again then. @throws when it stops before.
   */
  erase(userId: string, options: { readonly signal: AbortSignal }): Promise<void>
  /** Roughly how much there is. */
  size(userId: string, options: { readonly signal: AbortSignal }): Promise<{ readonly records: number; readonly bytes: number }>
  /**
   * The account gets another holder: its e-mail address was never confirmed, and single sign-on has
   * proven that it belongs to the person who signs in now. The account may have been set up by a
   * stranger who waits for that person. Afterwards nothing of this data acts by itself, lets anyone
   * in, permits something or instructs an agent; content may stay. May be called again after a crash
   * half-way, and for a user who has nothing. Runs while the new holder waits to be signed in.
   *
   * Without it the whole data is taken away: a copy of what {@link export} gives is kept among the
   * new holder's files, then {@link erase} is called.
   */
  handOver?(userId: string, options: HandOverOptions): Promise<readonly HandOverItem[]>
}
