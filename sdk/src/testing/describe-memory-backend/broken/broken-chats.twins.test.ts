import type { MemoryBackend } from '../../../contracts/memory-backend/memory-backend.js'
import { describeTwins, importing } from './break-backend.test.js'
import { chats, deleted, messages, sweeps } from './suite-titles.test.js'

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

function keysOfLivingMemories({ chatChanged, remember }: MemoryBackend): Partial<MemoryBackend> {
  let deletions = 0
  return {
    async chatChanged(change, call) {
      await chatChanged(change, call)
      if (change.reason === 'deleted') deletions += 1
    },
    remember: (memory, call) => remember({ ...memory, key: `${memory.key}-${deletions}` }, call),
  }
}

/** Takes the first message of a deleted chat from the evidence, and leaves the others. */
const firstMessageAlone = importing((record) => ({
  ...record,
  evidence: record.evidence.map((each, index) => (index === 0 ? each : { ...each, chatId: `${each.chatId}-${index}` })),
}))

describeTwins('chats and time', [
  ['a deleted chat that frees the key', keysOfLivingMemories, [messages]],
  ['a deleted chat of which the second message stays', firstMessageAlone, [messages]],
  ['changes of chats that fail when they are late', failingWhenLate, [chats]],
  ['deleted chats without effect', () => ({ chatChanged: async (_, { signal }) => signal.throwIfAborted() }), [deleted]],
  ['deleted chats that take everything along', everythingGone, [deleted]],
  ['memories that end after a day', endingMemories, [sweeps]],
])
