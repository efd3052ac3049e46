import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type {
  FilePart,
  ImagePart,
  ModelMessage,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '@agent-service/sdk/contracts/provider-adapter'
import { completionsContentEchoOf, completionsEchoOf, type ToolNames } from '@agent-service/sdk/provider-kit'
import type { CompletionsQuirks } from './quirks.js'
import { shapeTurns } from './shape-turns.js'
import { wireToolCallId } from './tool-call-ids.js'

interface MessageContext {
  readonly quirks: CompletionsQuirks
  /** Who is called: opaque parts of others are left out. */
  readonly vendor: string
  readonly names: ToolNames
}

/** The `messages` of a completions request. */
export function buildMessages(messages: readonly ModelMessage[], context: MessageContext): readonly JsonObject[] {
  return shapeTurns(
    messages.flatMap((message) => buildMessage(message, context)),
    context.quirks,
  )
}

function buildMessage(message: ModelMessage, context: MessageContext): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content.map((part) => part.text).join('\n\n') }]
    case 'user':
      return [{ role: 'user', content: userContent(message.content, context.quirks) }]
    case 'assistant':
      return context.quirks.tools ? [assistantMessage(message.content, context)] : flatAssistant(message.content)
    case 'tool':
      return context.quirks.tools ? toolMessages(message.content, context.quirks) : [flatResults(message.content)]
  }
}

function userContent(parts: readonly (TextPart | ImagePart | FilePart)[], quirks: CompletionsQuirks): JsonValue {
  if (quirks.content === 'text' || parts.every((part) => part.type === 'text')) {
    return parts.map((part) => (part.type === 'text' ? part.text : `(${part.type} left out)`)).join('\n')
  }
  return parts.map(userPart)
}

function userPart(part: TextPart | ImagePart | FilePart): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: { url: urlOf(part) } }
    case 'file':
      return { type: 'file', file: { filename: part.name, file_data: urlOf(part) } }
  }
}

const urlOf = (part: ImagePart | FilePart): string => part.url ?? `data:${part.media_type};base64,${part.data ?? ''}`

type AssistantPart = TextPart | ReasoningPart | ToolCallPart | ImagePart

function assistantMessage(parts: readonly AssistantPart[], context: MessageContext): JsonObject {
  const { vendor } = context
  const calls = parts.filter((part) => part.type === 'tool_call')
  const reasoning = parts.filter((part) => part.type === 'reasoning')
  const texts = textsOf(parts)
  const echo = Object.assign({}, ...reasoning.map((part) => completionsEchoOf(part.opaque, part.text, vendor))) as JsonObject
  const thinking = reasoning.flatMap((part) => completionsContentEchoOf(part.opaque, vendor))
  const content =
    thinking.length > 0
      ? [...thinking, ...(texts === '' ? [] : [{ type: 'text', text: texts }])]
      : texts === '' && calls.length > 0
        ? null
        : texts
  return {
    role: 'assistant',
    content,
    ...(calls.length > 0 && { tool_calls: calls.map((call) => wireCall(call, context)) }),
    ...echo,
  }
}

const wireCall = (call: ToolCallPart, { quirks, names }: MessageContext): JsonObject => ({
  id: wireToolCallId(call.provider_call_id ?? call.call_id, quirks),
  type: 'function',
  // A text that is no JSON would be refused by vendors that parse the history; the result of such a call says what was wrong.
  function: { name: names.wire(call.name), arguments: JSON.stringify(call.arguments) },
})

/** One message for each result; images, which few vendors take there, follow in a message of the user. */
function toolMessages(results: readonly ToolResultPart[], quirks: CompletionsQuirks): readonly JsonObject[] {
  const images = results.flatMap((result) => result.content.filter((part) => part.type === 'image'))
  const answers = results.map((result) => ({
    role: 'tool',
    tool_call_id: wireToolCallId(result.provider_call_id ?? result.call_id, quirks),
    content: resultText(result),
  }))
  return images.length === 0 || quirks.content === 'text' ? answers : [...answers, { role: 'user', content: images.map(userPart) }]
}

const resultText = (result: ToolResultPart): string =>
  result.content
    .map((part) => (part.type === 'text' ? part.text : part.type === 'image' ? '(see image)' : `(file ${part.name})`))
    .join('\n')

function flatAssistant(parts: readonly AssistantPart[]): readonly JsonObject[] {
  const calls = parts
    .filter((part) => part.type === 'tool_call')
    .map((call) => `(called ${call.name} with ${JSON.stringify(call.arguments)})`)
  return [{ role: 'assistant', content: [textsOf(parts), ...calls].filter((text) => text !== '').join('\n') }]
}

const flatResults = (results: readonly ToolResultPart[]): JsonObject => ({
  role: 'user',
  content: results.map((result) => `(${result.name} answered: ${resultText(result)})`).join('\n'),
})

const textsOf = (parts: readonly AssistantPart[]): string => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
