import { digestOf } from '../common/digest-of.js'
import type { StoredMemory } from '../store/records.js'
import type { MemoryView } from '../store/user-memories.js'
import type { ReconcileResult, ResolveResult } from './stage-results.js'
import { checkpointStaleError } from './stale.js'

/** What the stages from reconciliation on build upon: pages with their statements, and playbooks, as they stand. */
export function baseOf({ memories }: MemoryView, { subjects, playbooks }: ResolveResult): ReconcileResult['base'] {
  const ids = [...new Set([...subjects.map(({ page_id: id }) => id), ...playbooks.map(({ id }) => id)])]
  return Object.fromEntries(ids.map((id) => [id, digestOf(partsOf(id, memories))]))
}

/** What a reader of the page would see. */
const partsOf = (id: string, memories: ReadonlyMap<string, StoredMemory>): readonly unknown[] =>
  [...memories.values()]
    .filter((memory) => memory.memory_id === id || (memory.type === 'statement' && memory.page_id === id))
    .sort((one, other) => (one.memory_id < other.memory_id ? -1 : 1))
    .map((memory) => [memory.memory_id, memory.text, memory.origin, memory.pinned, memory.forgotten, endOf(memory)])

const endOf = (memory: StoredMemory): string | null => (memory.type === 'statement' ? memory.valid_to : null)

/** @throws `memory_checkpoint_stale` if a person has changed something of it, or a page is gone. */
export function demandSameBase(view: MemoryView, resolved: ResolveResult, { base }: ReconcileResult): void {
  const now = baseOf(view, resolved)
  for (const [id, digest] of Object.entries(base))
    if (now[id] !== digest) throw checkpointStaleError.create({ reason: 'something that it builds on was changed meanwhile' })
}
