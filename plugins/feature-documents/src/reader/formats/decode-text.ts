import { TextDecoder } from 'node:util'
/** A decoded text, and what it was. */
export interface DecodedText {
  readonly text: string
  readonly charset: string
}

/** How much of a text its encoding is guessed by. */
const sampleBytes = 64 * 1024

/**
 * Decodes a text: by its byte order mark, as UTF-16 by its zero bytes, as UTF-8 if it is that, by
 * the charset that a page states, else as Windows-1252, the common superset of Latin-1.
 */
export function decodeText(bytes: Uint8Array, { html = false }: { readonly html?: boolean } = {}): DecodedText {
  const marked = byMark(bytes) ?? byZeros(bytes.subarray(0, sampleBytes))
  if (marked !== undefined) return decode(bytes, marked)
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), charset: 'utf-8' }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return decode(bytes, (html ? statedCharset(bytes) : undefined) ?? 'windows-1252')
  }
}

const decode = (bytes: Uint8Array, charset: string): DecodedText => ({ text: new TextDecoder(charset).decode(bytes), charset })

function byMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** Text in Latin letters has a zero in every other byte of UTF-16. */
function byZeros(sample: Uint8Array): string | undefined {
  if (sample.length < 4 || !sample.includes(0)) return undefined
  let even = 0
  let odd = 0
  for (const [index, byte] of sample.entries()) if (byte === 0) index % 2 === 0 ? even++ : odd++
  const most = sample.length / 2
  if (odd > most * 0.6 && even < most * 0.05) return 'utf-16le'
  return even > most * 0.6 && odd < most * 0.05 ? 'utf-16be' : undefined
}

/** The charset that a page states near its beginning, if it is one that can be decoded. */
function statedCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4_096)).toString('latin1')
  const label = /<(?:meta|\?xml)[^>]{0,500}?(?:charset|encoding)\s*=\s*["']?([\w.:-]{1,40})/i.exec(head)?.[1]
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}
