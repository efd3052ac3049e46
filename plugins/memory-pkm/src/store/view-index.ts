import type { StoredMemory } from './records.js'
import type { MemoryView } from './user-memories.js'

/** What of a view refers to what, by ids. */
export interface ViewIndex {
  /** The statements of each page. */
  readonly statementsOf: ReadonlyMap<string, readonly string[]>
  /** The short memories that say what each statement says. */
  readonly shortsOf: ReadonlyMap<string, readonly string[]>
  /** The questions that repeat each statement. */
  readonly questionsOf: ReadonlyMap<string, readonly string[]>
}

const indices = new WeakMap<ReadonlyMap<string, StoredMemory>, ViewIndex>()

/** The index of a view, made when it is first wanted and kept as long as the view. */
export function indexOf({ memories }: MemoryView): ViewIndex {
  const known = indices.get(memories)
  if (known) return known
  const [statementsOf, shortsOf, questionsOf] = [new Map<string, string[]>(), new Map<string, string[]>(), new Map<string, string[]>()]
  for (const memory of memories.values()) {
    if (memory.type === 'statement') add(statementsOf, memory.page_id, memory.memory_id)
    if (memory.type !== 'short') continue
    if (memory.statement_id !== null) add(shortsOf, memory.statement_id, memory.memory_id)
    for (const id of memory.about ?? []) add(questionsOf, id, memory.memory_id)
  }
  const index = { statementsOf, shortsOf, questionsOf }
  indices.set(memories, index)
  return index
}

function add(lists: Map<string, string[]>, key: string, id: string): void {
  const list = lists.get(key)
  if (list) list.push(id)
  else lists.set(key, [id])
}
