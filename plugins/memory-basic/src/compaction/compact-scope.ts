import { randomUUID } from 'node:crypto'
import type { Logger } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import type { MemoryEvidence } from '@agent-service/sdk/contracts/memory-backend'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Inference, InferenceRequest } from '@agent-service/sdk/services/inference'
import { freshMemory } from '../memories/records.js'
import { keepReplacedMs, timeText } from '../memories/revisions.js'
import { documentIdOf, type MemoryUser, type StoredMemory } from '../store/collections.js'
import type { Memories, MemoryStore, MemoryWrites } from '../store/memory-store.js'
import { type ModelGroupParts, modelGroupOf } from './model-group.js'
import { fingerprintOf, mayChange, notesAfter, notesWithin, placeKeyOf, type ScopeNotes } from './notes.js'
import { readAnswer, type ShorterText } from './read-answer.js'
import { compactionRequest } from './request.js'

/** What a compaction works with. */
export interface CompactionParts extends ModelGroupParts {
  readonly store: MemoryStore
  readonly inference: Pick<Inference, 'groups' | 'infer'>
  readonly clock: Clock
  readonly log: Logger
}

const callLimitMs = 180_000
const maxRequestCharacters = 48_000
const maxEvidence = 200
const maxSettled = 200

/**
 * Has the notes of one scope made shorter, by one call of a model. Resolves to whether anything was
 * replaced. An answer that cannot be used changes nothing. What was changed while the model was at
 * work stays as it is.
 */
export async function compactScope(parts: CompactionParts, userId: string, long: ScopeNotes, signal: AbortSignal): Promise<boolean> {
  const group = await modelGroupOf(parts, { userId, ...long }, signal)
  const window = parts.inference.groups().find(({ name }) => name === group)?.context_window
  // A third of the window, at four characters a token: the rest is for the answer and for texts that take more.
  const notes = notesWithin(notesAfter(long.notes, long.place), Math.min(maxRequestCharacters, Math.floor(((window ?? 32_000) * 4) / 3)))
  const settle = async (): Promise<false> => {
    await parts.store.change(userId, (_, user) => ({ result: false, ...(user && { user: settledUser(user, long, notes.at(-1)) }) }), {
      signal,
    })
    return false
  }
  if (notes.length < 2) return settle()
  const request = compactionRequest(userId, group, notes)
  const answer = await withTimeLimit((inner) => askModel(parts.inference, request, inner), {
    ...{ limitMs: callLimitMs, signal, clock: parts.clock, what: 'The compaction of memories' },
  })
  const read = readAnswer(
    answer,
    notes.map(({ text }) => text),
  )
  if ('refused' in read) parts.log.warn('A compaction of memories is not used.', { user_id: userId, group, reason: read.refused })
  if ('refused' in read || read.texts.length === 0) return settle()
  return parts.store.change(userId, (memories) => replaceNotes(memories, { userId, notes, texts: read.texts, now: parts.clock.now() }), {
    signal,
  })
}

/** The text of the answer that counts; empty if it was cut. */
async function askModel(inference: Pick<Inference, 'infer'>, request: InferenceRequest, signal: AbortSignal): Promise<string> {
  let answer = ''
  for await (const event of inference.infer(request, { signal }))
    if (event.type === 'response.finished')
      answer = event.stop_reason === 'stop' ? event.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : ''
  return answer
}

/**
 * Notes that nothing was made of are not given to a model again until they change: those behind them
 * are next. Behind the last ones the scope is settled, and a change of it begins at the oldest again.
 */
function settledUser(user: MemoryUser, { key, notes }: ScopeNotes, last: StoredMemory | undefined): Pick<MemoryUser, 'settled'> {
  const others = Object.entries(user.settled).filter(([other]) => other !== key && other !== placeKeyOf(key))
  const isEnd = last === undefined || last === notes.at(-1)
  const next = isEnd ? ([key, fingerprintOf(notes)] as const) : ([placeKeyOf(key), fingerprintOf([last])] as const)
  return { settled: Object.fromEntries([...others, next].slice(-maxSettled)) }
}

interface Replacement {
  readonly userId: string
  readonly notes: readonly StoredMemory[]
  readonly texts: readonly ShorterText[]
  readonly now: number
}

/**
 * Puts texts in the place of notes: those whose notes are all still as the model read them. Each text
 * is a revision of its own, so that each can be taken back by itself.
 */
function replaceNotes(memories: Memories, { userId, notes, texts, now }: Replacement): MemoryWrites<boolean> {
  const put = texts.flatMap(({ text, from }): readonly StoredMemory[] => {
    const sources = from.flatMap((position) => currentOf(memories, notes[position]) ?? [])
    const [first] = sources
    if (first === undefined || sources.length < from.length) return []
    const revision = randomUUID()
    const memoryId = `summary-${revision}`
    const made: StoredMemory = {
      ...freshMemory,
      ...{ id: documentIdOf(userId, memoryId), user_id: userId, memory_id: memoryId, kind: 'summary', text, made_by: revision },
      scope: first.scope,
      created_at: sources.reduce((earliest, { created_at }) => (created_at < earliest ? created_at : earliest), first.created_at),
      updated_at: timeText(now),
      evidence: evidenceOf(sources),
      ...(sources.some(({ origin }) => origin === 'tool') && { origin: 'tool' as const }),
      partly_unproven: sources.some(({ evidence, partly_unproven }) => partly_unproven || evidence.length === 0),
    }
    const times = { replaced_by: revision, replaced_at: now, expires_at: now + keepReplacedMs }
    return [...sources.map((note): StoredMemory => ({ ...note, state: 'replaced', ...times })), made]
  })
  return { result: put.length > 0, put }
}

/** The note as it is now, if it says what the model read and may still be replaced. */
function currentOf(memories: Memories, note: StoredMemory | undefined): StoredMemory | undefined {
  const memory = note && memories.get(note.memory_id)
  return memory && mayChange(memory) && memory.text === note.text && memory.updated_at === note.updated_at ? memory : undefined
}

/** Where the sources come from, each once. */
function evidenceOf(sources: readonly StoredMemory[]): readonly MemoryEvidence[] {
  const all = sources.flatMap(({ evidence }) => evidence)
  return [...new Map(all.map((each) => [JSON.stringify([each.chatId, each.messageId]), each])).values()].slice(0, maxEvidence)
}
