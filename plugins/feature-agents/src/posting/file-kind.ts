/** A kind of file that models are not shown as text. */
export interface FileKind {
  readonly part: 'image' | 'file'
  readonly mediaType: string
}

/** The pictures that models know. */
export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** How many bytes of a file determine its kind. */
export const headBytes = 12

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const jpeg = Buffer.from([0xff, 0xd8, 0xff])

/**
 * The kind of a file by its first bytes, whatever its name; undefined if it is neither a picture
 * that models know nor a PDF.
 */
export function kindOf(head: Uint8Array): FileKind | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, headBytes))
  const text = bytes.toString('latin1')
  if (bytes.subarray(0, png.length).equals(png)) return { part: 'image', mediaType: 'image/png' }
  if (bytes.subarray(0, jpeg.length).equals(jpeg)) return { part: 'image', mediaType: 'image/jpeg' }
  if (/^GIF8[79]a/.test(text)) return { part: 'image', mediaType: 'image/gif' }
  if (/^RIFF.{4}WEBP/s.test(text)) return { part: 'image', mediaType: 'image/webp' }
  if (text.startsWith('%PDF-')) return { part: 'file', mediaType: 'application/pdf' }
  return undefined
}
