import type { FilePart, ImagePart } from '@agent-service/sdk/contracts/provider-adapter'
import { unsupportedParameterError } from '../openai-error.js'

const dataUriHead = /^data:([a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*)(?:;[^,;]*)*;\s*base64\s*$/i
/** A head with its parameters is far shorter. */
const maxHead = 1_000
/** A multiple of 4, so that each piece is decoded by itself. */
const pieceLength = 256 * 1024

/**
 * An image as a data URI or an https address that the vendor fetches. @throws for anything else.
 */
export function readImage(url: unknown, at: string): ImagePart {
  if (typeof url === 'string' && url.startsWith('https://')) return { type: 'image', media_type: 'image/*', url }
  return { type: 'image', ...readDataUri(url, at) }
}

/**
 * How finely an image is to be seen; nothing for `auto`, the default. @throws for what is not one of
 * `known`.
 */
export function readDetail(detail: unknown, known: readonly NonNullable<ImagePart['detail']>[], at: string): Pick<ImagePart, 'detail'> {
  if (detail === undefined || detail === null || detail === 'auto') return {}
  const found = known.find((each) => each === detail)
  if (found === undefined)
    throw unsupportedParameterError.create({
      param: `${at}.detail`,
      reason: `must be auto, ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`,
    })
  return { detail: found }
}

/** A file as a data URI. @throws for anything else. */
export function readFile(data: unknown, name: unknown, at: string): FilePart {
  return { type: 'file', name: typeof name === 'string' && name !== '' ? name : 'file', ...readDataUri(data, at) }
}

function readDataUri(value: unknown, at: string): { readonly media_type: string; readonly data: string } {
  const text = typeof value === 'string' ? value : ''
  const comma = text.slice(0, maxHead).indexOf(',')
  const [, mediaType] = dataUriHead.exec(text.slice(0, Math.max(0, comma))) ?? []
  const data = plainAlphabet(text.slice(comma + 1))
  if (mediaType === undefined || !isBase64(data))
    throw unsupportedParameterError.create({ param: at, reason: 'must be a data URI in base64; images may also be an https address.' })
  return { media_type: mediaType.toLowerCase(), data }
}

/** Without the line breaks and the alphabet of URLs that some encoders write. */
const plainAlphabet = (text: string): string =>
  ['\n', '\r', ' ', '\t', '-', '_'].some((character) => text.includes(character))
    ? text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/')
    : text

/**
 * Whether a text is base64: digits, then at most two `=`. A regular expression takes ten times as
 * long, which is noticed at tens of megabytes. The decoder leaves out what is no digit.
 */
function isBase64(text: string): boolean {
  const [{ length: padding }] = /={0,2}$/.exec(text.slice(-2)) ?? ['']
  const end = text.length - padding
  // One digit alone stands for no byte, so the decoder would not say whether all are digits.
  if (end % 4 === 1) return false
  const scratch = Buffer.allocUnsafe(Math.ceil(Math.min(end, pieceLength) / 4) * 3)
  for (let from = 0; from < end; from += pieceLength) {
    const piece = text.slice(from, Math.min(end, from + pieceLength))
    // The decoder also knows the alphabet of URLs.
    if (piece.includes('-') || piece.includes('_')) return false
    if (scratch.write(piece, 'base64') !== Math.floor((piece.length * 3) / 4)) return false
  }
  return true
}
