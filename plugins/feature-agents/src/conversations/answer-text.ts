import type { JsonValue } from '@agent-service/sdk'
import type { WatchedEvent } from '../runs/streaming/run-watchers.js'

type Kind = 'text' | 'reasoning'

/** More of an answer, or less. */
export type AnswerChange =
  | { readonly type: 'text.delta' | 'reasoning.delta'; readonly text: string }
  | { readonly type: 'void'; readonly text: string; readonly reasoning: string }

/** What the messages of one run say, put together as one answer: an empty line stands between one message and the next. */
export interface AnswerText {
  /** What an event of the run changes. */
  take(event: WatchedEvent): readonly AnswerChange[]
  /** Adds a text of ours at the end, as a message of its own. */
  add(text: string): readonly AnswerChange[]
  text(): string
  reasoning(): string
}

/** One message while it grows. `length`: how much of each part is known, by its index. */
interface OpenMessage {
  readonly id: string
  readonly before: Readonly<Record<Kind, string>>
  readonly lengths: Map<number, number>
}

export function createAnswerText(): AnswerText {
  const all: Record<Kind, string> = { text: '', reasoning: '' }
  let open: OpenMessage | undefined
  /** Messages that are whole; what still comes of them is late. */
  const closed = new Set<string>()

  const grow = (kind: Kind, message: OpenMessage, text: string): readonly AnswerChange[] => {
    if (text === '') return []
    // What a message begins with is set off from what was said before it.
    const added = all[kind] === message.before[kind] && all[kind] !== '' ? `\n\n${text}` : text
    all[kind] += added
    return [{ type: `${kind}.delta`, text: added }]
  }

  const openAt = (id: string): OpenMessage => {
    if (open?.id !== id) open = { id, before: { ...all }, lengths: new Map() }
    return open
  }

  const partIn = (message: OpenMessage, kind: Kind, index: number, offset: number, text: string): readonly AnswerChange[] => {
    const known = message.lengths.get(index) ?? 0
    // Late or doubled is what is known already.
    const fresh = text.slice(Math.max(known - offset, 0))
    message.lengths.set(index, Math.max(known, offset + text.length))
    return grow(kind, message, fresh)
  }

  const takeBack = (id: string): readonly AnswerChange[] => {
    if (open?.id !== id) return []
    const { before } = open
    const changed = all.text !== before.text || all.reasoning !== before.reasoning
    Object.assign(all, before)
    open = undefined
    return changed ? [{ type: 'void', ...all }] : []
  }

  /** The rest of a message that is whole now, also of one whose text came without deltas. */
  const complete = (stored: JsonValue | undefined): readonly AnswerChange[] => {
    const message = objectOf(stored)
    if (message['role'] !== 'assistant' || closed.has(String(message['id']))) return []
    const target = openAt(String(message['id']))
    const parts = Array.isArray(message['content']) ? message['content'] : []
    const changes = parts.flatMap((stored, index) => {
      const part = objectOf(stored)
      const kind = part['type']
      return kind === 'text' || kind === 'reasoning' ? partIn(target, kind, index, 0, String(part['text'])) : []
    })
    closed.add(target.id)
    return changes
  }

  return {
    take({ name, data }) {
      const gone = objectOf(data['void'])['message_id']
      if (typeof gone === 'string') return takeBack(gone)
      if (name === 'text.delta' || name === 'reasoning.delta') {
        const id = String(data['message_id'])
        if (closed.has(id)) return []
        const kind = name === 'text.delta' ? 'text' : 'reasoning'
        return partIn(openAt(id), kind, Number(data['part']), Number(data['offset']), String(data['text']))
      }
      return name === 'message.updated' ? complete(data['message']) : []
    },
    add: (text) => grow('text', openAt('added'), text),
    text: () => all.text,
    reasoning: () => all.reasoning,
  }
}

export const objectOf = (value: JsonValue | undefined): { readonly [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [name: string]: JsonValue }) : {}
