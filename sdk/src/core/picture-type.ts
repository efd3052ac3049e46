/** The types of pictures that models and browsers know alike. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** How many bytes of a picture determine its type. */
export const pictureHeadBytes = 12

/**
 * The media type of a picture by its first bytes, at least {@link pictureHeadBytes} of them, whatever
 * its name or label says; `undefined` for everything else.
 */
export function pictureTypeOf(bytes: Uint8Array): PictureType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, pictureHeadBytes)).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  return /^RIFF.{4}WEBP/s.test(head) ? 'image/webp' : undefined
}
