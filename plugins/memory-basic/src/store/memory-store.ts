import { setImmediate } from 'node:timers/promises'
import { createSingleFlight } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type CollectionDefinition, type Database, documentsOf } from '@agent-service/sdk/services/database'
import { type MemoryUser, memoryCollection, type StoredMemory, userCollection, vectorCollection } from './collections.js'
import { changedPromptList, type PromptList, promptListCollection, promptListOf } from './prompt-list.js'
import { createUserLines } from './user-lines.js'

/** The memories of a user at one version, by their ids. */
export type Memories = ReadonlyMap<string, StoredMemory>

/** What a change writes. All of it is committed together, or nothing. */
export interface MemoryWrites<Result> {
  readonly result: Result
  readonly put?: readonly StoredMemory[]
  /** Memories of which nothing stays. */
  readonly remove?: readonly StoredMemory[]
  /** Changes of what is known of the user: when something is due, and what needs nothing. */
  readonly user?: Partial<Pick<MemoryUser, 'compact_at' | 'compact_spaces_at' | 'settled'>>
}

/** A change that was committed. */
export interface CommittedChange {
  readonly version: number
  readonly put: readonly StoredMemory[]
  readonly remove: readonly StoredMemory[]
}

/** The memories of all users. Those of users who are here are kept in memory, as far as there is room. */
export interface MemoryStore {
  /** Every memory of a user, with all that was committed before the call; also forgotten and replaced ones. */
  read(userId: string, options: { readonly signal: AbortSignal }): Promise<Memories>
  /**
   * What prompts need of them, from one document, without the memories themselves; made of them all if
   * there is none of the last change.
   */
  promptList(userId: string, options: { readonly signal: AbortSignal }): Promise<PromptList>
  /** The version of a user's memories; 0: there are none. */
  versionOf(userId: string): Promise<number>
  /**
   * Decides about a change by the memories as they are, and commits it. `decide` is pure: it runs again
   * if another process was faster.
   */
  change<Result>(
    userId: string,
    decide: (memories: Memories, user: MemoryUser | undefined) => MemoryWrites<Result>,
    options: { readonly signal: AbortSignal },
  ): Promise<Result>
  /** Erases everything of a user. */
  erase(userId: string, options: { readonly signal: AbortSignal }): Promise<void>
  /** Drops what was not used for so long. In milliseconds. */
  evictIdle(maxIdleMs: number): void
}

interface Kept {
  readonly version: number
  readonly memories: Map<string, StoredMemory>
  readonly list: PromptList
  usedAt: number
}

const maxUsers = 256
const maxMemories = 20_000
const maxTries = 8

/** Opens the store. `onChange` is told of every committed change, and of an erasure. */
export function openMemoryStore(dependencies: {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  /** Ends loads under way. */
  readonly signal: AbortSignal
  onChange(userId: string, change: CommittedChange | 'erased'): void
}): MemoryStore {
  const { database, clock, signal: lifetime, onChange } = dependencies
  const users = database.collection(userCollection)
  const lines = createUserLines()
  const loads = createSingleFlight<string, Kept>()
  /** The one used last stands last. */
  const kept = new Map<string, Kept>()

  const versionOf = async (userId: string): Promise<number> => (await users.get(userId))?.version ?? 0

  const keep = (userId: string, entry: Kept): Kept => {
    kept.delete(userId)
    kept.set(userId, entry)
    let total = [...kept.values()].reduce((sum, { memories }) => sum + memories.size, 0)
    for (const [oldest, { memories }] of kept) {
      if (kept.size <= 1 || (kept.size <= maxUsers && total <= maxMemories)) break
      kept.delete(oldest)
      total -= memories.size
    }
    return entry
  }

  const load = async (userId: string): Promise<Kept> => {
    for (;;) {
      const version = await versionOf(userId)
      const memories = new Map<string, StoredMemory>()
      for await (const memory of documentsOf(database, memoryCollection, { index: 'by_user', equals: [userId], signal: lifetime }))
        memories.set(memory.memory_id, memory)
      if ((await versionOf(userId)) === version)
        return keep(userId, { version, memories, list: promptListOf(memories.values()), usedAt: clock.now() })
    }
  }

  const current = async (userId: string, signal: AbortSignal): Promise<Kept> => {
    signal.throwIfAborted()
    const version = await versionOf(userId)
    const known = kept.get(userId)
    if (known?.version !== version) return loads.run(userId, () => load(userId), { signal })
    known.usedAt = clock.now()
    return keep(userId, known)
  }

  /** The version that was committed; undefined if another process was faster. */
  const commit = (
    userId: string,
    version: number,
    { put = [], remove = [], user: change }: MemoryWrites<unknown>,
    { before, after }: { readonly before: Memories; readonly after: Memories },
    list: PromptList,
  ) =>
    database.transaction(async (transaction) => {
      const user = await transaction.get(userCollection, userId)
      if ((user?.version ?? 0) !== version) return undefined
      const next = user === undefined ? clock.now() : user.version + 1
      for (const memory of put) {
        transaction.put(memoryCollection, memory)
        if (memory.state !== 'live') transaction.delete(vectorCollection, memory.id)
      }
      for (const { id } of remove) {
        transaction.delete(memoryCollection, id)
        transaction.delete(vectorCollection, id)
      }
      const { compact_at = null, compact_spaces_at = null, settled = {} } = { ...user, ...change }
      const expire_at = nextExpiry({ known: user?.expire_at, put, remove, before, after })
      const due_at = earliest([compact_at, compact_spaces_at, expire_at])
      transaction.put(userCollection, {
        ...{ id: userId, user_id: userId, version: next, compact_at, compact_spaces_at, settled, expire_at, due_at },
      })
      transaction.put(promptListCollection, { id: userId, user_id: userId, version: next, list })
      return next
    })

  return {
    read: async (userId, { signal }) => (await current(userId, signal)).memories,
    async promptList(userId, { signal }) {
      signal.throwIfAborted()
      // Not by its id: the database would keep it in memory, where the text that is made of it is kept already.
      const [stored] = (await database.collection(promptListCollection).query({ index: 'by_user', equals: [userId], limit: 1 })).items
      // Beside it, not instead: while everything is erased the list is out of date before it is gone.
      if (stored !== undefined && stored.version === (await versionOf(userId))) return stored.list
      return (await current(userId, signal)).list
    },
    versionOf,
    change: (userId, decide, { signal }) =>
      lines.run(
        userId,
        async () => {
          for (let tries = 0; ; tries += 1) {
            const { version, memories, list } = await current(userId, signal)
            const user = await users.get(userId)
            const writes = decide(memories, user)
            const { result, put = [], remove = [] } = writes
            if (put.length === 0 && remove.length === 0 && writes.user === undefined) return result
            signal.throwIfAborted()
            const after = new Map(memories)
            for (const { memory_id } of remove) after.delete(memory_id)
            for (const memory of put) after.set(memory.memory_id, memory)
            const listed = changedPromptList(list, { put, remove }) ?? promptListOf(after.values())
            const committed = await commit(userId, version, writes, { before: memories, after }, listed)
            if (committed !== undefined) {
              keep(userId, { version: committed, memories: after, list: listed, usedAt: clock.now() })
              onChange(userId, { version: committed, put, remove })
              return result
            }
            if (tries >= maxTries) throw new Error(`The memories of a user changed ${maxTries} times while one change was made.`)
          }
        },
        { signal },
      ),
    erase: (userId, { signal }) =>
      lines.run(
        userId,
        async () => {
          // The head goes first: a change under way in another process then finds another version.
          await users.delete(userId)
          for (const collection of [memoryCollection, vectorCollection] as readonly CollectionDefinition[])
            await eraseAll(database, collection, userId, signal)
          // What another process has begun anew over it meanwhile is gone as well.
          await database.transaction(async (transaction) => {
            for (const collection of [userCollection, promptListCollection] as readonly CollectionDefinition[])
              transaction.delete(collection, userId)
          })
          kept.delete(userId)
          onChange(userId, 'erased')
        },
        { signal },
      ),
    evictIdle(maxIdleMs) {
      for (const [userId, { usedAt }] of kept) if (clock.now() - usedAt > maxIdleMs) kept.delete(userId)
    },
  }
}

/** How many documents one transaction deletes. */
const eraseBatch = 50

async function eraseAll(database: Database, collection: CollectionDefinition, userId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const { items } = await database.collection(collection).query({ index: 'by_user', equals: [userId], limit: eraseBatch })
    if (items.length === 0) return
    await database.transaction(async (transaction) => {
      for (const { id } of items) transaction.delete(collection, id)
    })
    await setImmediate()
  }
}

const earliest = (times: readonly (number | null)[]): number | null =>
  times.reduce<number | null>((first, time) => (time === null || (first !== null && first <= time) ? first : time), null)

/** When a replaced memory expires next; all are looked at only if the one that was next has changed. `known`: as it was before; undefined: not known. */
function nextExpiry(change: {
  readonly known: number | null | undefined
  readonly put: readonly StoredMemory[]
  readonly remove: readonly StoredMemory[]
  readonly before: Memories
  readonly after: Memories
}): number | null {
  const { known, put, remove, before, after } = change
  const isNext = ({ memory_id: id }: StoredMemory): boolean => known !== null && before.get(id)?.expires_at === known
  if (known !== undefined && !put.some(isNext) && !remove.some(isNext)) return earliest([known, ...put.map(({ expires_at }) => expires_at)])
  let first: number | null = null
  for (const { expires_at: time } of after.values()) if (time !== null && (first === null || time < first)) first = time
  return first
}
