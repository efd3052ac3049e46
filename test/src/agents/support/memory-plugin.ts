import { definePlugin } from '@agent-service/sdk'
import { type MemoryItem, type MemoryOwner, memoryService, type RememberOptions } from '@agent-service/sdk/services/memory'

/** Something kept, with what came with it. */
export type KeptMemory = MemoryItem & Pick<RememberOptions, 'userId' | 'agentId' | 'chatId' | 'key'>

const kept = new Map<string, KeptMemory>()

/** What all kernels of the process have remembered since the last {@link clearMemory}. */
export const keptMemories = (): readonly KeptMemory[] => [...kept.values()]
export const clearMemory = (): void => kept.clear()

const isOf =
  ({ userId, agentId }: MemoryOwner) =>
  (memory: KeptMemory): boolean =>
    memory.userId === userId && memory.agentId === agentId

/** A memory that lives as long as the process and finds a word in a text. */
export default definePlugin({
  manifest: { id: 'memory-for-tests', apiVersion: 1, description: 'A memory of a process.', provides: ['memory'] },
  setup(context) {
    context.provide(memoryService, {
      async remember(text, { userId, agentId, chatId, key }) {
        const id = `${userId}/${key}`
        kept.set(id, kept.get(id) ?? { id, text, created_at: '2026-01-01T00:00:00.000Z', userId, agentId, chatId, key })
        return { id }
      },
      recall: async (query, { limit, ...owner }) =>
        [...kept.values()]
          .filter(isOf(owner))
          .filter(({ text }) => text.includes(query))
          .slice(0, limit)
          .map(({ id, text, created_at }) => ({ id, text, created_at })),
      forget: async (id, { userId }) => kept.get(id)?.userId === userId && kept.delete(id),
    })
  },
})
