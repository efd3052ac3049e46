import { browserUseError } from '../common/errors.js'
import { limits } from '../common/limits.js'
import type { PausedRequest } from '../protocol/messages.js'
import type { ProtocolSession } from '../protocol/protocol-session.js'

/** A file that a page hands out, as it comes over the protocol. */
export interface Download {
  /** As the server or the page suggests it. Not to be trusted: at most a last name of a path. */
  readonly name: string
  readonly url: string
  /** If the server says it. */
  readonly size: number | undefined
  /** Read once. */
  readonly body: AsyncIterable<Uint8Array>
  /** Ends what was not read. Nothing happens after the end, and the second time. */
  cancel(): Promise<void>
}

/** What a browser shows by itself; anything else is a file. */
const shownTypes =
  /^(?:text\/|image\/(?!tiff|heic)|application\/(?:xhtml\+xml|xml|json|.*\+json|.*\+xml|javascript)|audio\/|video\/|multipart\/x-mixed-replace)/

/** Whether the answer to a document is a file rather than a page. */
export function isDownload({ responseStatusCode: status = 0, ...paused }: PausedRequest): boolean {
  if (status < 200 || status >= 300 || status === 204 || status === 205) return false
  const disposition = headerOf(paused, 'content-disposition') ?? ''
  const type = headerOf(paused, 'content-type') ?? ''
  return /^\s*attachment/i.test(disposition) || (type !== '' && !shownTypes.test(type.trim().toLowerCase()))
}

/** Takes an answer away from the page: its bytes come here, and the page stays as it was. */
export async function takeDownload(paused: PausedRequest, session: ProtocolSession): Promise<Download> {
  const { requestId, request } = paused
  const { stream } = await session.send<{ readonly stream: string }>('Fetch.takeResponseBodyAsStream', { requestId })
  let isOver = false
  const end = async (): Promise<void> => {
    if (isOver) return
    isOver = true
    // Both are gone with a page that has gone on.
    await session.send('IO.close', { handle: stream }).catch(() => undefined)
    await refuseRequest(session, requestId)
  }
  const size = Number(headerOf(paused, 'content-length') ?? Number.NaN)
  return {
    name: fileNameOf(headerOf(paused, 'content-disposition') ?? '', request.url),
    url: request.url,
    size: Number.isSafeInteger(size) && size >= 0 && headerOf(paused, 'content-encoding') === undefined ? size : undefined,
    body: readStream(session, stream, end),
    cancel: end,
  }
}

/** Ends a request without a trace in the page. */
export const refuseRequest = (session: ProtocolSession, requestId: string): Promise<unknown> =>
  // A page that has gone on has ended it already.
  session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(() => undefined)

async function* readStream(session: ProtocolSession, handle: string, end: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const piece = await session.send<{ readonly data: string; readonly eof: boolean; readonly base64Encoded?: boolean }>(
        'IO.read',
        { handle, size: 512 * 1024 },
        { limitMs: limits.downloadMs },
      )
      if (piece.data !== '') yield Buffer.from(piece.data, piece.base64Encoded === true ? 'base64' : 'utf8')
      if (piece.eof) return
    }
  } finally {
    await end()
  }
}

/** A file whose bytes are there already, such as one that the page has made. */
export const madeDownload = (name: string, url: string, bytes: Uint8Array): Download => ({
  ...{ name: safeName(name), url: url.slice(0, 100), size: bytes.length, body: bytesOf(bytes) },
  cancel: async () => undefined,
})

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const headerOf = ({ responseHeaders = [] }: Pick<PausedRequest, 'responseHeaders'>, name: string): string | undefined =>
  responseHeaders.find((header) => header.name.toLowerCase() === name)?.value

/** RFC 6266, both forms of `filename`; else the last name of the address. */
function fileNameOf(disposition: string, url: string): string {
  const extended = /filename\*\s*=\s*(?:utf-8|iso-8859-1)'[^']*'([^;]+)/i.exec(disposition)?.[1]
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition)
  const given = extended === undefined ? (plain?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2]) : decoded(extended)
  return safeName(given ?? decoded(URL.canParse(url) ? (new URL(url).pathname.split('/').pop() ?? '') : ''))
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** File systems take 255 bytes; there is room for a number. */
const maxNameBytes = 200

/**
 * One plain name, whatever was suggested; of a long one its end, which has the extension. The name is cut before it
 * is cleaned: the time for the dots at its end grows with the square of their number.
 */
export function safeName(text: string): string {
  const last = text.slice(-2_000).split(/[/\\]/).pop() ?? ''
  const plain = endOf(last.normalize('NFC').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029<>:"|?*]/gu, '_'))
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '')
  return plain === '' ? 'download' : plain
}

function endOf(text: string): string {
  const characters = [...text].slice(-120)
  let bytes = characters.reduce((sum, each) => sum + Buffer.byteLength(each), 0)
  while (bytes > maxNameBytes) bytes -= Buffer.byteLength(characters.shift() ?? '')
  return characters.join('')
}

/** @throws `browser_use_invalid` for a file that is too large, as far as its size is known. */
export function checkSize({ size }: Pick<Download, 'size'>): void {
  if (size !== undefined && size > limits.maxDownloadBytes)
    throw browserUseError.create({ text: `The file has ${size} bytes; a download may have at most ${limits.maxDownloadBytes}.` })
}
