import { createSingleFlight } from '@agent-service/sdk/async'
import { type Database, documentsOf, type Transaction } from '@agent-service/sdk/services/database'
import { memoriesBusyError } from './errors.js'
import { changedPromptList, type PromptList, type PromptListOptions, promptListCollection, promptListOf } from './prompt-list.js'
import { memoryCollection, type StoredMemory, stateCollection } from './records.js'
import { roomFor } from './room.js'
import { createTurns } from './turns.js'
import { vectorCollection } from './vectors.js'

/** All memories of a user at one moment, by their ids. Not changed by who reads it. */
export interface MemoryView {
  readonly revision: number
  readonly memories: ReadonlyMap<string, StoredMemory>
}

/** What a change of memories may do, beside what the transaction offers. */
export interface MemoryChanges {
  readonly transaction: Transaction
  /** The memories as they are at the commit, without this change. */
  readonly view: MemoryView
  /** One of them, as this change has left it. */
  get(memoryId: string): StoredMemory | undefined
  put(memory: StoredMemory): void
}

/**
 * The memories of the users. Those of a few are kept in memory, with the number of the user's last
 * change: every reading asks for that number, so that it also sees what other processes have
 * written.
 */
export interface UserMemories {
  view(userId: string, options: { readonly signal: AbortSignal }): Promise<MemoryView>
  /**
   * What prompts need of them, from one document, without the memories themselves; the list of them all
   * if there is none of the last change.
   */
  promptList(userId: string, options: { readonly signal: AbortSignal }): Promise<PromptList>
  /**
   * Runs `work` in a transaction, which may be repeated. Changes of one user come one after another,
   * so that what `work` sees still holds at its commit. What was forgotten longest ago gives way to what is
   * new once there are too many. @throws `memories_busy`, `memory_full`.
   */
  change<Result>(
    userId: string,
    work: (changes: MemoryChanges) => Promise<Result>,
    options: { readonly signal: AbortSignal },
  ): Promise<Result>
  /** The number of the last change; 0: there was none. Cheap. */
  revisionOf(userId: string): Promise<number>
  /** Is called after each committed change of this process, with the memories then and those that were put. */
  onChange(listener: ChangeListener): void
  /**
   * Runs `work`, which erases everything of a user, after the changes under way. Its last step is to
   * delete the number of the last change. Changes of other processes begin again.
   */
  erase(userId: string, work: () => Promise<void>): Promise<void>
  /** Drops what was not used for this long from memory. In milliseconds. */
  evictIdle(maxIdleMs: number): void
}

interface ListedView extends MemoryView {
  readonly list: PromptList
}

interface Kept extends ListedView {
  usedAt: number
}

export type ChangeListener = (userId: string, view: MemoryView, puts: readonly StoredMemory[]) => void

/** How many users and memories are kept in memory, and how many memories of one user at all. */
export interface ViewLimits {
  readonly maxUsers: number
  readonly maxMemories: number
  /** Closed and forgotten ones too. */
  readonly maxOfUser: number
}

const defaultLimits: ViewLimits = { maxUsers: 100, maxMemories: 100_000, maxOfUser: 50_000 }
/** How often the memories are read again because they have changed meanwhile. */
const maxReadings = 5
/** How often a change begins again, after others were faster. */
const maxAttempts = 20

export function createUserMemories(dependencies: {
  readonly database: Database
  now(): number
  /** What lists for prompts are made with. */
  readonly prompts: Omit<PromptListOptions, 'now'>
  readonly limits?: ViewLimits
}): UserMemories {
  const { database, now, prompts, limits = defaultLimits } = dependencies
  const listeners = new Set<ChangeListener>()
  const turns = createTurns()
  /** The one used last comes last. */
  const kept = new Map<string, Kept>()
  const loads = createSingleFlight<string, ListedView>()

  const revisionOf = async (userId: string): Promise<number> => (await database.collection(stateCollection).get(userId))?.revision ?? 0

  const listOf = (memories: ReadonlyMap<string, StoredMemory>): PromptList => promptListOf(memories.values(), { ...prompts, now: now() })

  const load = async (userId: string): Promise<ListedView> => {
    for (let reading = 1; ; reading += 1) {
      const revision = await revisionOf(userId)
      const memories = new Map<string, StoredMemory>()
      // Loads are shared by their readers, so none of them may end one.
      for await (const memory of documentsOf(database, memoryCollection, { index: 'by_user', equals: [userId] }))
        memories.set(memory.memory_id, memory)
      if (reading === maxReadings || (await revisionOf(userId)) === revision)
        return keep(userId, { revision, memories, list: listOf(memories) })
    }
  }

  const keep = (userId: string, view: ListedView): ListedView => {
    kept.delete(userId)
    kept.set(userId, { ...view, usedAt: now() })
    let total = [...kept.values()].reduce((sum, { memories }) => sum + memories.size, 0)
    for (const [oldest, { memories }] of kept) {
      if (oldest === userId || (kept.size <= limits.maxUsers && total <= limits.maxMemories)) break
      kept.delete(oldest)
      total -= memories.size
    }
    return view
  }

  const viewOf = async (userId: string, signal: AbortSignal): Promise<ListedView> => {
    signal.throwIfAborted()
    const known = kept.get(userId)
    if (known && known.revision === (await revisionOf(userId))) return keep(userId, known)
    return loads.run(userId, () => load(userId), { signal })
  }

  return {
    view: (userId, { signal }) => viewOf(userId, signal),
    async promptList(userId, { signal }) {
      signal.throwIfAborted()
      // Not by its id: the database would keep it in memory, where the text that is made of it is kept already.
      const [stored] = (await database.collection(promptListCollection).query({ index: 'by_user', equals: [userId], limit: 1 })).items
      // Beside it, not instead: while everything is erased the list is out of date before it is gone.
      if (stored !== undefined && stored.revision === (await revisionOf(userId))) return stored.list
      return (await viewOf(userId, signal)).list
    },
    change: (userId, work, { signal }) =>
      turns.run(userId, async () => {
        for (let attempt = 1; ; attempt += 1) {
          const view = await viewOf(userId, signal)
          const puts = new Map<string, StoredMemory>()
          let changed: ListedView | undefined
          const outcome = await database.transaction(
            async (transaction) => {
              puts.clear()
              changed = undefined
              const revision = (await transaction.get(stateCollection, userId))?.revision ?? 0
              if (revision !== view.revision) return undefined
              const result = await work({
                ...{ transaction, view },
                get: (memoryId) => puts.get(memoryId) ?? view.memories.get(memoryId),
                put: (memory) => void puts.set(memory.memory_id, memory),
              })
              for (const memory of puts.values()) {
                transaction.put(memoryCollection, memory)
                const before = view.memories.get(memory.memory_id)
                // A vector says something of the text that it was made of.
                if (before && (memory.forgotten || before.text !== memory.text)) transaction.delete(vectorCollection, memory.id)
              }
              if (puts.size === 0) return { result }
              // It begins with the time, so that after an erasure no process takes its old copy for the new one.
              const next = revision === 0 ? now() : revision + 1
              // Readers hold the map that they got.
              const memories = new Map(view.memories)
              for (const { id, memory_id: memoryId } of roomFor(view.memories, puts, limits.maxOfUser)) {
                transaction.delete(memoryCollection, id)
                memories.delete(memoryId)
              }
              for (const [id, memory] of puts) memories.set(id, memory)
              const list = changedPromptList(view.list, puts, { ...prompts, now: now() }) ?? listOf(memories)
              changed = { revision: next, memories, list }
              transaction.put(stateCollection, { id: userId, user_id: userId, revision: next })
              transaction.put(promptListCollection, { id: userId, user_id: userId, revision: next, list })
              return { result }
            },
            { signal },
          )
          if (outcome === undefined) {
            if (attempt === maxAttempts) throw memoriesBusyError.create({})
            continue
          }
          if (changed) {
            if (kept.get(userId)?.revision === view.revision) keep(userId, changed)
            for (const listener of listeners) listener(userId, changed, [...puts.values()])
          }
          return outcome.result
        }
      }),
    revisionOf,
    onChange: (listener) => void listeners.add(listener),
    evictIdle(maxIdleMs) {
      for (const [userId, { usedAt }] of kept) if (now() - usedAt > maxIdleMs) kept.delete(userId)
    },
    erase: (userId, work) =>
      turns.run(userId, async () => {
        try {
          await database.transaction(async (transaction) => {
            const state = await transaction.get(stateCollection, userId)
            if (state) transaction.put(stateCollection, { ...state, revision: state.revision + 1 })
          })
          await work()
        } finally {
          kept.delete(userId)
        }
      }),
  }
}
