import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, readFile, stat } from 'node:fs/promises'
import { sendBytes } from '@agent-service/kernel-core/http/answer'
import { ClientDisconnectedError, type Exchange } from '@agent-service/kernel-core/http/request'
import { defineError } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import { contentType } from 'mime-types'
import { createCompressedBytes, type Encoding, encodingFor, encodings } from '../compression/index.js'
import { escapeHtml } from './landing-page.js'

/** No byte of the file lies in the requested range. `Content-Range` states the file's size. */
export const rangeNotSatisfiableError = defineError<{ readonly size: number }>({
  code: 'range_not_satisfiable',
  status: 416,
  title: 'Range not satisfiable',
  message: ({ size }) => `The range is outside the file, which has ${size} bytes.`,
})

/** Files with a hash in their name never change; clients revalidate all others. */
const hashedName = /[.-][A-Za-z0-9_-]{8,}\.(js|css|woff2?|png|svg|jpg|webp)$/
/** Texts. All else that pages have, such as fonts and pictures, is compressed already. */
const compressible = /\.(css|csv|html?|js|json|map|md|mjs|svg|txt|wasm|webmanifest|xml)$/i

const suffixes: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }
/** Below it a compressed text saves no packet. */
const minCompressedBytes = 1024
/** Larger files are compressed by those who put them there, or not at all: it would take too long for a request. */
const maxCompressedBytes = 1024 * 1024
const maxKeptBytes = 16 * 1024 * 1024

/** Sends files that are known to be inside of a served folder. */
export interface FileSender {
  /** Sends an existing file, whole or in a range. A client that reads nothing for `maxStalledMs` is disconnected. */
  send(exchange: Exchange, file: string): Promise<void>
  /** Sends a page with the addresses of its files below the base path. Clients revalidate it by its content. */
  sendPageBelow(exchange: Exchange, file: string, basePath: string): Promise<void>
}

/**
 * Texts are sent in the encoding that the client prefers: from the compressed file beside the text
 * (`app.js.br`, `app.js.gz`), or else compressed here and kept. A range is always one of the file itself.
 */
export function createFileSender({ maxStalledMs }: { readonly maxStalledMs: number }): FileSender {
  const compressed = createCompressedBytes({ maxBytes: maxKeptBytes })

  /** Sends text that is read when it is needed; `tag` is its entity tag, without the quotation marks. */
  const sendText = async (
    exchange: Exchange,
    text: {
      readonly key: string
      readonly tag: string
      readonly weak?: boolean
      readonly type: string
      readonly read: () => Promise<Buffer>
    },
    encoding: Encoding | undefined,
  ): Promise<void> => {
    const etag = `${text.weak ? 'W/' : ''}"${text.tag}${encoding === undefined ? '' : `-${encoding}`}"`
    const headers = { 'cache-control': cacheControlOf(text.key), etag, ...(encoding !== undefined && { 'content-encoding': encoding }) }
    if (isKnown(exchange, etag)) return sendBytes(exchange, { status: 304, headers })
    const body = encoding === undefined ? await text.read() : await compressed.of(`${text.key} ${text.tag}`, encoding, text.read)
    sendBytes(exchange, { status: 200, headers, contentType: text.type, body })
  }

  return {
    async send(exchange, file) {
      if (!compressible.test(file)) return sendFile(exchange, file, { maxStalledMs })
      const { request, response } = exchange
      response.appendHeader('vary', 'Accept-Encoding')
      if (request.headers.range !== undefined) return sendFile(exchange, file, { maxStalledMs })
      const stats = await stat(file).catch(notFound)
      const beside = await compressedBeside(file, stats)
      const isMade = beside.length === 0 && stats.size >= minCompressedBytes && stats.size <= maxCompressedBytes
      const encoding = encodingFor(request.headers, isMade ? encodings : beside)
      if (encoding === undefined) return sendFile(exchange, file, { maxStalledMs })
      const type = contentType(file.slice(file.lastIndexOf('.'))) || 'application/octet-stream'
      const tag = `${stats.size.toString(16)}-${stats.mtimeMs.toString(16)}`
      if (isMade) return sendText(exchange, { key: file, tag, weak: true, type, read: () => readFile(file).catch(notFound) }, encoding)
      response.setHeader('content-type', type)
      response.setHeader('etag', `W/"${tag}-${encoding}"`)
      response.setHeader('content-encoding', encoding)
      return sendFile(exchange, file, { maxStalledMs, encoding })
    },
    async sendPageBelow(exchange, file, basePath) {
      const body = Buffer.from(pageBelow(await readFile(file, 'utf8').catch(notFound), basePath))
      const tag = createHash('sha256').update(body).digest('base64url')
      exchange.response.appendHeader('vary', 'Accept-Encoding')
      const encoding = encodingFor(exchange.request.headers, body.byteLength < minCompressedBytes ? [] : encodings)
      await sendText(exchange, { key: file, tag, type: 'text/html; charset=utf-8', read: async () => body }, encoding)
    },
  }
}

/**
 * The encodings of a file that lie beside it. Those that are older than the file are of an earlier one, and links
 * may lead anywhere: neither counts. Times are compared in milliseconds, since copies often keep no smaller part.
 */
async function compressedBeside(file: string, { mtimeMs }: Stats): Promise<readonly Encoding[]> {
  const found = await Promise.all(
    encodings.map(async (encoding) => {
      const stats = await lstat(`${file}${suffixes[encoding]}`).catch(() => undefined)
      return stats?.isFile() && Math.ceil(stats.mtimeMs) >= Math.floor(mtimeMs) ? [encoding] : []
    }),
  )
  return found.flat()
}

const maxAgeSeconds = 31_536_000
const cacheControlOf = (file: string): string => (hashedName.test(file) ? `public, max-age=${maxAgeSeconds}, immutable` : 'no-cache')

/** Whether the client has the content with this tag. */
const isKnown = ({ request }: Exchange, etag: string): boolean =>
  (request.headers['if-none-match'] ?? '').split(',').some((each) => withoutWeakness(each.trim()) === withoutWeakness(etag))

const withoutWeakness = (etag: string): string => etag.replace(/^W\//, '')

/**
 * Sends a file, or its compressed form with the headers that are set for it. The library is loaded with the
 * first file, since many installations never need it.
 */
async function sendFile(
  exchange: Exchange,
  file: string,
  { maxStalledMs, encoding }: { readonly maxStalledMs: number; readonly encoding?: Encoding },
): Promise<void> {
  const { request, response, controller } = exchange
  const { default: send } = await import('send')
  // Every request is validated against the file itself, so `Cache-Control: no-cache` gets a 304
  // too. Conditions for changes do not apply to a GET.
  for (const name of ['cache-control', 'if-match', 'if-unmodified-since']) delete request.headers[name]
  if (response.destroyed) throw new ClientDisconnectedError('The client disconnected.')
  response.statusCode = 200
  response.setHeader('cache-control', cacheControlOf(file))
  response.setTimeout(maxStalledMs, () => response.destroy())
  await new Promise<void>((resolve, reject) => {
    response.once('finish', resolve)
    response.once('close', () => reject(new ClientDisconnectedError('The client disconnected.')))
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
    const sent = encoding === undefined ? file : `${file}${suffixes[encoding]}`
    // The path is resolved and inside the folder, so `send` has nothing to check.
    send(request, encodeURI(sent), { dotfiles: 'allow', index: false, cacheControl: false, acceptRanges: encoding === undefined })
      .on('error', (error: SendError) => reject(toServiceError(error)))
      .pipe(response)
  })
}

/** Addresses of the page's own files, as builds write them. */
const ownAddress = /\b(href|src)="\/(?!\/)/g

const pageBelow = (page: string, basePath: string): string =>
  page.replace(ownAddress, (_, name: string) => `${name}="${escapeHtml(basePath)}/`)

interface SendError extends Error {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

function toServiceError(cause: SendError): Error {
  if (cause.status === 404) return notFoundError.create({ what: 'path' }, { cause })
  if (cause.status !== 416) return cause
  return rangeNotSatisfiableError.create({ size: Number(cause.headers?.['Content-Range']?.split('/')[1] ?? 0) }, { cause })
}

/** The file went away between two steps. @throws */
function notFound(cause: NodeJS.ErrnoException): never {
  throw cause.code === 'ENOENT' ? notFoundError.create({ what: 'path' }, { cause }) : cause
}
