import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { FilePart, ImagePart, TextPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'

/** A part of a person's message or of a tool's result. */
export function inputPart(part: TextPart | ImagePart | FilePart): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image':
      return { type: 'input_image', image_url: part.url ?? dataUrl(part), detail: part.detail ?? 'auto' }
    case 'file':
      return part.url === undefined
        ? { type: 'input_file', filename: part.name, file_data: dataUrl(part) }
        : { type: 'input_file', file_url: part.url }
  }
}

/** What a call came to: one text, or parts if there are images or files. */
export function toolOutput({ content }: ToolResultPart): JsonValue {
  const isText = content.every((part) => part.type === 'text')
  if (isText) return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  return content.filter((part) => part.type !== 'text' || part.text !== '').map(inputPart)
}

const dataUrl = ({ media_type: type, data }: ImagePart | FilePart): string => `data:${type};base64,${data ?? ''}`
