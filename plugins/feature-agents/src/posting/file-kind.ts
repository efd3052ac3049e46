import { pictureHeadBytes, pictureTypeOf } from '@agent-service/sdk'

/** A kind of file that models are not shown as text. */
export interface FileKind {
  readonly part: 'image' | 'file'
  readonly mediaType: string
}

/** The pictures that models know. */
export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** How many bytes of a file determine its kind. */
export const headBytes = pictureHeadBytes

/**
 * The kind of a file by its first bytes, whatever its name; undefined if it is neither a picture
 * that models know nor a PDF.
 */
export function kindOf(head: Uint8Array): FileKind | undefined {
  const picture = pictureTypeOf(head)
  if (picture) return { part: 'image', mediaType: picture }
  const isPdf = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1', 0, 5) === '%PDF-'
  return isPdf ? { part: 'file', mediaType: 'application/pdf' } : undefined
}
