import { parentPort, workerData } from 'node:worker_threads'
import { PhotonImage, resize, SamplingFilter } from '@silvia-odwyer/photon-node'
import type { PictureTask, ReducedPicture } from './picture-task.js'
import { uprightPixels } from './upright-pixels.js'

/** How often a picture with too many bytes becomes smaller again. */
const maxSteps = 12
const shrinkBy = 0.75
/**
 * The most pixels of what is made. Vendors make larger pictures smaller themselves, and making one
 * takes up to sixteen bytes for each pixel of its height by the width that it had.
 */
const maxMadePixels = 4_000_000

/**
 * The picture within its limits, or `undefined`. PNG while that fits, since texts in screenshots stay
 * sharp; photographs are JPEG. @throws what the decoder throws.
 */
function reduce(task: PictureTask): ReducedPicture | undefined {
  const { maxSide = Number.POSITIVE_INFINITY, maxBase64Length = Number.POSITIVE_INFINITY, types } = task
  const takes = (type: string): boolean => types === undefined || types.includes(type)
  const whole = PhotonImage.new_from_byteslice(Buffer.from(task.data, 'base64'))
  const [width, height] = [whole.get_width(), whole.get_height()]
  let side = Math.floor(Math.min(maxSide, Math.max(width, height) * Math.min(1, Math.sqrt(maxMadePixels / (width * height)))))
  // Turned once it is small.
  let picture = upright(withSide(whole, side), task.orientation)
  for (let step = 0; step < maxSteps && side >= 1; step += 1) {
    picture = withSide(picture, side)
    if (takes('image/png') && (task.mediaType !== 'image/jpeg' || !takes('image/jpeg'))) {
      const data = base64(picture.get_bytes())
      if (data.length <= maxBase64Length) return { data, mediaType: 'image/png' }
    }
    if (takes('image/jpeg')) {
      const data = base64(picture.get_bytes_jpeg(85))
      if (data.length <= maxBase64Length) return { data, mediaType: 'image/jpeg' }
    }
    side = Math.floor(side * shrinkBy)
  }
  return undefined
}

function withSide(picture: PhotonImage, side: number): PhotonImage {
  const [width, height] = [picture.get_width(), picture.get_height()]
  const factor = side / Math.max(width, height)
  if (factor >= 1) return picture
  const scaled = (length: number): number => Math.max(1, Math.round(length * factor))
  const smaller = resize(picture, scaled(width), scaled(height), SamplingFilter.Triangle)
  picture.free()
  return smaller
}

/** A picture whose first row is its upper one: what says how a camera was held gets lost. */
function upright(picture: PhotonImage, orientation: number): PhotonImage {
  if (orientation === 1) return picture
  const given = { bytes: picture.get_raw_pixels(), width: picture.get_width(), height: picture.get_height() }
  const { bytes, width, height } = uprightPixels(given, orientation)
  picture.free()
  return new PhotonImage(bytes, width, height)
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

parentPort?.postMessage(reduce(workerData as PictureTask) ?? null)
