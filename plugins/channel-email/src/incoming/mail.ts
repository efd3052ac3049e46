import PostalMime, { type Address } from 'postal-mime'
import { addressOf } from './addresses.js'
import type { HeaderLookup } from './automatic.js'
import { idsIn, type MessageIds } from './threads.js'

/** The head of a mail. */
export interface MailHead {
  readonly headers: HeaderLookup
  /** The one address that it says it comes from; undefined if there is none, or several. */
  readonly from: { readonly address: string; readonly name: string } | undefined
  readonly subject: string
  readonly ids: MessageIds
  /** When it was written, by the clock of its writer. */
  readonly writtenAt: number | undefined
}

/** Longer ones are hostile: to decode them takes a time that others would wait for. */
const maxFromLength = 1_000
const maxSubjectLength = 2_000

/** Reads the head of a mail, which may be cut off. What cannot be read is absent. */
export async function readHead(bytes: Uint8Array): Promise<MailHead> {
  const headers = headersOf(new TextDecoder().decode(bytes))
  const { all, first } = headers
  const senders = all('from').filter(({ length }) => length <= maxFromLength)
  const subject = (first('subject') ?? '').slice(0, maxSubjectLength)
  // As `To`, of which the parser gives all addresses; of `From` it gives the first one alone.
  const decoded = await PostalMime.parse(`To: ${senders[0] ?? ''}\r\nSubject: ${subject}\r\n\r\n`)
  const writtenAt = Date.parse((first('date') ?? '').slice(0, 100))
  return {
    headers,
    from: all('from').length === 1 ? senderOf(decoded.to) : undefined,
    subject: decoded.subject ?? '',
    ids: {
      own: idsIn(first('message-id'))[0],
      inReplyTo: idsIn(first('in-reply-to')).at(-1),
      references: idsIn(first('references')),
    },
    writtenAt: Number.isNaN(writtenAt) ? undefined : writtenAt,
  }
}

/** The headers by lower-case name, each on one line; up to the first empty line. */
function headersOf(text: string): HeaderLookup {
  const found: { readonly name: string; readonly lines: string[] }[] = []
  let isKnown = false
  for (const line of text.split(/\r?\n/)) {
    if (line === '') break
    if (/^[ \t]/.test(line)) {
      if (isKnown) found.at(-1)?.lines.push(line)
      continue
    }
    const [, name] = /^([!-9;-~]{1,100})[ \t]*:/.exec(line) ?? []
    isKnown = name !== undefined
    if (name !== undefined) found.push({ name: name.toLowerCase(), lines: [line.slice(line.indexOf(':') + 1)] })
  }
  const all = (name: string): readonly string[] => found.filter((each) => each.name === name).map(({ lines }) => lines.join('').trim())
  return { all, first: (name) => all(name)[0] }
}

function senderOf([from, ...others]: readonly Address[] = []): MailHead['from'] {
  if (from === undefined || others.length > 0 || from.group !== undefined) return undefined
  const address = addressOf(from.address)
  return address === undefined ? undefined : { address, name: from.name }
}
