import type { JsonObject } from '@agent-service/sdk'
import type { FilePart, ImagePart, TextPart } from '@agent-service/sdk/contracts/provider-adapter'

const readable = /^(text|image|audio|video)\/|^application\/pdf$/
const textLike = /^application\/(json|xml|yaml|x-yaml|toml|javascript|typescript|sql|csv|x-sh|x-ndjson)$|\+(json|xml|yaml)$/

/** What a person wrote and showed, as parts. Empty texts are left out. */
export const contentParts = (parts: readonly (TextPart | ImagePart | FilePart)[]): readonly JsonObject[] => parts.flatMap(partsOf)

function partsOf(part: TextPart | ImagePart | FilePart): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ text: part.text }]
    case 'image':
      return [mediaPart(part.media_type, part)]
    case 'file':
      return [filePart(part)]
  }
}

/** Data inside the request, or an address that the vendor reads. */
export const mediaPart = (mimeType: string, { url, data }: Pick<ImagePart, 'url' | 'data'>): JsonObject =>
  url === undefined ? { inlineData: { mimeType, data: data ?? '' } } : { fileData: { mimeType, fileUri: url } }

/** Whether the vendor reads a file; of another one only the name is sent. */
export function isReadableFile({ media_type: mediaType }: FilePart): boolean {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
  return readable.test(type) || textLike.test(type)
}

/** Files of unsupported types become a note with their name. */
function filePart(part: FilePart): JsonObject {
  const type = part.media_type.split(';')[0]?.trim().toLowerCase() ?? ''
  if (readable.test(type)) return mediaPart(type, part)
  if (textLike.test(type)) return mediaPart('text/plain', part)
  return { text: `(the file ${part.name} of the type ${part.media_type}, which this model cannot read)` }
}
