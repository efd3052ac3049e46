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
  /**
   * The rest of a message that is whole now, also of one whose text came without deltas. Of one that broke off, what is stored is all that
   * counts: the rest of what was shown is taken back.
   */
  complete(message: Pick<Message, 'id' | 'role' | 'status'> & { readonly content: readonly ContentPart[] }): readonly AnswerChange[]
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

  const withdraw = (id: string): readonly AnswerChange[] => {
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

  /** The changes, or a taking back where they do not lead to what is stored. */
  const keepStored = (
    { before }: OpenMessage,
    content: readonly ContentPart[],
    changes: readonly AnswerChange[],
  ): readonly AnswerChange[] => {
    const kept = { text: joined(before, content, 'text'), reasoning: joined(before, content, 'reasoning') }
    if (kept.text === all.text && kept.reasoning === all.reasoning) return changes
    Object.assign(all, kept)
    return [{ type: 'void', ...kept }]
  }

  return {
    take({ name, data }) {
      const gone = objectOf(data['void'])['message_id']
      if (typeof gone === 'string') return withdraw(gone)
      if (name === 'text.delta' || name === 'reasoning.delta') {
        const id = String(data['message_id'])
        if (closed.has(id)) return []
        const kind = name === 'text.delta' ? 'text' : 'reasoning'
        return partIn(openAt(id), kind, Number(data['part']), Number(data['offset']), String(data['text']))
      }
      return []
    },
    grow: (messageId, parts) => (closed.has(messageId) ? [] : growTo(openAt(messageId), parts)),
    complete({ id, role, status, content }) {
      if (role !== 'assistant' || closed.has(id)) return []
      const message = openAt(id)
      const changes = growTo(message, content)
      closed.add(id)
      return status === 'complete' ? changes : keepStored(message, content, changes)
    },
    add: (text) => append('text', openAt('added'), text),
    text: () => all.text,
    reasoning: () => all.reasoning,
  }
}

/** What was said before a message, and what it says. */
function joined(before: Readonly<Record<Kind, string>>, content: readonly ContentPart[], kind: Kind): string {
  const said = content.map((part) => (part.type === kind && 'text' in part ? part.text : '')).join('')
  return said === '' || before[kind] === '' ? before[kind] + said : `${before[kind]}\n\n${said}`
}

const objectOf = (value: JsonValue | undefined): { readonly [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [name: string]: JsonValue }) : {}
