import { setImmediate } from 'node:timers/promises'
import type { ImagePart, ModelMessage, PictureLimits, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import { imageSize } from 'image-size'
import { type MediaPart, mediaIn, replaceMedia } from '../common/media-places.js'
import { mediaTypeOf, plainBase64 } from './media-type.js'
import type { PictureReducer } from './picture-reducer.js'

/** How the pictures of a request are made to fit. */
export interface FitOptions {
  readonly limits: PictureLimits
  readonly reducer: PictureReducer
  /** Pictures that cannot be made to fit stay, and the vendor or adapter says what is wrong with them. */
  readonly keepAll: boolean
  readonly userId: string | undefined
  readonly signal: AbortSignal
}

/** More pixels are not decoded: four bytes each, several times over. */
const maxPixels = 50_000_000

/**
 * Messages whose media have the type of their bytes and plain base64, and whose pictures are within
 * an adapter's limits: made smaller, converted, or replaced by a text that says why they are left
 * out. The same messages if nothing has to change. @throws the signal's reason.
 */
export async function fitPictures(messages: readonly ModelMessage[], options: FitOptions): Promise<readonly ModelMessage[]> {
  const { limits, keepAll, signal } = options
  const places = mediaIn(messages)
  if (places.length === 0) return messages
  const replacements = new Map<MediaPart, MediaPart | TextPart>()
  for (const { part } of places) {
    replacements.set(part, normal(part))
    await letOthersPass(part)
  }
  const pictures = places.map(({ part }) => part).filter(({ type }) => type === 'image')
  const tooMany = keepAll ? 0 : Math.max(0, pictures.length - (limits.maxPictures ?? pictures.length))
  for (const part of pictures.slice(0, tooMany))
    replacements.set(part, note(`this model takes at most ${limits.maxPictures} pictures in a request`))
  const many = limits.maxSideOfMany
  const maxSide = many !== undefined && pictures.length - tooMany > many.above ? many.maxSide : limits.maxSide
  for (const part of pictures.slice(tooMany)) {
    signal.throwIfAborted()
    const picture = replacements.get(part)
    if (picture?.type !== 'image') continue
    await letOthersPass(picture)
    replacements.set(part, await fitted(picture, { ...options, limits: { ...limits, ...(maxSide !== undefined && { maxSide }) } }))
  }
  return replaceMedia(messages, (part) => replacements.get(part) ?? part)
}

/** Reading base64 takes milliseconds for each megabyte. */
const letOthersPass = async ({ data = '' }: MediaPart): Promise<void> => {
  if (data.length > 1024 * 1024) await setImmediate()
}

/** With the type of its bytes, in plain base64. */
function normal(part: MediaPart): MediaPart {
  if (part.data === undefined) return part
  const data = plainBase64(part.data)
  const mediaType = mediaTypeOf(data, part.media_type)
  return data === part.data && mediaType === part.media_type ? part : { ...part, data, media_type: mediaType }
}

async function fitted(picture: ImagePart, { limits, reducer, keepAll, userId, signal }: FitOptions): Promise<ImagePart | TextPart> {
  const { data, media_type: mediaType } = picture
  if (data === undefined) return picture
  const { types, maxSide, maxBase64Length } = limits
  const size =
    maxSide === undefined && (types === undefined || types.includes(mediaType)) && data.length <= (maxBase64Length ?? data.length)
      ? undefined
      : sizeOf(data)
  const problem = problemOf(picture, size, limits)
  if (problem === undefined) return picture
  const isReadable = size !== undefined && size.width * size.height <= maxPixels
  const { opaque: _, ...plain } = picture
  const reduced = isReadable
    ? await reducer.reduce(
        { data, mediaType, width: size.width, height: size.height, orientation: size.orientation, maxSide, maxBase64Length, types },
        { userId, signal },
      )
    : undefined
  if (reduced) return { ...plain, data: reduced.data, media_type: reduced.mediaType }
  return keepAll ? picture : note(problem)
}

interface PictureSize {
  readonly width: number
  readonly height: number
  /** How a camera was held, as EXIF counts it; 1: upright. */
  readonly orientation: number
}

/** What of a picture exceeds the limits, in words; `undefined` if nothing does. */
function problemOf({ data = '', media_type: type }: ImagePart, size: PictureSize | undefined, limits: PictureLimits): string | undefined {
  const { types, maxSide, maxBase64Length } = limits
  if (maxSide !== undefined && size && Math.max(size.width, size.height) > maxSide)
    return `${size.width} × ${size.height} pixels, this model takes at most ${maxSide} on a side`
  if (maxBase64Length !== undefined && data.length > maxBase64Length)
    return `${Math.floor(data.length * 0.75)} bytes, this model takes at most ${Math.floor(maxBase64Length * 0.75)}`
  if (types !== undefined && !types.includes(type)) return `its type is ${type}, this model takes ${types.join(', ')}`
  return undefined
}

/** How much base64 is read for the size. A JPEG may state it behind a preview and a colour profile. */
const headLengths = [4_096, 512 * 1024] as const

function sizeOf(data: string): PictureSize | undefined {
  for (const length of headLengths)
    try {
      const { width, height, orientation = 1 } = imageSize(Buffer.from(data.slice(0, length), 'base64'))
      if (width > 0 && height > 0) return { width, height, orientation }
    } catch {
      // More is read, or it is no picture that is known here: its vendor may know it.
    }
  return undefined
}

const note = (reason: string): TextPart => ({ type: 'text', text: `[picture left out: ${reason}]` })
