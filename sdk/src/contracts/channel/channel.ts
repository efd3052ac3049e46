import type { TObject } from 'typebox'
import type { Contribution } from '../../core/contribution-point.js'
import type { JsonObject } from '../../core/json.js'
import type { ChannelLimits, ChannelSetUpStep, ChannelSupports } from './declaration.js'
import type { ChannelDelivery, ChannelEdit, ChannelReceipt } from './deliveries.js'
import type { ChannelAttachment, ChannelMessage } from './messages.js'
import type { ChannelWebhookAnswer, ChannelWebhookRequest } from './webhook.js'

/** One connection: an account at the vendor, and how it is reached. */
export interface ChannelConnection {
  /** The same for the life of the connection. */
  readonly id: string
  /**
   * `system`: set up by an administrator, so addresses that are not public are permitted. `user`: of
   * a user, who may be anyone; requests to addresses that they chose go through `kernel.http-client`.
   */
  readonly origin: 'system' | 'user'
  /** The members of {@link Channel.connection}, checked, the secret ones in plain text. */
  readonly members: JsonObject
  /**
   * Where the vendor reaches this connection: absolute, from `server.external_url`, without a slash at
   * its end. Present for a channel that supports `webhook`.
   */
  readonly webhookUrl?: string
}

/** What the vendor sent. */
export interface ChannelReceived {
  /** In the vendor's order; may be empty. */
  readonly messages: readonly ChannelMessage[]
  /**
   * Where to go on after these messages: an offset, a session, a token. At most 64 KiB as JSON. It is
   * stored in the same step as the messages, so that a crash loses neither. Default: the present
   * state stays.
   */
  readonly state?: JsonObject
}

/** What the service does for a session. */
export interface ChannelHost {
  /**
   * Takes what the vendor sent. Once it resolves everything is stored for good, and only then may the
   * channel acknowledge it to the vendor. Messages that were received before, by their ids, are
   * passed over: hand on what comes twice. It rejects only when nothing could be stored; then
   * acknowledge nothing, and let the error end `run` or the webhook's call, so that the vendor
   * delivers again. A message that breaks this contract is reported as a fault of the plugin and
   * passed over, and texts that are too long are cut: no message can block those behind it.
   */
  receive(received: ChannelReceived): Promise<void>
  /** The state that was last received on this connection, in this session or before. Undefined: none yet. */
  state(): Promise<JsonObject | undefined>
}

/** Who the service is at the vendor. */
export interface ChannelAccount {
  /** The vendor's id of the account, at most 200 characters. */
  readonly id: string
  /** For people, one line of at most 200 characters: “@town_bot”, “help@town.example”. */
  readonly name: string
}

/**
 * An open connection. Plain data and asynchronous functions, which may be called at the same time. Once
 * `run` has ended they fail with `channel_unavailable`.
 *
 * Functions fail with the errors of this contract, all `channel_…`; an abort rejects with the signal's
 * reason. They try once: the service tries again, waits, and gives up, by its settings.
 */
export interface ChannelSession {
  /** Who the service is at the vendor. */
  readonly account: ChannelAccount
  /**
   * Receives until the connection ends. Called once, at the beginning. Rejects with
   * `channel_unavailable` when the connection was lost; resolves when the vendor asked to connect
   * again, which then happens at once; with the signal's reason when it is aborted. When it settles
   * everything that the session had opened is closed. Absent: the session lasts until the signal of
   * `connect` is aborted, as one that only has a webhook does.
   */
  run?(options: { readonly signal: AbortSignal }): Promise<void>
  /**
   * Answers a request to {@link ChannelConnection.webhookUrl}. Verifies it on its raw bytes first: any
   * program of the internet may have sent it. Takes what it says with `host.receive`, then answers,
   * within 3 seconds as most vendors ask. A refusal is an answer (401), not an error. @throws
   * `channel_unauthorized` when a verified request says that the vendor has ended the connection: the
   * vendor gets 200. Only with `supports.webhook`.
   */
  webhook?(request: ChannelWebhookRequest, options: { readonly signal: AbortSignal }): Promise<ChannelWebhookAnswer>
  /**
   * Sends one message. Resolves once the vendor has taken it. @throws `channel_rejected` when the
   * vendor refuses this message and others may pass, `channel_throttled` and `channel_unavailable`
   * when it was certainly not sent, `channel_outcome_unknown` when it may have been,
   * `channel_unauthorized`. With `supports.idempotentSend`, a second call with the same id leads to
   * no second message, for as long as {@link ChannelLimits.idempotentMs} says.
   */
  send(delivery: ChannelDelivery, options: { readonly signal: AbortSignal }): Promise<ChannelReceipt>
  /** Replaces the text and the buttons of a message that was sent. Only with `supports.edits`. */
  edit?(edit: ChannelEdit, options: { readonly signal: AbortSignal }): Promise<void>
  /**
   * Shows in a conversation that an answer is being written, for the few seconds for which the vendor
   * shows it; repeated every 4 seconds. Only with `supports.typing`.
   */
  typing?(conversationId: string, options: { readonly signal: AbortSignal }): Promise<void>
  /**
   * Shows everyone whether the account answers at the moment: `online` once it is connected, `away`
   * before the session is closed in order, which waits a second for it. Only with `supports.presence`.
   */
  presence?(state: 'online' | 'away', options: { readonly signal: AbortSignal }): Promise<void>
  /**
   * The content of an attachment, also after a restart. @throws `channel_rejected` when it is gone.
   * Needed for attachments without `bytes`; only with `supports.attachmentsIn`.
   */
  download?(attachment: ChannelAttachment, options: { readonly signal: AbortSignal }): AsyncIterable<Uint8Array>
}

/**
 * A messaging service through which people reach their agents. A channel knows one vendor's protocol
 * and nothing else: who may write, which agent answers, retries, splitting of long answers and the
 * state that people see are the service's.
 *
 * No secret of a connection is in an error, a log or a title. Nothing is kept between two sessions but
 * the state, since they may be in two processes.
 */
export interface Channel extends Contribution {
  /** The generation of this contract that the channel is written for. */
  readonly specVersion: 1
  /** `^[a-z][a-z0-9-]{0,63}$`: `telegram`. Unique in a deployment. */
  readonly id: string
  /** For people: “Telegram”. One line. */
  readonly title: string
  /**
   * The settings of a connection, a closed object. Those with `'x-secret': true` are stored encrypted
   * and never shown again. Title and description of each are for the form in which people set it up.
   */
  readonly connection: TObject
  /** What people do to set a connection up, in order. May be empty. */
  readonly setUp: readonly ChannelSetUpStep[]
  /** What fits into one message. */
  readonly limits: ChannelLimits
  /** What the channel has and what people can do there. */
  readonly supports: ChannelSupports
  /**
   * Opens a connection: asks the vendor with its credentials who the account is, and resolves once it
   * can send. The signal lives as long as the session; when it is aborted everything is closed, and
   * what waits rejects with its reason. Only one session of a connection is open at a time. @throws
   * `channel_unauthorized` and `channel_connection_invalid`, after which it is not tried again,
   * `channel_throttled`, `channel_unavailable`, within 30 seconds.
   */
  connect(connection: ChannelConnection, host: ChannelHost, options: { readonly signal: AbortSignal }): Promise<ChannelSession>
}
