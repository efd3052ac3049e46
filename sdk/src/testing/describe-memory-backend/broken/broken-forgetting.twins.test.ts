import type { MemoryBackend } from '../../../contracts/memory-backend/memory-backend.js'
import type { MemoryItem } from '../../../contracts/memory-backend/memory-record.js'
import { describeTwins, exporting, never, nothing } from './break-backend.test.js'
import { byId, exports, foreign, forgets, forgotten } from './suite-titles.test.js'

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

describeTwins('forgetting', [
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
