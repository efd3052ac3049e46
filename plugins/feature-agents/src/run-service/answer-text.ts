import type { JsonValue } from '@agent-service/sdk'
import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { TransitionEvent } from '../runs/log/transition.js'
import type { Message } from '../store/chats/message.js'

type Kind = 'text' | 'reasoning'

/** More of an answer, or less. */
export type AnswerChange =
  | { readonly type: 'text.delta' | 'reasoning.delta'; readonly offset: number; readonly text: string }
  | { readonly type: 'void'; readonly text: string; readonly reasoning: string }

/** What the messages of one run say, put together as one answer: an empty line stands between one message and the next. */
export interface AnswerText {
  /** What an event of the run changes. */
  take(event: TransitionEvent): readonly AnswerChange[]
  /** What of a message that still grows is known from elsewhere. */
  grow(messageId: string, parts: readonly JsonValue[]): readonly AnswerChange[]
  /** The rest of a message that is whole now, also of one whose text came without deltas. */
  complete(message: Pick<Message, 'id' | 'role'> & { readonly content: readonly ContentPart[] }): readonly AnswerChange[]
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

  const append = (kind: Kind, message: OpenMessage, text: string): readonly AnswerChange[] => {
    if (text === '') return []
    // What a message begins with is set off from what was said before it.
    const added = all[kind] === message.before[kind] && all[kind] !== '' ? `\n\n${text}` : text
    const offset = all[kind].length
    all[kind] += added
    return [{ type: `${kind}.delta`, offset, text: added }]
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
    return append(kind, message, fresh)
  }

  const takeBack = (id: string): readonly AnswerChange[] => {
    if (open?.id !== id) return []
    const { before } = open
    const changed = all.text !== before.text || all.reasoning !== before.reasoning
    Object.assign(all, before)
    open = undefined
    return changed ? [{ type: 'void', ...all }] : []
  }

  const growTo = (message: OpenMessage, parts: readonly JsonValue[]): readonly AnswerChange[] =>
    parts.flatMap((stored, index) => {
      const part = objectOf(stored)
      const kind = part['type']
      return kind === 'text' || kind === 'reasoning' ? partIn(message, kind, index, 0, String(part['text'])) : []
    })

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
      return []
    },
    grow: (messageId, parts) => (closed.has(messageId) ? [] : growTo(openAt(messageId), parts)),
    complete({ id, role, content }) {
      if (role !== 'assistant' || closed.has(id)) return []
      const changes = growTo(openAt(id), content)
      closed.add(id)
      return changes
    },
    add: (text) => append('text', openAt('added'), text),
    text: () => all.text,
    reasoning: () => all.reasoning,
  }
}

export const objectOf = (value: JsonValue | undefined): { readonly [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [name: string]: JsonValue }) : {}
