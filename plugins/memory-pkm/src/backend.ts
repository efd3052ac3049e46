import { setImmediate } from 'node:timers/promises'
import { defineMemoryBackend, type MemoryBackend, type MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import type { MemorySearch } from '@agent-service/sdk/memory-index'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { MemorySettings } from '@agent-service/sdk/services/memory-settings'
import type { Redaction } from '@agent-service/sdk/services/secrets'
import { noteChatChange } from './chats/chat-changed.js'
import type { Consolidation } from './passes/consolidation.js'
import { itemOf } from './read/item-view.js'
import { listMemories } from './read/list-memories.js'
import { promptTextOf, wholePromptTextOf } from './read/prompt-text.js'
import { isInScope } from './read/readable.js'
import { searchMemories } from './read/search-memories.js'
import type { UserMemories } from './store/user-memories.js'
import { eraseUser } from './transfer/erase-user.js'
import { backendId, exportMemories } from './transfer/export-memories.js'
import { importMemories } from './transfer/import-memories.js'
import { changeMemory } from './write/change-memory.js'
import { forgetMemory } from './write/forget-memory.js'
import { remember } from './write/remember.js'

/** What the back end is made of. */
export interface BackendParts {
  readonly database: Database
  readonly memories: UserMemories
  readonly search: MemorySearch
  readonly consolidation: Consolidation
  readonly clock: Clock
  readonly redaction: Redaction
  readonly settings: MemorySettings
}

/** How long the memories of a user who is not here stay in memory. */
const idleMs = 900_000

/** How many records an export gives before others have a turn. */
const recordsPerTurn = 50

async function* inTurns(records: Iterable<MemoryRecord>): AsyncGenerator<MemoryRecord> {
  let count = 0
  for (const record of records) {
    yield record
    count += 1
    if (count % recordsPerTurn === 0) await setImmediate()
  }
}

/** The back end `pkm`. */
export function createPkmBackend(parts: BackendParts): MemoryBackend {
  const { database, memories, search, consolidation, clock, settings } = parts
  const now = (): number => clock.now()
  const timed = { ...parts, now }
  return defineMemoryBackend({
    id: backendId,
    title: 'Personal knowledge',
    supports: { history: true, sweep: true, passes: true, revisions: false },
    async promptText({ maxTokens, ...reader }, { signal }) {
      const question = { ...reader, maxTokens, now: now() }
      const known = promptTextOf(await memories.promptList(reader.userId, { signal }), question, settings)
      if (known) return known.text
      const view = await memories.view(reader.userId, { signal })
      return wholePromptTextOf(view.memories.values(), question, settings)
    },
    remember: (memory, options) => remember(parts, memory, options),
    search: (query, options) => searchMemories(timed, query, options),
    forget: (id, options) => forgetMemory(timed, id, options),
    chatChanged: (change, options) => noteChatChange({ database, idleMs: settings.pkm_consolidate_idle_secs * 1_000 }, change, options),
    sweep(options) {
      memories.evictIdle(idleMs)
      search.evictIdle(idleMs)
      return consolidation.sweep(options)
    },
    async list(reader, { signal, ...query }) {
      const view = await memories.view(reader.userId, { signal })
      return listMemories(view.memories.values(), reader, { ...query, now: now() }, settings)
    },
    async get(id, reader, { signal }) {
      const memory = (await memories.view(reader.userId, { signal })).memories.get(id)
      return memory && !memory.forgotten && isInScope(memory.scope, reader) ? itemOf(memory, settings) : undefined
    },
    change: (id, change, options) => changeMemory(timed, id, change, options),
    async *export(userId, { signal }) {
      yield* inTurns(exportMemories(await memories.view(userId, { signal }), settings))
    },
    import: (userId, records, options) => importMemories(memories, userId, records, options),
    passes: (userId, options) => consolidation.passes(userId, options),
    retryPass: (id, options) => consolidation.retry(id, options),
    erase: (userId, options) => eraseUser(parts, userId, options),
  })
}
