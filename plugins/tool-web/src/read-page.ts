import { defineError } from '@agent-service/sdk'
import type { Documents } from '@agent-service/sdk/services/documents'
import { decodeText, isUtf8, visibleText } from './decode-text.js'
import { type FetchedPage, maxDocumentBytes } from './fetch-page.js'
import { isHtml, isPlainText, isUnknown, looksLikeText } from './media-types.js'

/** So that cleaning a text never holds up anything else. */
const maxCharacters = 500_000

const mebibytes = (bytes: number): string => `${bytes / 1_048_576} MiB`
const cutNote = 'The page is longer than what was read of it.'
const shortNote = `Only the first ${maxCharacters} characters are kept.`
const noHtml = 'reading HTML is not available here, only plain text and JSON; raw: true gives its source'

/** The content of a page is of no type that can be read here. */
export const pageUnreadableError = defineError<{ readonly url: string; readonly mediaType: string; readonly reason: string }>({
  code: 'page_unreadable',
  status: 415,
  title: 'Page cannot be read',
  message: ({ url, mediaType, reason }) =>
    `${url.slice(0, 1_000)} (${mediaType === '' ? 'of no stated type' : mediaType}) cannot be read as text: ${reason}.`,
})

/** A page as text. */
export interface PageText {
  readonly url: string
  readonly status: number
  readonly mediaType: string
  /** One line; absent if it has none. */
  readonly title?: string
  /** What else it says of itself, such as `author`. */
  readonly details: Readonly<Record<string, string>>
  readonly text: string
  /** What is missing or was done to it, in sentences. */
  readonly notes: readonly string[]
}

/** Options of {@link readPage}. */
export interface ReadPageOptions {
  /** Makes text of HTML, PDF and so on. Absent: only plain text and JSON can be read. */
  readonly documents: Pick<Documents, 'reads' | 'toText'> | undefined
  /** The source instead of the readable text. */
  readonly raw: boolean
  /** In whose share of the readers it is read, and by a reader that reads for no one else. */
  readonly userId: string
  readonly signal: AbortSignal
}

/**
 * The text of a page: HTML as readable Markdown, documents by their text, text as it is. @throws
 * `page_unreadable`, the errors of the service `documents`, or the reason of the signal.
 */
export async function readPage(page: FetchedPage, options: ReadPageOptions): Promise<PageText> {
  const { url, status, mediaType, charset, bytes, cut } = page
  const { documents, raw, userId, signal } = options
  const unreadable = (reason: string) => pageUnreadableError.create({ url, mediaType, reason })
  const html = isHtml(mediaType)
  const plain = isPlainText(mediaType) || (isUnknown(mediaType) && documents === undefined && looksLikeText(bytes))
  if (plain || (raw && html)) return sourceOf(page)
  if (raw) throw unreadable('it has no source that is text; leave raw out')
  if (!documents) throw unreadable(html ? noHtml : 'only plain text and JSON can be read here')
  if (bytes.byteLength === 0) return { url, status, mediaType, details: {}, text: '', notes: ['The page is empty.'] }
  const name = html ? 'page.html' : nameOf(url)
  if (!html && !isUnknown(mediaType) && !documents.reads({ mediaType, name })) throw unreadable('its type is none that can be read')
  if (cut && !html) throw unreadable(`it is larger than ${mebibytes(maxDocumentBytes)}`)
  // The charset that the server states would be lost.
  const content = html && !isUtf8(bytes, charset) ? new TextEncoder().encode(decodeText(bytes, { charset, html })) : bytes
  const read = await documents.toText(
    { bytes: content, name, ...(isUnknown(mediaType) ? {} : { mediaType }), maxCharacters, baseUrl: url },
    { signal, userId },
  )
  const title = read.title === undefined ? '' : visibleText(read.title).replace(/\s+/g, ' ').trim().slice(0, 300)
  return {
    ...{ url, status, mediaType: isUnknown(mediaType) ? read.mediaType : mediaType, details: read.details },
    ...(title !== '' && { title }),
    text: visibleText(read.text),
    notes: [...(cut ? [cutNote] : []), ...(read.cut ? [shortNote] : [])],
  }
}

/** Text as it is. No more of it is decoded than is kept. */
function sourceOf({ url, status, mediaType, charset, bytes, cut }: FetchedPage): PageText {
  const text = decodeText(bytes.subarray(0, 4 * maxCharacters), { charset, html: isHtml(mediaType) })
  const notes = [...(cut ? [cutNote] : []), ...(text.length > maxCharacters ? [shortNote] : [])]
  return { url, status, mediaType, details: {}, text: visibleText(text.slice(0, maxCharacters)), notes }
}

function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  return last.slice(-100)
}
