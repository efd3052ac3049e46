import { Readable } from 'node:stream'
import type { ChannelDelivery, ChannelFile } from '@agent-service/sdk/contracts/channel'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Thread } from '../imap/memory.js'
import { htmlOf } from './html.js'

/** A mail that goes out. */
export interface OutgoingMail {
  readonly messageId: string
  readonly from: { readonly address: string; readonly name: string }
  readonly to: string
  /** What is known of the thread. */
  readonly thread: Thread | undefined
  /** The Message-ID of the mail that it answers, if another one than the last of the thread. */
  readonly inReplyTo: string | undefined
  readonly delivery: ChannelDelivery
  readonly at: Date
  /** Called when a file cannot be read: the mail has no end then. */
  onUnreadable(cause: unknown): void
}

/** A composed mail. Its content is read once. */
export interface ComposedMail {
  readonly content: Readable
  /** The addresses as SMTP takes them. */
  readonly envelope: { readonly from: string; readonly to: string }
}

/**
 * Writes a mail: the text as it is and as HTML, the files behind it. It is marked as an automatic answer
 * (RFC 3834), so that programs on the other side do not answer it.
 */
export async function composeMail({
  messageId,
  from,
  to,
  thread,
  inReplyTo,
  delivery,
  at,
  onUnreadable,
}: OutgoingMail): Promise<ComposedMail> {
  const { text, attachments = [] } = delivery
  const answered = inReplyTo ?? thread?.last
  const references = [thread?.root, answered].filter((id, index, ids) => id !== undefined && ids.indexOf(id) === index)
  const watched = async function* ({ bytes }: ChannelFile): AsyncIterable<Uint8Array> {
    try {
      yield* bytes
    } catch (cause) {
      onUnreadable(cause)
      throw cause
    }
  }
  const composer = new MailComposer({
    ...{ from: { address: from.address, name: from.name }, to: { address: to, name: '' }, subject: subjectOf(thread), messageId, date: at },
    ...(answered !== undefined && { inReplyTo: answered }),
    ...(references.length > 0 && { references: references.join(' ') }),
    headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
    ...(text !== '' && { text, html: await htmlOf(text) }),
    ...(text === '' && { text: '' }),
    attachments: attachments.map((file) => ({
      filename: file.name,
      contentType: /^[\w.+-]+\/[\w.+-]+$/.test(file.mediaType) ? file.mediaType : 'application/octet-stream',
      content: Readable.from(watched(file)),
    })),
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  const message = composer.compile()
  const { to: recipients } = message.getEnvelope()
  const envelope = { from: from.address, to: [recipients].flat()[0] ?? to }
  return { envelope, content: message.createReadStream() }
}

/** Programs of mail keep a thread together by its subject too. */
function subjectOf(thread: Thread | undefined): string {
  const subject = (thread?.subject ?? '').replace(/^(?:\s*(?:re|aw|sv|vs|antw|odp|ref)\s*(?:\[\d+\])?\s*:)+\s*/i, '')
  return `Re: ${subject === '' ? 'your message' : subject}`
}
