import exifr from 'exifr'
import { imageSize } from 'image-size'
import type { ReadFormat } from '../common/format.js'

/** What a camera notes. Where it was is personal, and left out. */
const tags = [
  'Make',
  'Model',
  'DateTimeOriginal',
  'CreateDate',
  'ImageDescription',
  'Artist',
  'Copyright',
  'Software',
  'Orientation',
  'LensModel',
]

/** What an image says of itself. Its content is for models that see. */
export const readImage: ReadFormat = async ({ bytes, mediaType, sink }) => {
  const { width, height, type } = imageSize(bytes)
  const noted = await notes(bytes)
  const details = {
    width,
    height,
    camera: [noted['Make'], noted['Model']].filter(Boolean).join(' '),
    lens: noted['LensModel'],
    taken: noted['DateTimeOriginal'] ?? noted['CreateDate'],
    description: noted['ImageDescription'],
    author: noted['Artist'],
    copyright: noted['Copyright'],
    software: noted['Software'],
    orientation: noted['Orientation'],
  }
  sink.add(`Image (${mediaType === 'image/svg+xml' ? mediaType : (type ?? mediaType)}), ${width} × ${height} pixels.\n`)
  for (const [name, value] of Object.entries(details)) if (!['width', 'height'].includes(name) && value) sink.add(`${name}: ${value}\n`)
  return { details }
}

async function notes(bytes: Uint8Array): Promise<Readonly<Record<string, string>>> {
  const found: unknown = await exifr
    .parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      pick: tags,
      gps: false,
      makerNote: false,
      userComment: false,
      xmp: false,
      iptc: false,
      icc: false,
      reviveValues: false,
    })
    // Many images have no notes, or none that can be read; their dimensions are known all the same.
    .catch(() => undefined)
  if (typeof found !== 'object' || found === null) return {}
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) =>
      tags.includes(name) && (typeof value === 'string' || typeof value === 'number') ? [[name, String(value).trim()]] : [],
    ),
  )
}
