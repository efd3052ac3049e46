import type { Contribution } from '../../core/contribution-point.js'
import type { JsonValue } from '../../core/json.js'

/** A chat. */
export interface ChatPartPlace {
  /** Its id. An imported chat has a new one, as have its messages. */
  readonly chatId: string
  /** Its owner. */
  readonly userId: string
}

/**
 * A plugin's data of single chats, deleted with them. `user.data` handles the erasure of a whole
 * user: parts are not called then.
 */
export interface ChatPart extends Contribution {
  /** The generation of this contract that the part is written for. */
  readonly specVersion: 1
  /**
   * `^[a-z][a-z0-9-]{0,63}$`: the name of the data in an exported chat. Unique in a deployment, and
   * never changed.
   */
  readonly id: string
  /** For people: “Tasks”. One line. */
  readonly title: string
  /**
   * The longest that one call of a member may take, in milliseconds; 1 to 60,000. Default 30,000.
   */
  readonly timeoutMs?: number
  /**
   * Erases all data of a chat. Called while the chat is being deleted for good, after its runs were stopped
   * and before its record is deleted; also for an import that is undone. Called again if a deletion
   * was interrupted, so it is idempotent, and works for a chat without data.
   * @throws anything: the chat stays marked as being deleted, and the deletion is retried later.
   */
  erase(chat: ChatPartPlace, options: { readonly signal: AbortSignal }): Promise<void>
  /**
   * Ends what works for a chat, and keeps its data. Called when the chat was deleted and can still be
   * restored, after its runs were stopped; {@link ChatPart.erase} follows when it is deleted for good.
   * Default: nothing works for it.
   * @throws anything: the chat is deleted all the same.
   */
  rest?(chat: ChatPartPlace, options: { readonly signal: AbortSignal }): Promise<void>
  /**
   * The part's data in an exported chat, readable without this service and without ids of users; at
   * most 4 MiB as JSON. Undefined: nothing.
   * @throws anything: the export continues, and lists the part as missing.
   */
  export(chat: ChatPartPlace, options: { readonly signal: AbortSignal }): Promise<JsonValue | undefined>
  /**
   * Imports the data of {@link ChatPart.export}, of this or an earlier version, perhaps in another
   * deployment, perhaps changed by hand: check it. Called before the chat can be seen.
   * @throws anything: the import continues without this part, which is erased and reported.
   */
  import(chat: ChatPartPlace, data: JsonValue, options: { readonly signal: AbortSignal }): Promise<void>
}
