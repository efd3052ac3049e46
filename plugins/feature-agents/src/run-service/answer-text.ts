import type { JsonValue } from '@agent-service/sdk'
import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { TransitionEvent } from '../runs/log/transition.js'
import type { Message } from '../store/chats/message.js'

type Kind = 'text' | 'reasoning'

/** A change of an answer: added or retracted text. */
export type AnswerChange =
  | { readonly type: 'text.delta' | 'reasoning.delta'; readonly offset: number; readonly text: string }
  | { readonly type: 'void'; readonly text: string; readonly reasoning: string }

/**
 * The texts of one run's messages, joined to one answer with an empty line between two messages.
 */
export interface AnswerText {
  /** The changes by an event of the run. */
  take(event: TransitionEvent): readonly AnswerChange[]
  /** Takes in the known parts of a message that still grows. */
  grow(messageId: string, parts: readonly JsonValue[]): readonly AnswerChange[]
  /**
   * The rest of a complete message, also if its text came without deltas. Of a message that broke
   * off, only the stored text counts: any further text that was shown is retracted.
   */
  complete(message: Pick<Message, 'id' | 'role' | 'status'> & { readonly content: readonly ContentPart[] }): readonly AnswerChange[]
  /** Appends a text of the service as a message of its own. */
  add(text: string): readonly AnswerChange[]
  text(): string
  reasoning(): string
}

/** One message while it grows. `lengths`: the known length of each part, by its index. */
interface OpenMessage {
  readonly id: string
  readonly before: Readonly<Record<Kind, string>>
  readonly lengths: Map<number, number>
}

export function createAnswerText(): AnswerText {
  const all: Record<Kind, string> = { text: '', reasoning: '' }
  let open: OpenMessage | undefined
  /** Complete messages; events for them come late and are ignored. */
  const closed = new Set<string>()

  const append = (kind: Kind, message: OpenMessage, text: string): readonly AnswerChange[] => {
    if (text === '') return []
    // The beginning of a message is separated from the text before it.
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
    // Known text comes late or twice.
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

  /** The changes, or a retraction if they do not lead to the stored text. */
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

/** The text before a message, and that of the message. */
function joined(before: Readonly<Record<Kind, string>>, content: readonly ContentPart[], kind: Kind): string {
  const said = content.map((part) => (part.type === kind && 'text' in part ? part.text : '')).join('')
  return said === '' || before[kind] === '' ? before[kind] + said : `${before[kind]}\n\n${said}`
}

const objectOf = (value: JsonValue | undefined): { readonly [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [name: string]: JsonValue }) : {}
