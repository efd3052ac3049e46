/** Who wrote a message. */
export interface ChannelSender {
  /** The vendor's id, which the person cannot choose and keeps; at most 200 characters. */
  readonly id: string
  /** For people, one line of at most 200 characters. Chosen by the person: proves nothing. Default: none. */
  readonly name?: string
  /** A program wrote it: a bot, an automatic reply. Where the vendor does not tell: false. */
  readonly bot: boolean
}

/** Where a message stands, and where an answer to it belongs. */
export interface ChannelConversation {
  /**
   * What {@link ChannelDelivery.conversationId} takes, at most 500 characters. A thread that has its own
   * history is a conversation of its own.
   */
  readonly id: string
  /** `direct`: with one person, who reads alone. `group`: whatever others may read. */
  readonly kind: 'direct' | 'group'
  /** For people, one line of at most 200 characters. Default: none. */
  readonly title?: string
}

/** A file that came with a message. */
export interface ChannelAttachment {
  /**
   * All that {@link ChannelSession.download} needs, also after a restart; at most 4,000 characters.
   * Without secrets.
   */
  readonly id: string
  /** The name that the sender gave it, one line of at most 255 characters. Default: none. */
  readonly name?: string
  /** What the vendor says that it is: `image/png`. Default: not known. */
  readonly mediaType?: string
  /** In bytes, where the vendor says it. */
  readonly size?: number
  /** The content, if the vendor sends it with the message. It is not downloaded then. */
  readonly bytes?: Uint8Array
}

/** A message of a person, or of a program. Never one of the account itself. */
export interface ChannelMessage {
  /**
   * The vendor's id, at most 500 characters. Unique in the connection, and the same each time the
   * message is delivered.
   */
  readonly id: string
  /** Where it stands. */
  readonly conversation: ChannelConversation
  /** Who wrote it, as the vendor vouches for it. */
  readonly sender: ChannelSender
  /** What was written, without the mention of the account; the label of a button. May be empty. */
  readonly text: string
  /** When it was written by the vendor's clock, in milliseconds since 1970. */
  readonly at: number
  /**
   * In a group: whether it names the account, or answers a message of it. A call to everyone does not
   * count. In a direct conversation: true.
   */
  readonly mentioned: boolean
  /** The vendor's id of the message that it answers. Default: none. */
  readonly replyTo?: string
  /** The {@link ChannelButton.value} of the button that was pressed. Default: it was written. */
  readonly button?: string
  /** Default: none. */
  readonly attachments?: readonly ChannelAttachment[]
}
