/** One step of setting a connection up. */
export interface ChannelSetUpStep {
  /** One line: “Make a bot”. */
  readonly title: string
  /**
   * What to do at the vendor, Markdown, at most 2,000 characters. `{webhook_url}` is replaced by the
   * address at which the vendor reaches the connection.
   */
  readonly text: string
  /** The page of the vendor where it is done, `https`. Default: none. */
  readonly url?: string
  /** The members of the connection that are filled in at this step. Default: none. */
  readonly members?: readonly string[]
}

/**
 * What a length of text is counted in.
 *
 * - `utf16`: the units of a JavaScript string, as vendors count that say “characters” and mean
 *   those of their own language.
 * - `characters`: Unicode code points.
 * - `bytes`: of UTF-8.
 * - `segments`: of a text message by telephone: 160 characters of GSM-7 or 70 of UCS-2, 153 or 67 in
 *   each of several.
 */
export type ChannelTextUnit = 'utf16' | 'characters' | 'bytes' | 'segments'

/** How long a text may be. */
export interface ChannelTextLimit {
  /** What is counted. */
  readonly unit: ChannelTextUnit
  /** The most in one message. */
  readonly max: number
}

/** What fits into messages. The service splits what does not, and sends one part after the other. */
export interface ChannelLimits {
  /**
   * Of one message. In Markdown as it is given to `send`: where what the vendor gets of it is longer,
   * the limit leaves room.
   */
  readonly text: ChannelTextLimit
  /**
   * An answer that needs more messages than this is sent as its beginning, with a share link to all of
   * it. Default: all of its messages are sent.
   */
  readonly shareLinkAfter?: number
  /** The least time between two messages in a conversation, in milliseconds. Default 0. */
  readonly intervalMs?: number
  /** Files that agents send. Needed with `supports.attachmentsOut`. */
  readonly attachments?: {
    /** The largest file, in bytes. */
    readonly maxBytes: number
    /** The most files with one message. */
    readonly maxCount: number
  }
  /**
   * For how long the vendor knows the id of a delivery, in milliseconds, from 1,000 on: then a second
   * call with it may lead to a second message. Only with `supports.idempotentSend`. Default: for good.
   */
  readonly idempotentMs?: number
  /** The largest body of a webhook's request, in bytes; at most 25 MiB. Default 1 MiB. */
  readonly maxWebhookBytes?: number
}

/** What a channel has. {@link defineChannel} takes what is not named as false. */
export interface ChannelSupports {
  /** Texts of deliveries are Markdown, which the channel puts into the vendor's form. False: plain text. */
  readonly markdown: boolean
  /** Conversations of several people. False: those of one person alone. */
  readonly groups: boolean
  /** A delivery can point to the message that it answers. */
  readonly replies: boolean
  /** A delivery can have buttons, and messages say which one was pressed. */
  readonly buttons: boolean
  /** Messages may bring files. */
  readonly attachmentsIn: boolean
  /** Deliveries may bring files. */
  readonly attachmentsOut: boolean
  /** The session has `edit`. */
  readonly edits: boolean
  /** The session has `typing`. */
  readonly typing: boolean
  /** The session has `presence`. */
  readonly presence: boolean
  /**
   * The vendor takes a delivery's id and makes one message of several with the same. Only then is a
   * delivery sent again whose outcome is not known, within {@link ChannelLimits.idempotentMs}.
   */
  readonly idempotentSend: boolean
  /** The vendor may reach connections: they have an address, and sessions may have `webhook`. */
  readonly webhook: boolean
}
