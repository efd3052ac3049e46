import { readAtMost } from '@agent-service/sdk/async'
import type { ChannelAttachment, ChannelMessage } from '@agent-service/sdk/contracts/channel'
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import type { EmailSettings } from '../connection/settings.js'
import { addressOf, lineOf } from '../incoming/addresses.js'
import { isVerified } from '../incoming/authentication-results.js'
import { automaticReasonOf } from '../incoming/automatic.js'
import { htmlText } from '../incoming/html-text.js'
import { type MailHead, readHead } from '../incoming/mail.js'
import { withoutQuotedHistory } from '../incoming/quoted-history.js'
import { partsOf, type TextPart } from '../incoming/structure.js'
import { conversationIdOf, receivedIdOf, rootOf, threadOf } from '../incoming/threads.js'
import type { Thread } from './memory.js'

/** What became of a mail. */
export type ReadMail =
  | { readonly message: ChannelMessage; readonly thread: Thread }
  /** It is not handed on, and why. */
  | { readonly passedOver: string }

/** More of a head is not read: a server that is not ours may have made it long. */
export const maxHeadBytes = 65_536
/** More of a text is not read. */
const maxTextBytes = 262_144
const maxHtmlBytes = 1_048_576
const maxIdLength = 200

/** The part of a mail's fetch that is its head. */
export const headQuery = { key: 'HEADER', start: 0, maxLength: maxHeadBytes }

/**
 * Makes a message of a mail whose head and structure were fetched: reads its text from the server, up
 * to a limit; files stay there.
 */
export async function readMail(
  mail: FetchMessageObject,
  {
    client,
    settings,
    uidValidity,
    since,
    signal,
  }: {
    readonly client: ImapFlow
    readonly settings: EmailSettings
    readonly uidValidity: string
    /** Mails that were written before are passed over. */
    readonly since?: number
    readonly signal: AbortSignal
  },
): Promise<ReadMail> {
  const head = await readHead(mail.headers ?? new Uint8Array())
  const { from, headers, ids, subject } = head
  const receivedAt = new Date(mail.internalDate ?? Number.NaN).getTime()
  if (since !== undefined && (head.writtenAt ?? receivedAt) < since) return { passedOver: 'it was there before the mailbox was made anew' }
  if (from === undefined) return { passedOver: 'it does not say who has written it' }
  const automatic = automaticReasonOf(headers, from.address, ownAddresses(settings))
  if (automatic !== undefined) return { passedOver: automatic }
  const verified = isVerified(headers.all('authentication-results'), from.address, settings.authservId)
  const senderId = verified ? from.address : `unverified:${from.address}`
  const { texts, files } = partsOf(mail.bodyStructure)
  const text = await textOf(texts, head, { client, uid: mail.uid, signal })
  const at = Number.isFinite(receivedAt) && receivedAt >= 1e12 ? receivedAt : Date.now()
  const title = lineOf(subject, 200)
  const name = lineOf(from.name, 200)
  const replyTo = ids.inReplyTo
  const attachments = files.map(
    ({ part, name: fileName, mediaType }): ChannelAttachment => ({
      id: `${uidValidity}/${mail.uid}/${part}`,
      mediaType,
      ...(fileName !== undefined && { name: fileName }),
    }),
  )
  const conversationId = conversationIdOf(senderId, threadOf(ids, settings.address))
  const own = short(ids.own)
  const root = short(rootOf(ids))
  return {
    message: {
      id: receivedIdOf(ids.own, [senderId, ids.own ?? `${receivedAt}/${mail.size ?? 0}`, headers.first('date') ?? '', subject]),
      conversation: { id: conversationId, kind: 'direct', ...(title !== undefined && { title }) },
      sender: { id: senderId, bot: false, ...(name !== undefined && { name }) },
      ...{ text: withSubject(text, head), at, mentioned: true },
      ...(replyTo !== undefined && { replyTo }),
      ...(attachments.length > 0 && { attachments }),
    },
    thread: { subject: lineOf(subject, 150) ?? '', ...(root !== undefined && { root }), ...(own !== undefined && { last: own }) },
  }
}

const short = (id: string | undefined): string | undefined => (id !== undefined && id.length <= maxIdLength ? id : undefined)

const ownAddresses = ({ address, imap, smtp }: EmailSettings): ReadonlySet<string> =>
  new Set([address, imap.user, smtp.user].map(addressOf).filter((each) => each !== undefined))

const isForward = (subject: string): boolean => /^\s*(?:fwd?|wg|tr|rv|i|enc|doorst)\s*:/i.test(subject)
const isAnswer = ({ ids, subject }: MailHead): boolean => (ids.inReplyTo !== undefined || ids.references.length > 0) && !isForward(subject)

/** The first mail of a thread says what it is about in its subject; answers repeat it. */
function withSubject(text: string, head: MailHead): string {
  const subject = lineOf(head.subject, 500)
  if (subject === undefined || isAnswer(head)) return text
  return text === '' ? subject : `Subject: ${subject}\n\n${text}`
}

type Source = { readonly client: ImapFlow; readonly uid: number; readonly signal: AbortSignal }

async function textOf(texts: readonly TextPart[], head: MailHead, source: Source): Promise<string> {
  const read: string[] = []
  let room = maxTextBytes
  for (const { forms } of texts) {
    for (const { part, kind } of forms) {
      const { text, cut } = await readPart(part, kind === 'html' ? maxHtmlBytes : room, source)
      const plain = kind === 'html' ? await readable(text, isAnswer(head)) : text
      const own = isAnswer(head) ? withoutQuotedHistory(plain) : plain.replace(/\r\n/g, '\n').trim()
      if (own === '') continue
      const kept = own.slice(0, room)
      room -= kept.length
      read.push(cut || kept.length < own.length ? `${kept}\n\n[The rest of this e-mail was left out: it is too long.]` : kept)
      break
    }
    if (room <= 0) break
  }
  return read.join('\n\n')
}

/** Of an answer without what it quotes, unless nothing would be left. */
async function readable(html: string, dropsHistory: boolean): Promise<string> {
  const text = await htmlText(html, { dropsHistory })
  return text === '' && dropsHistory ? await htmlText(html) : text
}

/** A text part in UTF-8, as much of it as is wanted. */
async function readPart(
  part: string,
  maxBytes: number,
  { client, uid, signal }: Source,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const { content } = await client.download(String(uid), part, { uid: true })
  if (content === undefined) return { text: '', cut: false }
  const { bytes, cut } = await readAtMost(content, { maxBytes, signal })
  return { text: new TextDecoder().decode(bytes), cut }
}
