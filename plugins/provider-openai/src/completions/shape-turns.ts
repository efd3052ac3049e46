import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { CompletionsQuirks } from './quirks.js'

/** Inserted if a brand requires a turn that the conversation does not have. */
const fillers = { user: '(The conversation goes on.)', assistant: 'OK.' } as const

/** Arranges messages in the turns that a brand requires. */
export function shapeTurns(messages: readonly JsonObject[], quirks: CompletionsQuirks): readonly JsonObject[] {
  const filled = quirks.assistantAfterTool ? fillAfterTools(messages) : messages
  return quirks.alternatingRoles ? takeTurns(filled) : filled
}

function fillAfterTools(messages: readonly JsonObject[]): readonly JsonObject[] {
  return messages.flatMap((message, index) => {
    const followsTool = message['role'] === 'user' && messages[index - 1]?.['role'] === 'tool'
    return followsTool ? [{ role: 'assistant', content: fillers.assistant }, message] : [message]
  })
}

/**
 * Joins adjacent messages of one role; after the system messages, a user message comes first and
 * last.
 */
function takeTurns(messages: readonly JsonObject[]): readonly JsonObject[] {
  const turns: JsonObject[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (last && last['role'] === message['role'] && message['role'] !== 'tool') {
      turns[turns.length - 1] = { ...last, content: joined(last['content'] ?? '', message['content'] ?? '') }
    } else turns.push(message)
  }
  const first = turns.findIndex((message) => message['role'] !== 'system')
  if (turns[first]?.['role'] === 'assistant') turns.splice(first, 0, { role: 'user', content: fillers.user })
  if (turns.at(-1)?.['role'] === 'assistant') turns.push({ role: 'user', content: fillers.user })
  return turns
}

function joined(before: JsonValue, after: JsonValue): JsonValue {
  if (typeof before === 'string' && typeof after === 'string') return `${before}\n\n${after}`
  return [...partsOf(before), ...partsOf(after)]
}

const partsOf = (content: JsonValue): readonly JsonValue[] =>
  Array.isArray(content) ? content : content === '' || content === null ? [] : [{ type: 'text', text: content }]
