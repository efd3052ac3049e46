import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { laterSystemText, type WireMessage } from './build-messages.js'

/** The shortest prefix that any model caches is 1,024 tokens of about four characters. */
const minCharacters = 4_096
const mark: JsonObject = { cache_control: { type: 'ephemeral' } }

/** The parts of a request in the order in which the vendor caches them. */
export interface CachedParts {
  readonly tools: readonly JsonObject[]
  readonly system: readonly JsonObject[]
  readonly messages: readonly WireMessage[]
}

/**
 * Marks the ends of up to three prefixes for the vendor's cache: the last tool, the last block of
 * the system prompt, the last block of the last message of the user that is not a system text: one
 * after the conversation changes with each call and is not worth a write. A prefix that is too
 * short for any model's cache gets no mark, so that a short request stays as it is.
 */
export function withBreakpoints({ tools, system, messages }: CachedParts): CachedParts {
  const toolsSize = sizeOf(tools)
  const systemSize = toolsSize + sizeOf(system)
  const last = messages.at(-1)
  const marksMessage = last?.role === 'user' && systemSize + sizeOf(messages.map(({ content }) => content)) >= minCharacters
  return {
    tools: toolsSize >= minCharacters ? markLast(tools) : tools,
    system: systemSize >= minCharacters ? markLast(system) : system,
    messages: last && marksMessage ? [...messages.slice(0, -1), { role: last.role, content: markLastConstant(last.content) }] : messages,
  }
}

const markLast = (blocks: readonly JsonObject[]): readonly JsonObject[] =>
  blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, ...mark } : block))

/** The last block that is not a system text. */
function markLastConstant(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const last = blocks.findLastIndex(({ text }) => typeof text !== 'string' || !text.startsWith(laterSystemText))
  return last < 0 ? markLast(blocks) : blocks.map((block, index) => (index === last ? { ...block, ...mark } : block))
}

/** Characters of text in a value, in UTF-16 code units. Stops counting at the limit. */
function sizeOf(value: JsonValue | readonly JsonValue[] | undefined): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  let size = 0
  for (const [name, member] of Object.entries(value as Readonly<Record<string, JsonValue>>)) {
    size += (Array.isArray(value) ? 0 : name.length) + sizeOf(member)
    if (size >= minCharacters) return size
  }
  return size
}
