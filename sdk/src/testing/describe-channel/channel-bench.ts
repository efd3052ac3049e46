import type { Channel, ChannelConnection } from '../../contracts/channel/channel.js'
import type { ChannelMessage } from '../../contracts/channel/messages.js'
import type { ChannelWebhookAnswer, ChannelWebhookRequest } from '../../contracts/channel/webhook.js'
import type { NotApplicable } from '../unchecked-rules.js'

/** A message that someone writes at the vendor. */
export interface ChannelBenchMessage {
  /** Where: a conversation with one person, or one of several, each always the same. `group` only with `supports.groups`. */
  readonly place: 'direct' | 'group'
  /** What they write; any characters. */
  readonly text: string
  /** Who: a person, a program (with the bench's `bots`), or the account itself, from elsewhere (with `echoes`). Default `person`. */
  readonly by?: 'person' | 'bot' | 'account'
  /** In a group: whom it names besides. Default: no one. */
  readonly mention?: 'account' | 'everyone'
  /** The vendor's id of the message that it answers. Only with `supports.replies`. */
  readonly replyTo?: string
  /** The value of the button that is pressed; `text` is its label. Only with `supports.buttons`. */
  readonly button?: string
  /** Only with `supports.attachmentsIn`. */
  readonly attachments?: readonly { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array }[]
}

/** A message as people see it at the vendor. */
export interface ChannelBenchSent {
  /** The vendor's id, if it gives any. */
  readonly id?: string
  /** Where it stands. */
  readonly conversationId: string
  /** As it is shown, or as it was edited. */
  readonly text: string
  /** What it answers. */
  readonly replyTo?: string
  /** The buttons below it. */
  readonly buttons?: readonly { readonly label: string; readonly value: string }[]
  /** The files with it. */
  readonly files?: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

/**
 * What may be wrong with a vendor, until it is mended, and the error with which `connect` and `send`
 * fail.
 *
 * - `down`: it cannot be reached, and open connections break, with which `run` ends.
 *   `channel_unavailable`
 * - `failing`: it answers every request with a failure of its own. `channel_unavailable`, or
 *   `channel_outcome_unknown` from `send`
 * - `silent`: it takes requests and never answers. `channel_unavailable`, `channel_outcome_unknown`
 *   from `send`
 * - `garbled`: its answers cannot be read. As `silent`
 * - `throttled`: it asks to wait for some seconds. `channel_throttled`
 * - `revoked`: the credentials have ended. `channel_unauthorized`, also from `run`
 * - `rejecting`: it refuses each message, and works otherwise. `channel_rejected` from `send`
 * - `losing`: it takes a message, and the connection breaks before its answer.
 *   `channel_outcome_unknown` from `send`
 * - `redirecting`: it answers every request with a redirect to another server, which answers with a
 *   failure and must get no secret. Any error of the contract but `channel_throttled`
 */
export type ChannelFault = 'down' | 'failing' | 'silent' | 'garbled' | 'throttled' | 'revoked' | 'rejecting' | 'losing' | 'redirecting'

/** How the suite is reached by a vendor that calls a webhook. */
export interface ChannelBenchHooks {
  /** Hands a request to the open session; 503 while there is none. A failure of the session is an answer 500. */
  webhook(request: ChannelWebhookRequest): Promise<ChannelWebhookAnswer>
}

/** A channel with a vendor that the suite steers. */
export interface ChannelBench {
  /** The channel, with short time limits where the vendor may be `silent`. */
  readonly channel: Channel
  /** Good credentials. */
  readonly connection: ChannelConnection
  /** Connections whose credentials the vendor does not take, by what is wrong with them. At least one. */
  readonly wrong: Readonly<Record<string, ChannelConnection>>
  /** Connections that can be seen to be useless without the vendor. Default: none. */
  readonly invalid?: Readonly<Record<string, ChannelConnection>>
  /**
   * A connection of a user to a vendor at an address that is not public, where users choose addresses,
   * and how many connections that vendor has seen. Default: not tested.
   */
  readonly inward?: { readonly connection: ChannelConnection; connections(): number }
  /**
   * Someone writes: the vendor delivers the message as soon as it can. Returns what the channel has to
   * hand on for it, without the ids and the content of attachments; for a message of the account
   * itself nothing is handed on.
   */
  deliver(message: ChannelBenchMessage): Promise<ChannelMessage>
  /** Delivers again, as vendors do that have missed an acknowledgement. Only with the option `acknowledges`. */
  redeliver(id: string): Promise<void>
  /** The ids of the messages that the channel has acknowledged. */
  acknowledged(): readonly string[]
  /** Sends what is no message: broken JSON, a line of another form, in the way in which messages come. */
  garble(): Promise<void>
  /** What people see of the account, the oldest first. */
  sent(): readonly ChannelBenchSent[]
  /** The conversations in which the account was shown to be writing. Needed with `supports.typing`. */
  typing?(): readonly string[]
  /** The states in which the account was shown. Needed with `supports.presence`. */
  presence?(): readonly string[]
  /**
   * Requests to the webhook that the channel has to refuse, by what is wrong with them: without a
   * signature, with a wrong one, with one byte changed, copied and too old. Needed if the session has
   * a webhook.
   */
  forged?(): Readonly<Record<string, ChannelWebhookRequest>>
  /**
   * The signed request with which the vendor says that it has ended the connection: the app was
   * removed. The webhook has to reject with `channel_unauthorized`. `not applicable` for a vendor
   * without such a request. Default: not tested.
   */
  readonly removal?: (() => ChannelWebhookRequest) | NotApplicable
  /**
   * What the vendor acts on in texts, such as `<!channel>` or `@everyone`, and how often messages of
   * the account have made it act. `not applicable` for a vendor that takes each text as it is.
   * Default: not tested.
   */
  readonly marks?: { readonly texts: readonly string[]; acted(): number } | NotApplicable
  /**
   * What the other server of the fault `redirecting` has received: addresses, headers and bodies.
   * Needed with that fault.
   */
  elsewhere?(): readonly string[]
  /** How many connections the channel has open at the vendor: sockets, and requests without an answer. */
  connections(): number
  /** Breaks every open connection; new ones work. */
  drop(): Promise<void>
  /** Brings a fault of the options about. At most one at a time. */
  break(fault: ChannelFault): Promise<void>
  /** Ends the fault. */
  mend(): Promise<void>
  /** What the channel has logged so far. Default: it logs nothing. */
  lines?(): readonly string[]
  /** Closes everything, also with a fault. */
  close(): Promise<void>
}
