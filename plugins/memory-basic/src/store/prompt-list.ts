import { changedLeading, type Leading, type LeadingOptions, leadingOf } from '@agent-service/sdk/memory-index'
import { defineCollection } from '@agent-service/sdk/services/database'
import type { StoredMemory } from './collections.js'

/** What a prompt needs of a memory. */
export type PromptNote = Pick<StoredMemory, 'memory_id' | 'state' | 'scope' | 'title' | 'text' | 'pinned' | 'created_at' | 'updated_at'>

/** What prompts need of the memories of a user, of any reader: pinned ones first, then those changed last. */
export interface PromptList {
  readonly notes: Leading<PromptNote>
  /** The length of the shortest line that was left out; null: there is none. */
  readonly shortest_omitted: number | null
}

/** The list of a user as it is stored with each change of their memories, so that a prompt reads one document and not all. */
export interface StoredPromptList {
  /** The user's. */
  readonly id: string
  readonly user_id: string
  /** Of the memories that it was made of. */
  readonly version: number
  readonly list: PromptList
}

export const promptListCollection = defineCollection<StoredPromptList>()({
  name: 'memory_basic.prompt_lists',
  version: 1,
  userField: 'user_id',
  indexes: { by_user: { fields: ['user_id', 'id'] } },
})

/** Of all lines of a list, in characters, with what each takes beside its text: more than a prompt has. */
export const maxListLength = 32_000
const overhead = 40

/** The list of these memories. */
export function promptListOf(memories: Iterable<StoredMemory>, maxLength = maxListLength): PromptList {
  const omitted: Omitted = { shortest: null }
  const notes = leadingOf(notesOf(memories), noteOptions(maxLength, omitted))
  return { notes: withoutEnd(notes), shortest_omitted: omitted.shortest }
}

/** The place where it ends without its words: they may be forgotten, and the place stays. */
const withoutEnd = ({ items, until }: Leading<PromptNote>): Leading<PromptNote> => ({
  items,
  until: until && { ...until, text: '', title: null },
})

/** The list after a change, if it follows from the one before; else undefined. */
export function changedPromptList(
  before: PromptList,
  { put, remove }: { readonly put: readonly StoredMemory[]; readonly remove: readonly StoredMemory[] },
  maxLength = maxListLength,
): PromptList | undefined {
  const changed = new Set([...put, ...remove].map(({ memory_id: id }) => id))
  const omitted: Omitted = { shortest: before.shortest_omitted }
  const last = new Map(put.map((memory) => [memory.memory_id, memory]))
  const change = { isGone: ({ memory_id: id }: PromptNote) => changed.has(id), put: [...notesOf(last.values())] }
  const notes = changedLeading(before.notes, change, noteOptions(maxLength, omitted))
  return notes && { notes: withoutEnd(notes), shortest_omitted: omitted.shortest }
}

/** The line of a memory. Further lines of a text are set in, so that none of them looks like another memory or a heading. */
export function lineOf({ title, text }: Pick<PromptNote, 'title' | 'text'>): string {
  const about = title === null ? '' : `${title}: `
  return `- ${about}${text.replaceAll(/\r\n|[\r\n\u2028\u2029]/g, '\n  ')}`
}

function* notesOf(memories: Iterable<StoredMemory>): Generator<PromptNote> {
  for (const { memory_id, state, scope, title, text, pinned, created_at, updated_at } of memories)
    if (state === 'live') yield { memory_id, state, scope, title, text, pinned, created_at, updated_at }
}

interface Omitted {
  shortest: number | null
}

const order = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1)

const noteOptions = (max: number, omitted: Omitted): LeadingOptions<PromptNote> => ({
  compare: (one, other) =>
    Number(other.pinned) - Number(one.pinned) || order(other.updated_at, one.updated_at) || order(other.memory_id, one.memory_id),
  weigh: (note) => lineOf(note).length + overhead,
  max,
  onOmitted(note) {
    omitted.shortest = Math.min(omitted.shortest ?? Number.POSITIVE_INFINITY, lineOf(note).length)
  },
})
