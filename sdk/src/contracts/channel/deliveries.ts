/** A file to send. */
export interface ChannelFile {
  /** One line of at most 255 characters, without slashes. */
  readonly name: string
  /** `application/pdf`. */
  readonly mediaType: string
  /** In bytes. */
  readonly size: number
  /** The content, to be read once. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** A button below a message. Pressing it is a message with its value. */
export interface ChannelButton {
  /** One line of at most 30 characters. */
  readonly label: string
  /** 1 to 60 of `A-Z a-z 0-9 _ . : -`. */
  readonly value: string
}

/** One message to send: an answer, or a part of one. It fits the limits of the channel. */
export interface ChannelDelivery {
  /**
   * Of this message alone, and the same each time it is tried: the key that makes sending idempotent.
   * 1 to 64 of `A-Z a-z 0-9 _ . -`.
   */
  readonly id: string
  /** Which part of an answer it is, from 0, and of how many. */
  readonly chunk: { readonly index: number; readonly count: number }
  /** {@link ChannelConversation.id} of a message on this connection. */
  readonly conversationId: string
  /**
   * Markdown with `supports.markdown`, otherwise plain text; empty only beside files. Written by a
   * model: whatever the vendor would act on in it, such as a call to everyone, is sent as mere text.
   */
  readonly text: string
  /** The vendor's id of the message that it answers. Only with `supports.replies`. Default: none. */
  readonly replyTo?: string
  /** At most 5. Only with `supports.buttons`. Default: none. */
  readonly buttons?: readonly ChannelButton[]
  /** Only with `supports.attachmentsOut`. Default: none. */
  readonly attachments?: readonly ChannelFile[]
}

/** What the vendor said of a message that it took. */
export interface ChannelReceipt {
  /** The vendor's id of the message, which {@link ChannelMessage.replyTo} and edits name. Absent: the vendor gives none. */
  readonly id?: string
}

/** A change of a message that was sent. */
export interface ChannelEdit {
  /** {@link ChannelReceipt.id} of the message. */
  readonly id: string
  /** Where it stands. */
  readonly conversationId: string
  /** As {@link ChannelDelivery.text}. */
  readonly text: string
  /** All buttons that it is to have. Default: none. */
  readonly buttons?: readonly ChannelButton[]
}
