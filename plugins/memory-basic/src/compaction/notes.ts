import { createHash } from 'node:crypto'
import { findSecret } from '@agent-service/sdk/memory-guards'
import { oldestFirst } from '../memories/prompt-text.js'
import { scopeKeyOf } from '../memories/records.js'
import type { StoredMemory } from '../store/collections.js'
import type { Memories } from '../store/memory-store.js'

/** The notes of one scope that may be made shorter. */
export interface ScopeNotes {
  /** {@link scopeKeyOf}. */
  readonly key: string
  readonly scope: StoredMemory['scope']
  /** The oldest first. */
  readonly notes: readonly StoredMemory[]
  /** The fingerprint of the note behind which to begin. */
  readonly place?: string
}

const charactersPerToken = 4
const maxNotes = 200

/**
 * The scopes of a user whose memories take at least `threshold` tokens, and what of them may be made
 * shorter: not what a person has pinned or corrected, what another back end has made, nor what looks as if
 * it had a secret, which only a person can have written: it is not sent to a further model.
 */
export function longScopes(memories: Memories, kinds: readonly StoredMemory['scope']['kind'][], threshold: number): readonly ScopeNotes[] {
  const scopes = new Map<string, StoredMemory[]>()
  for (const memory of memories.values()) {
    if (memory.state !== 'live' || !kinds.includes(memory.scope.kind)) continue
    const key = scopeKeyOf(memory)
    const group = scopes.get(key) ?? []
    scopes.set(key, group)
    group.push(memory)
  }
  return [...scopes].flatMap(([key, group]) => {
    const tokens = group.reduce((sum, { text }) => sum + Math.ceil(text.length / charactersPerToken), 0)
    const notes = group.filter((memory) => mayChange(memory) && findSecret(memory.text) === undefined).sort(oldestFirst)
    const [first] = notes
    return first && tokens >= threshold && notes.length > 1 ? [{ key, scope: first.scope, notes }] : []
  })
}

/** Whether background work may put another text in the place of a memory. */
export const mayChange = (memory: StoredMemory): boolean =>
  memory.state === 'live' &&
  !memory.pinned &&
  !memory.corrected &&
  memory.details === null &&
  memory.page_id === null &&
  memory.valid_from === null &&
  memory.valid_to === null &&
  (memory.kind === 'note' || memory.made_by !== null)

/** Tells states of notes apart. */
export const fingerprintOf = (notes: readonly StoredMemory[]): string =>
  createHash('sha256')
    .update(JSON.stringify(notes.map(({ id, updated_at }) => [id, updated_at])))
    .digest('base64url')

/** The place in {@link MemoryUser.settled} of the last note of a scope from which a model could make nothing shorter. */
export const placeKeyOf = (key: string): string => `after ${key}`

/** The notes behind a place; all of them if the note of the place has changed or gone. */
export const notesAfter = (notes: readonly StoredMemory[], place: string | undefined): readonly StoredMemory[] =>
  place === undefined ? notes : notes.slice(notes.findIndex((note) => fingerprintOf([note]) === place) + 1)

/** The oldest notes that fit into one request, whole; one that is too long by itself is passed over. */
export function notesWithin(notes: readonly StoredMemory[], maxCharacters: number): readonly StoredMemory[] {
  let room = maxCharacters
  const fitting: StoredMemory[] = []
  for (const note of notes) {
    if (note.text.length > maxCharacters) continue
    room -= note.text.length
    if (room < 0 || fitting.length === maxNotes) break
    fitting.push(note)
  }
  return fitting
}
