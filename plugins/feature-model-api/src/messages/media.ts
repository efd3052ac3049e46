import type { FilePart, ImagePart } from '@agent-service/sdk/contracts/provider-adapter'
import { unsupportedParameterError } from '../openai-error.js'

const dataUri = /^data:([a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*)(?:;[^,;]*)*;base64,([A-Za-z0-9+/]*={0,2})$/i

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
  const [, mediaType, data] = (typeof value === 'string' ? dataUri.exec(value) : null) ?? []
  if (mediaType === undefined || data === undefined)
    throw unsupportedParameterError.create({ param: at, reason: 'must be a data URI in base64; images may also be an https address.' })
  return { media_type: mediaType.toLowerCase(), data }
}
