import type { JsonObject } from '@agent-service/sdk'
import { type FilePart, type ImagePart, isTextFile, type TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import { textOfFile } from '@agent-service/sdk/provider-kit'

const imageTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/**
 * Blocks of text, images and files, for a person's message or the result of a tool. Blank text is
 * refused by the vendor and left out.
 */
export const contentBlocks = (parts: readonly (TextPart | ImagePart | FilePart)[]): readonly JsonObject[] => parts.flatMap(blocksOf)

function blocksOf(part: TextPart | ImagePart | FilePart): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part.text)
    case 'image':
      return [imageBlock(part)]
    case 'file':
      return [fileBlock(part)]
  }
}

/** A block of text; none for blank text. */
export const textBlocks = (text: string): readonly JsonObject[] => (text.trim() === '' ? [] : [{ type: 'text', text }])

/** Whether the vendor reads a part; another one becomes a note for the model. */
export function isReadable(part: TextPart | ImagePart | FilePart): boolean {
  if (part.type === 'text') return true
  const type = part.media_type.split(';')[0]?.trim().toLowerCase() ?? ''
  const isImage = imageTypes.has(type === 'image/jpg' ? 'image/jpeg' : type)
  if (part.type === 'image') return part.url !== undefined || isImage
  return type === 'application/pdf' || isImage || (part.url === undefined && isTextFile(part))
}

function imageBlock({ media_type, url, data }: ImagePart): JsonObject {
  if (url !== undefined) return { type: 'image', source: { type: 'url', url } }
  const type = media_type === 'image/jpg' ? 'image/jpeg' : media_type
  if (!imageTypes.has(type)) return note(`an image of the type ${media_type}, which this model cannot see`)
  return { type: 'image', source: { type: 'base64', media_type: type, data: data ?? '' } }
}

/** Documents are PDF or plain text; of other files only the name is sent. */
function fileBlock(part: FilePart): JsonObject {
  const { media_type, name, url, data } = part
  const type = media_type.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/pdf') {
    const source = url === undefined ? { type: 'base64', media_type: type, data: data ?? '' } : { type: 'url', url }
    return { type: 'document', source, title: name }
  }
  if (imageTypes.has(type)) return imageBlock({ type: 'image', media_type: type, ...(url === undefined ? { data: data ?? '' } : { url }) })
  if (url !== undefined) return note(`the file ${name} (${media_type}) at ${url}`)
  if (!isTextFile(part)) return note(`the file ${name} of the type ${media_type}, which this model cannot read`)
  const text = textOfFile(part)
  if (text === undefined) return note(`the file ${name}, whose content is not text in UTF-8`)
  if (text.trim() === '') return note(`the file ${name}, which is empty`)
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, title: name }
}

const note = (what: string): JsonObject => ({ type: 'text', text: `(${what})` })
