import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { defineMemoryBackend, type MemoryBackend } from '@agent-service/sdk/contracts/memory-backend'
import type { MemorySearch } from '@agent-service/sdk/memory-index'
import { type SweepParts, sweep } from './compaction/sweep.js'
import { findMemories } from './memories/find-memories.js'
import { forgetChat, forgetMemory } from './memories/forgetting.js'
import { importRecords, newMemoriesOf } from './memories/import-records.js'
import { listMemories } from './memories/list-memories.js'
import { makeRoom, memoryFullError } from './memories/make-room.js'
import { pageWithout, twinsOf } from './memories/page-text.js'
import { oldestFirst, promptTextOf, wholePromptTextOf } from './memories/prompt-text.js'
import { backendId, digestsWith, isSeenBy, itemOf, memoryOf, recordOf, soundText } from './memories/records.js'
import { restoreRevision, revisionsOf, timeText } from './memories/revisions.js'
import type { MemoryUser, StoredMemory } from './store/collections.js'

/** What the back end works with. */
export interface BackendParts extends SweepParts {
  readonly search: MemorySearch
  /** Default 10,000. */
  readonly maxMemories?: number
}

/** The most that is stored of a user, forgotten and replaced ones too. */
const maxStored = 50_000
const idleMs = 900_000
/** How many records an export gives before others have a turn. */
const recordsPerTurn = 50

/** Notes of users, agents and spaces, all of them in the prompt, kept short by a model in the background. */
export function createBackend(parts: BackendParts): MemoryBackend {
  const { store, clock, search, settings, maxMemories = 10_000 } = parts
  const at = (): string => timeText(clock.now())
  /** Sees to it that changed memories are looked at an interval later. */
  const soon = (user: MemoryUser | undefined, changed: readonly StoredMemory[]): Partial<MemoryUser> => {
    const isOfSpace = ({ scope }: StoredMemory): boolean => scope.kind === 'space'
    const [own, spaces] = [settings.basic_compaction_secs * 1_000, settings.basic_space_compaction_secs * 1_000]
    return {
      ...(changed.some((memory) => !isOfSpace(memory)) && { compact_at: user?.compact_at ?? clock.now() + own }),
      ...(changed.some(isOfSpace) && { compact_spaces_at: user?.compact_spaces_at ?? clock.now() + spaces }),
    }
  }

  return defineMemoryBackend({
    id: backendId,
    title: 'Notes',
    async promptText({ maxTokens, ...reader }, { signal }) {
      const known = promptTextOf(await store.promptList(reader.userId, { signal }), reader, maxTokens)
      if (known) return known.text
      return wholePromptTextOf((await store.read(reader.userId, { signal })).values(), reader, maxTokens)
    },
    remember: (memory, { signal }) =>
      store.change(
        memory.userId,
        (memories, user) => {
          const id = `note-${createHash('sha256')
            .update(JSON.stringify([memory.userId, memory.key]))
            .digest('base64url')
            .slice(0, 22)}`
          if (memories.has(id)) return { result: { id } }
          if (memories.size >= maxMemories && liveCount(memories.values()) >= maxMemories)
            throw memoryFullError.create({ max: maxMemories })
          const put = [memoryOf(memory, id, at())]
          return { result: { id }, put, remove: makeRoom(memories, put, maxStored), user: soon(user, put) }
        },
        { signal },
      ),
    async search(query, { signal }) {
      const memories = await store.read(query.userId, { signal })
      return findMemories(search, memories, query, signal)
    },
    forget: (id, { userId, signal }) =>
      store.change(userId, (memories) => forgetMemory(memories, id, at()) ?? { result: false }, { signal }),
    async chatChanged({ userId, chatId, reason }, { signal }) {
      signal.throwIfAborted()
      if (reason === 'deleted') await store.change(userId, (memories) => forgetChat(memories, chatId, at()), { signal })
    },
    sweep(options) {
      store.evictIdle(idleMs)
      search.evictIdle(idleMs)
      return sweep(parts, options)
    },
    list: async (reader, options) => listMemories(await store.read(reader.userId, options), reader, options),
    async get(id, reader, { signal }) {
      const memory = (await store.read(reader.userId, { signal })).get(id)
      return memory && isSeenBy(reader, memory) ? itemOf(memory) : undefined
    },
    change: (id, { text, pinned }, { userId, signal }) =>
      store.change(
        userId,
        (memories, user) => {
          const memory = memories.get(id)
          if (memory?.state !== 'live') return { result: undefined }
          const corrected = memory.corrected || (text !== undefined && text !== memory.text)
          const { origin, ...others } = memory
          const changed: StoredMemory = {
            ...others,
            ...(text !== undefined && text !== memory.text && { digests: digestsWith(memory) }),
            ...(origin !== undefined && !corrected && { origin }),
            corrected,
            text: text === undefined ? memory.text : soundText(text),
            pinned: pinned ?? memory.pinned,
            updated_at: at(),
          }
          const isSame = changed.text === memory.text
          const { text: said, updated_at } = changed
          const twins = isSame
            ? []
            : twinsOf(memories, memory).map((each) => ({ ...each, text: said, corrected, updated_at, digests: digestsWith(each) }))
          const pages = isSame ? [] : pageWithout(memories, [changed, ...twins], updated_at)
          return { result: itemOf(changed), put: [changed, ...twins, ...pages], user: soon(user, [changed]) }
        },
        { signal },
      ),
    async *export(userId, { signal }) {
      const memories = await store.read(userId, { signal })
      const records = [...memories.values()].filter(({ state }) => state !== 'replaced').sort(oldestFirst)
      let count = 0
      for (const memory of records) {
        signal.throwIfAborted()
        yield recordOf(memory)
        count += 1
        // Others have their turn, however fast it is read.
        if (count % recordsPerTurn === 0) await setImmediate()
      }
    },
    async import(userId, records, { signal }) {
      signal.throwIfAborted()
      const take = async (batch: Parameters<typeof newMemoriesOf>[1]): Promise<void> =>
        store.change(
          userId,
          (memories, user) => {
            const put = newMemoriesOf(userId, batch, memories)
            if (put.length === 0) return { result: undefined }
            return { result: undefined, put, remove: makeRoom(memories, put, maxStored), user: soon(user, put) }
          },
          { signal },
        )
      return { records: await importRecords(records, take, signal) }
    },
    revisions: async (userId, { signal }) => revisionsOf(await store.read(userId, { signal }), clock.now()),
    restore: (id, { userId, signal }) =>
      store.change(
        userId,
        (memories, user) => {
          const writes = restoreRevision(memories, id, clock.now())
          return writes ? { ...writes, user: soon(user, writes.put ?? []) } : { result: false }
        },
        { signal },
      ),
    erase: (userId, { signal }) => store.erase(userId, { signal }),
  })
}

function liveCount(memories: Iterable<StoredMemory>): number {
  let count = 0
  for (const { state } of memories) if (state === 'live') count += 1
  return count
}
