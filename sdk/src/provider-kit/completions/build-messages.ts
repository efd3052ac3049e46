import type { FilePart, ImagePart, TextPart, ToolCallPart, ToolResultPart } from '../../contracts/provider-adapter/content.js'
import type { ModelMessage } from '../../contracts/provider-adapter/request.js'
import { isTextFile } from '../../contracts/provider-adapter/text-file.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import type { ToolNames } from '../answers/tool-names.js'
import { fileAsText } from '../messages/file-as-text.js'
import { completionsContentEchoOf, completionsEchoOf } from './echo-reasoning.js'

/** How chat completions write the messages of a conversation. */
export interface CompletionsMessagesContext {
  /** Who is called: opaque parts of others are left out. */
  readonly vendor: string
  /** Names of tools as the server takes them. */
  readonly names: ToolNames
  /**
   * The content of a turn that only called tools: `null` as the protocol has it, or the empty text
   * for servers that write it into a prompt.
   */
  readonly contentOfCalls: null | ''
  /**
   * The id under which a call and its result go, given the vendor's, or ours if it gave none.
   * Default: the same.
   */
  readonly wireCallId?: (id: string) => string
  /**
   * The part for a person's file that is not text. Default: such files are left out, with a note.
   */
  readonly filePart?: (part: FilePart) => JsonObject
}

/**
 * The `messages` of a chat completions request. Files of text are text, see `fileAsText`; what a
 * person wrote without images and files is one string. A turn of the assistant of which nothing
 * remains is left out. Images in results of tools, which few servers take there, follow the results
 * in a message of the user.
 */
export const buildCompletionsMessages = (messages: readonly ModelMessage[], context: CompletionsMessagesContext): readonly JsonObject[] =>
  messages.flatMap((message) => buildMessage(message, context))

/** A result of a tool as one text; images are only mentioned. */
export const completionsResultText = ({ content }: ToolResultPart): string =>
  content.map((part) => (part.type === 'text' ? part.text : part.type === 'image' ? '(see image)' : fileAsText(part).text)).join('\n')

function buildMessage(message: ModelMessage, context: CompletionsMessagesContext): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', ...nameOf(message), content: message.content.map((part) => part.text).join('\n\n') }]
    case 'user':
      return [{ role: 'user', ...nameOf(message), content: userContent(message.content, context) }]
    case 'assistant':
      return assistantMessage(message, context)
    case 'tool':
      return toolMessages(message.content, context)
  }
}

const nameOf = ({ name }: { readonly name?: string }): JsonObject => (name === undefined ? {} : { name })

function userContent(parts: readonly (TextPart | ImagePart | FilePart)[], { filePart }: CompletionsMessagesContext): JsonValue {
  const sendable = parts.map((part) => (part.type === 'file' && (filePart === undefined || isTextFile(part)) ? fileAsText(part) : part))
  if (sendable.every((part) => part.type === 'text')) return sendable.map((part) => part.text).join('\n')
  return sendable.flatMap((part): readonly JsonObject[] => {
    if (part.type === 'image') return [imagePart(part)]
    if (part.type === 'file') return filePart === undefined ? [] : [filePart(part)]
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
  { name, content: parts }: Pick<Extract<ModelMessage, { role: 'assistant' }>, 'name' | 'content'>,
  context: CompletionsMessagesContext,
): readonly JsonObject[] {
  const calls = parts.filter((part) => part.type === 'tool_call')
  const reasoning = parts.filter((part) => part.type === 'reasoning')
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const thinking = reasoning.flatMap((part) => completionsContentEchoOf(part.opaque, context.vendor))
  const echo = Object.assign({}, ...reasoning.map((part) => completionsEchoOf(part.opaque, part.text, context.vendor))) as JsonObject
  // Reasoning alone is no turn: vendors want content or calls beside it.
  if (text === '' && calls.length === 0) return []
  const plain = text === '' && calls.length > 0 ? context.contentOfCalls : text
  return [
    {
      role: 'assistant',
      ...(name !== undefined && { name }),
      content: thinking.length > 0 ? [...thinking, ...(text === '' ? [] : [{ type: 'text', text }])] : plain,
      ...(calls.length > 0 && { tool_calls: calls.map((call) => wireCall(call, context)) }),
      ...echo,
    },
  ]
}

const wireCall = (call: ToolCallPart, context: CompletionsMessagesContext): JsonObject => ({
  id: wireId(call, context),
  type: 'function',
  // A text that is not JSON would be refused by servers that parse the history; the result of such
  // a call says what was wrong.
  function: { name: context.names.wire(call.name), arguments: JSON.stringify(call.arguments) },
})

function toolMessages(results: readonly ToolResultPart[], context: CompletionsMessagesContext): readonly JsonObject[] {
  const images = results.flatMap((result) => result.content.filter((part) => part.type === 'image'))
  const answers = results.map((result) => ({
    role: 'tool',
    tool_call_id: wireId(result, context),
    content: completionsResultText(result),
  }))
  return images.length === 0 ? answers : [...answers, { role: 'user', content: images.map(imagePart) }]
}

function wireId(part: ToolCallPart | ToolResultPart, { wireCallId }: CompletionsMessagesContext): string {
  const id = part.provider_call_id ?? part.call_id
  return wireCallId?.(id) ?? id
}
