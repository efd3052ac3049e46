import type { JsonObject } from '@agent-service/sdk'
import type {
  ImagePart,
  ModelMessage,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '@agent-service/sdk/contracts/provider-adapter'
import type { ToolNames } from '@agent-service/sdk/provider-kit'
import { contentParts, mediaPart } from './content-parts.js'
import { dataOf } from './opaque-parts.js'

/** Dependencies of the contents. */
export interface ContentContext {
  /** Who is called: opaque parts of others are left out. */
  readonly vendor: string
  readonly names: ToolNames
  /** The model checks signatures of thoughts, and takes images in results. */
  readonly signs: boolean
}

/** A conversation on the wire. */
export interface Conversation {
  /** Parts of `systemInstruction`: the system messages before the first other message. */
  readonly system: readonly JsonObject[]
  /** `contents`. The first is from the user. */
  readonly contents: readonly JsonObject[]
}

/** The vendor's documented value for calls of other models, which have no signature. */
const noSignature = 'skip_thought_signature_validator'

/** Builds `systemInstruction` and `contents`. */
export function buildConversation(messages: readonly ModelMessage[], context: ContentContext): Conversation {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const leading = first < 0 ? messages : messages.slice(0, first)
  const rest = first < 0 ? [] : messages.slice(first)
  const system = leading.flatMap((message) => (message.role === 'system' ? contentParts(message.content) : []))
  const calls = callsOf(messages, context)
  const built = joinResults(rest, calls).flatMap((message) => buildContent(message, context, calls))
  const opened = built[0]?.['role'] === 'user' ? built : [userContent([{ text: '(The conversation goes on.)' }]), ...built]
  return { system, contents: opened }
}

/** A call of the conversation: its position, and the vendor's id if it has one. */
interface KnownCall {
  readonly position: number
  readonly id: string | undefined
}

/**
 * The calls of a conversation by our ids. Those without an id of the vendor, and their results, go
 * without, and are matched by name and order.
 */
function callsOf(messages: readonly ModelMessage[], { vendor }: ContentContext): ReadonlyMap<string, KnownCall> {
  const calls = new Map<string, KnownCall>()
  for (const message of messages)
    for (const part of message.content)
      if (part.type === 'tool_call') calls.set(part.call_id, { position: calls.size, id: dataOf(part.opaque, vendor).id })
  return calls
}

/** The results of one turn are sent together, in the order of their calls. */
function joinResults(messages: readonly ModelMessage[], calls: ReadonlyMap<string, KnownCall>): readonly ModelMessage[] {
  const joined: ModelMessage[] = []
  const position = ({ call_id }: ToolResultPart): number => calls.get(call_id)?.position ?? calls.size
  for (const message of messages) {
    const last = joined.at(-1)
    if (message.role !== 'tool') joined.push(message)
    else {
      const before = last?.role === 'tool' ? last.content : []
      if (last?.role === 'tool') joined.pop()
      joined.push({ role: 'tool', content: [...before, ...message.content].sort((one, other) => position(one) - position(other)) })
    }
  }
  return joined
}

const userContent = (parts: readonly JsonObject[]): JsonObject => ({ role: 'user', parts: [...parts] })

function buildContent(message: ModelMessage, context: ContentContext, calls: ReadonlyMap<string, KnownCall>): readonly JsonObject[] {
  switch (message.role) {
    case 'system': {
      // Instructions have only one position, before everything. A later one moved there would
      // change the cached prefix.
      const texts = message.content.map(({ text }) => text).filter((text) => text !== '')
      return texts.length === 0 ? [] : [userContent(texts.map((text) => ({ text: `<system>\n${text}\n</system>` })))]
    }
    case 'user': {
      const parts = contentParts(message.content)
      return parts.length === 0 ? [] : [userContent(parts)]
    }
    case 'assistant': {
      const parts = signFirstCall(
        message.content.flatMap((part) => modelParts(part, context)),
        context,
      )
      // Thoughts and signatures alone belong to nothing.
      return parts.some(saysSomething) ? [{ role: 'model', parts: [...parts] }] : []
    }
    case 'tool':
      return resultContents(message.content, context, calls)
  }
}

/** Whether a part is more than a thought, or an empty text that only has a signature. */
const saysSomething = (part: JsonObject): boolean => part['thought'] !== true && part['text'] !== ''

function modelParts(part: TextPart | ReasoningPart | ToolCallPart | ImagePart, { vendor, names }: ContentContext): readonly JsonObject[] {
  const { thoughtSignature, id, part: kept } = dataOf(part.opaque, vendor)
  if (kept) return [kept]
  const signature = thoughtSignature === undefined ? {} : { thoughtSignature }
  switch (part.type) {
    case 'text':
      // An empty text goes back only for its signature.
      return part.text === '' && thoughtSignature === undefined ? [] : [{ text: part.text, ...signature }]
    case 'reasoning':
      // Thoughts are summaries for people; what the model needs of them is in the signatures.
      return thoughtSignature === undefined ? [] : [{ text: part.text, thought: true, ...signature }]
    case 'tool_call':
      return [{ functionCall: { ...(id !== undefined && { id }), name: names.wire(part.name), args: part.arguments }, ...signature }]
    case 'image':
      return [{ ...mediaPart(part.media_type, part), ...signature }]
  }
}

/**
 * The first call of a step must have a signature if the model checks them. A call of another model
 * gets the documented value.
 */
function signFirstCall(parts: readonly JsonObject[], { signs }: ContentContext): readonly JsonObject[] {
  const first = parts.findIndex((part) => part['functionCall'] !== undefined)
  if (!signs || first < 0 || parts[first]?.['thoughtSignature'] !== undefined) return parts
  return parts.map((part, index) => (index === first ? { ...part, thoughtSignature: noSignature } : part))
}

function resultContents(
  results: readonly ToolResultPart[],
  context: ContentContext,
  calls: ReadonlyMap<string, KnownCall>,
): readonly JsonObject[] {
  const answers = results.map((result) => resultPart(result, context, calls.get(result.call_id)?.id))
  const media = context.signs ? [] : results.flatMap(mediaOf)
  return [userContent(answers), ...(media.length === 0 ? [] : [userContent([{ text: '(images from the tools)' }, ...media])])]
}

const mediaOf = ({ content }: ToolResultPart): readonly JsonObject[] => contentParts(content).filter((part) => part['text'] === undefined)

function resultPart(result: ToolResultPart, { names, signs }: ContentContext, id: string | undefined): JsonObject {
  const parts = contentParts(result.content)
  const texts = parts.map((part) => part['text']).filter((text) => typeof text === 'string')
  const media = signs ? mediaOf(result) : []
  return {
    functionResponse: {
      ...(id !== undefined && { id }),
      name: names.wire(result.name),
      response: { [result.is_error === true ? 'error' : 'output']: texts.join('\n') },
      ...(media.length > 0 && { parts: [...media] }),
    },
  }
}
