import { pictureTypeOf } from '../../../core/picture-type.js'

/** The largest picture of an answer that is taken, in bytes. */
export const maxPictureBytes = 20 * 1024 * 1024

/** A picture whose bytes were looked at. */
export interface Picture {
  /** `image/png`, `image/jpeg`, … */
  readonly mediaType: string
  /** Base64 with the common alphabet, padded. */
  readonly data: string
}

/** How the pictures begin that browsers show; the type of one is what its bytes say. */
function typeOf(bytes: Buffer): string | undefined {
  const usual = pictureTypeOf(bytes)
  if (usual) return usual
  if (/^ftypavi[fs]/.test(bytes.toString('latin1', 4, 12))) return 'image/avif'
  return bytes.toString('latin1', 0, 2) === 'BM' ? 'image/bmp' : undefined
}

const known: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp'])

/** The sentence that stands in the place of a picture that cannot be shown. */
export const pictureSentence = (reason: string): string => `(The model made a picture that cannot be shown: ${reason}.)`

/**
 * A picture that a model made, with the type of its bytes; or the sentence that stands in its place
 * if it is none, or too large. Bytes of an unknown kind keep a type that is not one of the common
 * ones.
 */
export function readPicture({ mediaType, data: given }: Picture): Picture | { readonly sentence: string } {
  const refuse = (reason: string) => ({ sentence: pictureSentence(reason) })
  if (given.length > Math.ceil(maxPictureBytes / 3) * 4 * 1.1) return refuse(`it is larger than ${maxPictureBytes / 1024 / 1024} MiB`)
  const text = given.replaceAll(/\s+/g, '')
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length > maxPictureBytes) return refuse(`it is larger than ${maxPictureBytes / 1024 / 1024} MiB`)
  // The decoder leaves out what is no digit.
  const digits = text.length - (/={0,2}$/.exec(text)?.[0].length ?? 0)
  if (bytes.length === 0 || bytes.length !== Math.floor((digits * 3) / 4)) return refuse('its data is broken')
  const type = typeOf(bytes)
  const stated = mediaType.toLowerCase()
  if (type === undefined && (known.has(stated) || !/^image\/[a-z0-9.+-]{1,40}$/.test(stated)))
    return refuse('its data is not that of a picture')
  return { mediaType: type ?? stated, data: bytes.toString('base64') }
}
