import PostalMime, { type Address, type Attachment } from 'postal-mime'
import { unreadable } from '../common/failures.js'
import type { ReadFormat } from '../common/format.js'
import { readPage } from './html.js'

const maxNestingDepth = 50
const maxHeaderBytes = 1024 * 1024
const maxListed = 100

/** A message: who wrote it to whom, its text, and which files it has. */
export const readEmail: ReadFormat = async ({ bytes, sink }) => {
  const { from, to, cc, date, subject, text, html, attachments } = await PostalMime.parse(bytes, {
    maxNestingDepth,
    maxHeadersSize: maxHeaderBytes,
  })
  const body = text !== undefined && text.trim() !== '' ? text : html === undefined ? '' : readPage(html, undefined).markdown
  const sender = from ? addresses([from]) : undefined
  if (sender === undefined && subject === undefined && date === undefined && body.trim() === '') throw unreadable('it is not an e-mail')
  const details = { from: sender, to: addresses(to), cc: addresses(cc), date }
  const head = [
    ['From', details.from],
    ['To', details.to],
    ['Cc', details.cc],
    ['Date', details.date],
    ['Subject', subject],
  ]
  sink.add(head.flatMap(([name, value]) => (value ? [`${name}: ${value}\n`] : [])).join(''))
  sink.add(`\n${body.trim()}\n`)
  if (attachments.length > 0) sink.add(`\nAttachments:\n${attachments.slice(0, maxListed).map(described).join('')}`)
  if (attachments.length > maxListed) sink.add(`- and ${attachments.length - maxListed} more\n`)
  return { title: subject, details: { ...details, attachments: attachments.length || undefined } }
}

function addresses(list: readonly Address[] | undefined): string | undefined {
  if (!list || list.length === 0) return undefined
  const shown = list.slice(0, maxListed).flatMap((entry) => (entry.group ? entry.group : [entry]))
  const texts = shown.map(({ name, address }) => (name && name !== address ? `${name} <${address}>` : (address ?? '')))
  return [...texts, ...(list.length > maxListed ? ['…'] : [])].join(', ')
}

function described({ filename, mimeType, content }: Attachment): string {
  const bytes = typeof content === 'string' ? content.length : content.byteLength
  return `- ${(filename ?? 'without a name').replaceAll(/\s+/g, ' ')} (${mimeType}, ${bytes} bytes)\n`
}
