import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ImagePart, ModelMessage, ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import { filesAsText, type ToolNames } from '@agent-service/sdk/provider-kit'
import { echoOf } from './opaque-reasoning.js'

interface MessageContext {
  /** Who is called: reasoning of others is left out. */
  readonly vendor: string
  readonly names: ToolNames
}

/**
 * The `messages` of a chat request. A message without content is left out, since Cohere refuses it.
 */
export const buildMessages = (messages: readonly ModelMessage[], context: MessageContext): readonly JsonObject[] =>
  messages.flatMap((message) => buildMessage(message, context))

function buildMessage(message: ModelMessage, context: MessageContext): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return withContent('system', joined(message.content, '\n\n'))
    case 'user':
      return withContent('user', userContent(message.content))
    case 'assistant':
      return assistantMessage(message.content, context)
    case 'tool':
      return toolMessages(message.content)
  }
}

const withContent = (role: string, content: string | readonly JsonValue[]): readonly JsonObject[] =>
  content.length === 0 ? [] : [{ role, content }]

type UserParts = Extract<ModelMessage, { role: 'user' }>['content']

/**
 * A person's content has only text and images. `documents` apply to the whole conversation and ask
 * for citations.
 */
function userContent(content: UserParts): string | readonly JsonValue[] {
  const parts = filesAsText(content)
  if (parts.every((part) => part.type === 'text')) return joined(parts, '\n')
  return parts.flatMap((part): readonly JsonObject[] => {
    if (part.type === 'image') return [imagePart(part)]
    return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  })
}

const imagePart = (part: ImagePart): JsonObject => ({
  type: 'image_url',
  image_url: {
    url: part.url ?? `data:${part.media_type};base64,${part.data ?? ''}`,
    ...(part.detail !== undefined && { detail: part.detail }),
  },
})

function assistantMessage(
  parts: Extract<ModelMessage, { role: 'assistant' }>['content'],
  { vendor, names }: MessageContext,
): readonly JsonObject[] {
  const calls = parts.filter((part) => part.type === 'tool_call')
  const { thinking, toolPlan } = echoOf(
    parts.filter((part) => part.type === 'reasoning'),
    vendor,
  )
  const text = joined(parts, '')
  const content: JsonValue = thinking.length > 0 ? [...thinking, ...(text === '' ? [] : [{ type: 'text', text }])] : text
  // Thinking alone is no turn.
  if (text === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      ...(content.length > 0 && { content }),
      ...(toolPlan !== undefined && { tool_plan: toolPlan }),
      ...(calls.length > 0 && { tool_calls: calls.map((call) => wireCall(call, names)) }),
    },
  ]
}

const wireCall = (call: ToolCallPart, names: ToolNames): JsonObject => ({
  id: call.provider_call_id ?? call.call_id,
  type: 'function',
  // Text that is not JSON would be refused; the result of such a call describes the problem.
  function: { name: names.wire(call.name), arguments: JSON.stringify(call.arguments) },
})

/** One message for each result; images, which Cohere refuses there, follow in a user message. */
function toolMessages(results: readonly ToolResultPart[]): readonly JsonObject[] {
  const images = results.flatMap((result) => result.content.filter((part) => part.type === 'image'))
  const answers = results.map((result) => ({
    role: 'tool',
    tool_call_id: result.provider_call_id ?? result.call_id,
    content: resultText(result),
  }))
  return images.length === 0 ? answers : [...answers, { role: 'user', content: images.map(imagePart) }]
}

/** An empty result would be refused. */
const resultText = (result: ToolResultPart): string =>
  filesAsText(result.content)
    .map((part) => (part.type === 'text' ? part.text : '(see image)'))
    .join('\n') || '(nothing)'

const joined = (parts: readonly { readonly type: string; readonly text?: string }[], separator: string): string =>
  parts.flatMap((part) => (part.type === 'text' && part.text !== undefined && part.text !== '' ? [part.text] : [])).join(separator)
