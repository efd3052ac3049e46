import type { MemoryBackend } from '../../../contracts/memory-backend/memory-backend.js'
import { describeTwins } from './break-backend.test.js'
import { chats, deleted, sweeps } from './suite-titles.test.js'

function failingWhenLate({ chatChanged }: MemoryBackend): Partial<MemoryBackend> {
  let last = ''
  return {
    async chatChanged(change, call) {
      if (change.at < last) throw new Error('too late')
      last = change.at
      await chatChanged(change, call)
    },
  }
}

function everythingGone({ chatChanged, erase }: MemoryBackend): Partial<MemoryBackend> {
  return {
    async chatChanged(change, call) {
      await chatChanged(change, call)
      if (change.reason === 'deleted') await erase(change.userId, call)
    },
  }
}

function endingMemories({ list }: MemoryBackend): Partial<MemoryBackend> {
  let calls = 0
  return {
    async list(...call) {
      calls += 1
      const page = await list(...call)
      return { ...page, items: page.items.slice(calls) }
    },
  }
}

describeTwins('chats and time', [
  ['changes of chats that fail when they are late', failingWhenLate, [chats]],
  ['deleted chats without effect', () => ({ chatChanged: async (_, { signal }) => signal.throwIfAborted() }), [deleted]],
  ['deleted chats that take everything along', everythingGone, [deleted]],
  ['memories that end after a day', endingMemories, [sweeps]],
])
