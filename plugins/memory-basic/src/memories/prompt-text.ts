import type { MemoryReader } from '@agent-service/sdk/contracts/memory-backend'
import type { StoredMemory } from '../store/collections.js'
import { lineOf, type PromptList, type PromptNote, promptListOf } from '../store/prompt-list.js'
import { isSeenBy } from './records.js'

const charactersPerToken = 4

/**
 * Whole memories as far as they fit, pinned ones first. Where room is short, what was changed last
 * stays; the order is that in which they were made, so that what is new comes last and the text before
 * it stays the same. The text is undefined if there is nothing. Undefined altogether: the list has left
 * out what may belong in it.
 */
export function promptTextOf(
  { notes, shortest_omitted: shortestOmitted }: PromptList,
  reader: MemoryReader,
  maxTokens: number,
): { readonly text: string | undefined } | undefined {
  let room = charactersPerToken * maxTokens
  const lines = new Map<PromptNote, string>()
  for (const note of notes.items) {
    if (!isSeenBy(reader, note)) continue
    const line = lineOf(note)
    if (line.length > room) continue
    room -= line.length + 1
    lines.set(note, line)
  }
  if (shortestOmitted !== null && shortestOmitted <= room) return undefined
  const shown = [...lines.keys()].sort(
    (one, other) =>
      compare(Number(other.pinned), Number(one.pinned)) ||
      compare(one.created_at, other.created_at) ||
      compare(one.memory_id, other.memory_id),
  )
  return { text: shown.length === 0 ? undefined : shown.map((note) => lines.get(note)).join('\n') }
}

/** The same from all memories, where a list lacks some. */
export const wholePromptTextOf = (memories: Iterable<StoredMemory>, reader: MemoryReader, maxTokens: number): string | undefined =>
  promptTextOf(promptListOf(memories, Number.POSITIVE_INFINITY), reader, maxTokens)?.text

export const compare = (one: string | number, other: string | number): number => (one < other ? -1 : one > other ? 1 : 0)

/** Those changed last first; of equal times by id. */
export const newestFirst = (one: StoredMemory, other: StoredMemory): number =>
  compare(other.updated_at, one.updated_at) || compare(other.id, one.id)

/** In the order in which they were made. */
export const oldestFirst = (one: StoredMemory, other: StoredMemory): number =>
  compare(one.created_at, other.created_at) || compare(one.id, other.id)
