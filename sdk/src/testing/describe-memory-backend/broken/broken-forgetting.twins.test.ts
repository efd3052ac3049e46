import type { MemoryBackend } from '../../../contracts/memory-backend/memory-backend.js'
import type { MemoryItem, MemoryRecord } from '../../../contracts/memory-backend/memory-record.js'
import { describeTwins, exporting, never, nothing } from './break-backend.test.js'
import { byId, exports, foreign, forgets, forgotten, meanwhile } from './suite-titles.test.js'

function keepsTexts({ remember, export: read }: MemoryBackend): Partial<MemoryBackend> {
  const texts = new Map<string, string>()
  return {
    async remember(memory, call) {
      const stored = await remember(memory, call)
      texts.set(stored.id, memory.text)
      return stored
    },
    async *export(...call) {
      for await (const record of read(...call)) yield { ...record, text: texts.get(record.id) ?? record.text }
    },
  }
}

async function forgottenOf({ export: read }: MemoryBackend, id: string, userId: string): Promise<MemoryItem | undefined> {
  for await (const record of read(userId, { signal: never })) if (record.id === id) return { ...nothing, id }
  return undefined
}

/** Reads, lets others work, and writes what it has read. */
function lateWrites({ change, get, import: take }: MemoryBackend): Partial<MemoryBackend> {
  return {
    async change(id, changes, call) {
      const before = await get(id, call, call)
      if (before === undefined) return undefined
      await new Promise((resolve) => setImmediate(resolve))
      const changed = await change(id, changes, call)
      if (changed !== undefined) return changed
      async function* written() {
        yield { format: 1, ...before, ...changes, updatedAt: '2099-01-01T00:00:00.000Z' } as MemoryRecord
      }
      await take(call.userId, written(), call)
      return before
    },
  }
}

describeTwins('forgetting', [
  ['a change that brings back what is forgotten meanwhile', lateWrites, [meanwhile]],
  [
    'forgotten ones that stay in prompts',
    ({ promptText }) => ({ promptText: async (...call) => `${await promptText(...call)} to be forgotten` }),
    [forgets],
  ],
  ['exports without forgotten ones', exporting((record) => (record.forgotten ? undefined : record)), [forgotten, exports, foreign]],
  ['exports with the text of forgotten ones', keepsTexts, [forgotten]],
  [
    'forgotten memories by their id',
    (backend) => ({ get: async (id, reader, call) => (await backend.get(id, reader, call)) ?? forgottenOf(backend, id, reader.userId) }),
    [byId],
  ],
])
