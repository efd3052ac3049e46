import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ImagePart, ModelMessage, ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { completionsContentEchoOf, completionsEchoOf, type ToolNames } from '@agent-service/sdk/provider-kit'

interface MessageContext {
  /** Who is called: reasoning of others is left out. */
  readonly vendor: string
  readonly names: ToolNames
}

/** The `messages` of a chat request. An assistant message of which nothing remains is left out. */
export const buildMessages = (messages: readonly ModelMessage[], context: MessageContext): readonly JsonObject[] =>
  messages.flatMap((message) => buildMessage(message, context))

function buildMessage(message: ModelMessage, context: MessageContext): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content.map((part) => part.text).join('\n\n') }]
    case 'user':
      return [{ role: 'user', content: userContent(message.content) }]
    case 'assistant':
      return assistantMessage(message.content, context)
    case 'tool':
      return toolMessages(message.content)
  }
}

function userContent(parts: Extract<ModelMessage, { role: 'user' }>['content']): JsonValue {
  if (parts.every((part) => part.type === 'text')) return parts.map((part) => part.text).join('\n')
  return parts.flatMap((part): readonly JsonObject[] => {
    if (part.type === 'image') return [imagePart(part)]
    if (part.type === 'file') return [{ type: 'text', text: `(file ${part.name} left out)` }]
    return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  })
}

const imagePart = (part: ImagePart): JsonObject => ({
  type: 'image_url',
  image_url: { url: part.url ?? `data:${part.media_type};base64,${part.data ?? ''}` },
})

function assistantMessage(
  parts: Extract<ModelMessage, { role: 'assistant' }>['content'],
  { vendor, names }: MessageContext,
): readonly JsonObject[] {
  const calls = parts.filter((part) => part.type === 'tool_call')
  const reasoning = parts.filter((part) => part.type === 'reasoning')
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const thinking = reasoning.flatMap((part) => completionsContentEchoOf(part.opaque, vendor))
  if (text === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: thinking.length > 0 ? [...thinking, ...(text === '' ? [] : [{ type: 'text', text }])] : text,
      ...(calls.length > 0 && { tool_calls: calls.map((call) => wireCall(call, names)) }),
      ...(Object.assign({}, ...reasoning.map((part) => completionsEchoOf(part.opaque, part.text, vendor))) as JsonObject),
    },
  ]
}

const wireCall = (call: ToolCallPart, names: ToolNames): JsonObject => ({
  id: call.provider_call_id ?? call.call_id,
  type: 'function',
  // A text that is no JSON would be refused by providers that parse the history; the result of such a call says what was wrong.
  function: { name: names.wire(call.name), arguments: JSON.stringify(call.arguments) },
})

/** One message for each result; images, which few providers take there, follow in a message of the user. */
function toolMessages(results: readonly ToolResultPart[]): readonly JsonObject[] {
  const images = results.flatMap((result) => result.content.filter((part) => part.type === 'image'))
  const answers = results.map((result) => ({
    role: 'tool',
    tool_call_id: result.provider_call_id ?? result.call_id,
    content: resultText(result),
  }))
  return images.length === 0 ? answers : [...answers, { role: 'user', content: images.map(imagePart) }]
}

const resultText = (result: ToolResultPart): string =>
  result.content
    .map((part) => (part.type === 'text' ? part.text : part.type === 'image' ? '(see image)' : `(file ${part.name})`))
    .join('\n')
