import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { httpResponseInvalidError, httpResponseTooLargeError } from '@agent-service/sdk/services/http-client'

/** Where more than this has come out of a body, it may not be more than so many times what went in: what is, was made to swell. */
const swellingFrom = 1024 * 1024
const maxExpansion = 250
/** 8 MiB: what RFC 8878 asks decoders to have for a window. */
const zstdWindowLog = 23

/** Made only where this Node has it. */
const createZstd = (
  zlib as { readonly createZstdDecompress?: (options: { readonly params: Readonly<Record<number, number>> }) => Transform }
).createZstdDecompress
const zstdWindowLogMax = (zlib.constants as Readonly<Record<string, number | undefined>>)['ZSTD_d_windowLogMax'] ?? 100

/** What the client can decode, as `Accept-Encoding` says it. */
export const acceptedEncodings = ['gzip', 'deflate', 'br', ...(createZstd ? ['zstd'] : [])].join(', ')

/** What a body is read with. */
export interface DecodingOptions {
  readonly host: string
  /** The header `Content-Encoding`, where it came. */
  readonly encoding: string | undefined
  /** The largest body, as it comes and decoded. */
  readonly maxBytes: number
}

/**
 * Decodes a body as it comes, holding a few pieces of it at most. @throws `http_response_too_large` for one that is larger than its limit or swells beyond all
 * measure, `http_response_invalid` for an encoding that is not known, stacked or broken; what the source throws is passed on.
 */
export async function* decodeBody(source: AsyncIterable<Uint8Array>, options: DecodingOptions): AsyncGenerator<Uint8Array> {
  const { host, maxBytes } = options
  const came = { bytes: 0 }
  const counted = countBytes(source, came, options)
  let decoded = 0
  for await (const piece of decoding(counted, options)) {
    decoded += piece.byteLength
    if (decoded > maxBytes) throw tooLarge(host, `its body is larger than ${maxBytes} bytes when it is decompressed.`)
    if (decoded > swellingFrom && decoded > came.bytes * maxExpansion)
      throw tooLarge(host, `its body swells to more than ${maxExpansion} times its size.`)
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
  // There is no body, as after a HEAD: nothing to decode.
  if (first.done) return
  const decoder = decoderOf(name, first.value)
  if (!decoder) {
    await source.return(undefined)
    throw httpResponseInvalidError.create({
      host,
      reason: `it is encoded as “${name.slice(0, 40)}”, but ${acceptedEncodings} were asked for.`,
    })
  }
  yield* through(decoder, startingWith(first.value, source), host)
}

/** `deflate` comes with the header of zlib, as it should, or without. */
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
    throw httpResponseInvalidError.create({ host, reason: 'what it calls compressed cannot be decompressed.' }, { cause: error })
  } finally {
    fed.destroy()
    decoder.destroy()
  }
}

/** Tells a failure of the source from one of the decoder. */
async function* noting(source: AsyncGenerator<Uint8Array>, failed: { error?: unknown }): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (error) {
    failed.error = error
    throw error
  }
}

const tooLarge = (host: string, reason: string): Error => httpResponseTooLargeError.create({ host, reason })
