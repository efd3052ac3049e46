import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { ConversationMessage } from '@agent-service/sdk/services/agents'

/** How much text is hashed at once, in UTF-16 code units. */
const pieceLength = 1_000_000

/**
 * The key of an empty conversation. Two programs that give an agent different instructions never
 * share a chat, whatever their first words are.
 */
export const emptyKey = (place: { readonly userId: string; readonly agentId: string; readonly instructions: string }): string =>
  hash(['conversation', place.userId, place.agentId, place.instructions])

/**
 * The key of a conversation with these messages appended. White space at the ends of a text does
 * not count, since clients trim it. Long messages are hashed in pieces, so that other requests run
 * in between.
 */
export async function keyBehind(key: string, messages: readonly ConversationMessage[]): Promise<string> {
  let last = key
  let length = 0
  for (const { role, content } of messages) {
    const parts = content.map(partKey)
    last = hash([last, role, ...parts])
    length += parts.reduce((sum, part) => sum + part.length, 0)
    if (length < pieceLength) continue
    length = 0
    await setImmediate()
  }
  return last
}

/** The key of a named turn. */
export const nameKey = (place: { readonly userId: string; readonly agentId: string; readonly name: string }): string =>
  hash(['name', place.userId, place.agentId, place.name])

/** The instructions that a program gives an agent, and their hash; empty if there are none. */
export function instructionsOf(messages: readonly ConversationMessage[]): { readonly text: string; readonly hash: string } {
  const text = messages
    .flatMap(({ role, content }) => (role === 'system' ? content.map((part) => (part.type === 'text' ? part.text : '')) : []))
    .join('\n\n')
    .trim()
  return { text, hash: text === '' ? '' : hash(['instructions', text]) }
}

const partKey = (part: ConversationMessage['content'][number]): string =>
  part.type === 'text' ? `text:${part.text.trim()}` : JSON.stringify([part.type, part.media_type, part.data ?? part.url])

const hash = (values: readonly string[]): string => createHash('sha256').update(JSON.stringify(values)).digest('hex')
