import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { httpResponseInvalidError, httpResponseTooLargeError } from '@agent-service/sdk/services/http-client'

/**
 * A decoded body larger than this must not exceed `maxExpansion` times its compressed size:
 * otherwise it is a compression bomb.
 */
const minExpandedBytes = 1024 * 1024
const maxExpansion = 250
/** 8 MiB, the window that RFC 8878 recommends for decoders. */
const zstdWindowLog = 23

/** Absent if this version of Node has no zstd. */
const createZstd = (
  zlib as { readonly createZstdDecompress?: (options: { readonly params: Readonly<Record<number, number>> }) => Transform }
).createZstdDecompress
const zstdWindowLogMax = (zlib.constants as Readonly<Record<string, number | undefined>>)['ZSTD_d_windowLogMax'] ?? 100

/** The encodings that the client supports, for `Accept-Encoding`. */
export const acceptedEncodings = ['gzip', 'deflate', 'br', ...(createZstd ? ['zstd'] : [])].join(', ')

/** Options of {@link decodeBody}. */
export interface DecodingOptions {
  readonly host: string
  /** The header `Content-Encoding`, if any. */
  readonly encoding: string | undefined
  /** The maximum size of the body, both encoded and decoded. */
  readonly maxBytes: number
}

/**
 * Decodes a body while it is received, with only a few chunks in memory.
 * @throws `http_response_too_large` if it exceeds its limit or expands too much;
 * `http_response_invalid` if its encoding is unknown, stacked or broken; errors of the source
 */
export async function* decodeBody(source: AsyncIterable<Uint8Array>, options: DecodingOptions): AsyncGenerator<Uint8Array> {
  const { host, maxBytes } = options
  const came = { bytes: 0 }
  const counted = countBytes(source, came, options)
  let decoded = 0
  for await (const piece of decoding(counted, options)) {
    decoded += piece.byteLength
    if (decoded > maxBytes) throw tooLarge(host, `its decompressed body is larger than ${maxBytes} bytes.`)
    if (decoded > minExpandedBytes && decoded > came.bytes * maxExpansion)
      throw tooLarge(host, `its body expands to more than ${maxExpansion} times its compressed size.`)
    yield piece
  }
}

async function* countBytes(
  source: AsyncIterable<Uint8Array>,
  came: { bytes: number },
  { host, maxBytes }: DecodingOptions,
): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    came.bytes += piece.byteLength
    if (came.bytes > maxBytes) throw tooLarge(host, `its body is larger than ${maxBytes} bytes.`)
    if (piece.byteLength > 0) yield piece
  }
}

async function* decoding(source: AsyncGenerator<Uint8Array>, { host, encoding = '' }: DecodingOptions): AsyncGenerator<Uint8Array> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') {
    yield* source
    return
  }
  const first = await source.next()
  // Without a body, for example after HEAD, there is nothing to decode.
  if (first.done) return
  const decoder = decoderOf(name, first.value)
  if (!decoder) {
    await source.return(undefined)
    throw httpResponseInvalidError.create({
      host,
      reason: `its encoding “${name.slice(0, 40)}” is not supported; expected ${acceptedEncodings}.`,
    })
  }
  yield* through(decoder, startingWith(first.value, source), host)
}

/** `deflate` should have the header of zlib, but some servers omit it. */
function decoderOf(name: string, first: Uint8Array): Transform | undefined {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip()
    case 'deflate':
      return ((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()
    case 'br':
      return zlib.createBrotliDecompress()
    case 'zstd':
      return createZstd?.({ params: { [zstdWindowLogMax]: zstdWindowLog } })
    default:
      return undefined
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

async function* through(decoder: Transform, source: AsyncGenerator<Uint8Array>, host: string): AsyncGenerator<Uint8Array> {
  const failed: { error?: unknown } = {}
  const fed = Readable.from(noting(source, failed), { objectMode: true, highWaterMark: 1 })
  const feeding = pipeline(fed, decoder)
  // The iteration below throws the same error.
  feeding.catch(() => undefined)
  try {
    for await (const piece of decoder) yield piece as Uint8Array
  } catch (error) {
    if ('error' in failed) throw failed.error
    throw httpResponseInvalidError.create({ host, reason: 'its body cannot be decompressed.' }, { cause: error })
  } finally {
    fed.destroy()
    decoder.destroy()
  }
}

/** Notes a failure of the source, to distinguish it from one of the decoder. */
async function* noting(source: AsyncGenerator<Uint8Array>, failed: { error?: unknown }): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (error) {
    failed.error = error
    throw error
  }
}

const tooLarge = (host: string, reason: string): Error => httpResponseTooLargeError.create({ host, reason })
