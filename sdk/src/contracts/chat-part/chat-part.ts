import type { Contribution } from '../../core/contribution-point.js'
import type { JsonValue } from '../../core/json.js'

/** The chat that is asked about. */
export interface ChatPartPlace {
  /** Its id. An imported chat has a new one, as have its messages. */
  readonly chatId: string
  /** Whose it is. */
  readonly userId: string
}

/**
 * What a plugin keeps about single chats, so that it goes with them. The erasure of a whole user is the matter of `user.data`:
 * parts are not asked then.
 */
export interface ChatPart extends Contribution {
  /** The generation of this contract that the part is written for. */
  readonly specVersion: 1
  /** `^[a-z][a-z0-9-]{0,63}$`: the name of the data in an exported chat. Unique in a deployment, and never changed. */
  readonly id: string
  /** For people: “Tasks”. One line. */
  readonly title: string
  /** The longest that one call of a member may take, in milliseconds; 1 to 60,000. Default 30,000. */
  readonly timeoutMs?: number
  /**
   * Erases everything that is kept about a chat. Called while the chat is being deleted, after its runs were stopped and before
   * its record goes; also for an import that is taken back. Called again if a deletion was interrupted, so it is idempotent,
   * and right for a chat about which nothing is kept.
   * @throws anything: the chat stays marked as being deleted, and the deletion is taken up again later.
   */
  erase(chat: ChatPartPlace, options: { readonly signal: AbortSignal }): Promise<void>
  /**
   * What belongs into an exported chat, readable without this service and without ids of users; at most 4 MiB as JSON. Undefined:
   * nothing.
   * @throws anything: the export goes on, and names the part as missing.
   */
  export(chat: ChatPartPlace, options: { readonly signal: AbortSignal }): Promise<JsonValue | undefined>
  /**
   * Takes in what {@link ChatPart.export} gave, of this or an earlier version, perhaps in another deployment, perhaps changed by
   * hand: check it. Called before the chat can be seen.
   * @throws anything: the import goes on without this part, which is erased and reported.
   */
  import(chat: ChatPartPlace, data: JsonValue, options: { readonly signal: AbortSignal }): Promise<void>
}
