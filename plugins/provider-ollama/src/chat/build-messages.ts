import type { JsonObject } from '@agent-service/sdk'
import type { ImagePart, ModelMessage, ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { filesAsText, type ToolNames } from '@agent-service/sdk/provider-kit'
import { echoOf } from './opaque-reasoning.js'
import { isMadeUp } from './tool-call-ids.js'

interface MessageContext {
  /** Who is called: reasoning of others is left out. */
  readonly vendor: string
  readonly names: ToolNames
}

/** The `messages` of a chat request. An assistant message without content is left out. */
export const buildMessages = (messages: readonly ModelMessage[], context: MessageContext): readonly JsonObject[] =>
  messages.flatMap((message) => buildMessage(message, context))

function buildMessage(message: ModelMessage, context: MessageContext): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content.map((part) => part.text).join('\n\n') }]
    case 'user':
      return [withImages({ role: 'user', content: textOf(message.content, '\n') }, imagesIn(message.content))]
    case 'assistant':
      return assistantMessage(message.content, context)
    case 'tool':
      return message.content.map((result) => toolMessage(result, context.names))
  }
}

function assistantMessage(
  parts: Extract<ModelMessage, { role: 'assistant' }>['content'],
  { vendor, names }: MessageContext,
): readonly JsonObject[] {
  const calls = parts.filter((part) => part.type === 'tool_call')
  const thinking = echoOf(
    parts.filter((part) => part.type === 'reasoning'),
    vendor,
  )
  const content = textOf(
    parts.filter((part) => part.type === 'text'),
    '',
  )
  if (content === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content,
      ...(thinking !== '' && { thinking }),
      ...(calls.length > 0 && { tool_calls: calls.map((call) => wireCall(call, names)) }),
    },
  ]
}

const wireCall = (call: ToolCallPart, names: ToolNames): JsonObject => {
  const id = call.provider_call_id ?? call.call_id
  return { ...(!isMadeUp(id) && { id }), function: { name: names.wire(call.name), arguments: call.arguments } }
}

/** Older servers match results by name, newer ones by id. */
function toolMessage(result: ToolResultPart, names: ToolNames): JsonObject {
  const id = result.provider_call_id ?? result.call_id
  return withImages(
    {
      role: 'tool',
      tool_name: names.wire(result.name),
      ...(!isMadeUp(id) && { tool_call_id: id }),
      content: textOf(result.content, '\n'),
    },
    imagesIn(result.content),
  )
}

type Part = ToolResultPart['content'][number]

const withImages = (message: JsonObject, images: readonly string[]): JsonObject => (images.length === 0 ? message : { ...message, images })

/** Base64 only: the runtime does not fetch URLs. */
const imagesIn = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) => (part.type === 'image' && part.data !== undefined ? [part.data] : []))

const textOf = (parts: readonly Part[], separator: string): string =>
  filesAsText(parts)
    .flatMap((part) => {
      if (part.type === 'image') return imageWords(part)
      return part.text === '' ? [] : [part.text]
    })
    .join(separator)

const imageWords = (part: ImagePart): readonly string[] =>
  part.data === undefined ? [`(image at ${part.url ?? 'nowhere'}, not shown)`] : []
