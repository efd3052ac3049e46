import type { MemoryBackend } from '../../../contracts/memory-backend/memory-backend.js'
import type { MemoryRecord } from '../../../contracts/memory-backend/memory-record.js'
import { ada, bob } from '../suite-bench.js'
import { describeTwins, never, nothing } from './break-backend.test.js'
import { erases, forgets, keys, remembers, sameId, scopes, unknown, users } from './suite-titles.test.js'

function sharedUsers(backend: MemoryBackend): Partial<MemoryBackend> {
  const userId = 'everyone'
  return {
    remember: (memory, call) => backend.remember({ ...memory, userId }, call),
    list: (reader, call) => backend.list({ ...reader, userId }, call),
    search: (query, call) => backend.search({ ...query, userId }, call),
    erase: (_, call) => backend.erase(userId, call),
  }
}

const withoutAgent =
  <Reader extends { readonly agentId?: string }, Options, Result>(method: (reader: Reader, options: Options) => Promise<Result>) =>
  ({ agentId: _, ...reader }: Reader, options: Options): Promise<Result> =>
    method(reader as Reader, options)

function erasureThatLeaves({ erase, export: read, import: take }: MemoryBackend): Partial<MemoryBackend> {
  return {
    async erase(userId, call) {
      const left: MemoryRecord[] = []
      for await (const record of read(userId, call)) if (record.forgotten) left.push(record)
      await erase(userId, call)
      await take(
        userId,
        (async function* () {
          yield* left
        })(),
        call,
      )
    },
  }
}

/** As in a table whose key is the id alone. */
function oneTableForAll({ import: take, forget }: MemoryBackend): Partial<MemoryBackend> {
  return {
    async import(userId, records, call) {
      const other = userId === ada ? bob : ada
      async function* moved() {
        for await (const record of records) {
          await forget(record.id, { userId: other, signal: never })
          yield record
        }
      }
      return await take(userId, moved(), call)
    },
  }
}

function deletedForAll({ chatChanged }: MemoryBackend): Partial<MemoryBackend> {
  return {
    async chatChanged(change, call) {
      for (const userId of [ada, bob]) await chatChanged({ ...change, userId }, call)
    },
  }
}

describeTwins('users and scopes', [
  ['an import that takes the memory of another user with the same id', oneTableForAll, [sameId]],
  ['a deleted chat that takes memories of another user along', deletedForAll, [users]],
  [
    'lost scopes',
    ({ remember }) => ({ remember: (memory, call) => remember({ ...memory, scope: { kind: 'user' } }, call) }),
    [remembers, scopes],
  ],
  ['memories of one user for all', sharedUsers, [keys, users, erases]],
  [
    'memories of all agents for each',
    ({ list, search, promptText }) => ({ list: withoutAgent(list), search: withoutAgent(search), promptText }),
    [scopes],
  ],
  ['no memories of spaces', ({ promptText }) => ({ promptText: ({ spaceId: _, ...reader }, call) => promptText(reader, call) }), [scopes]],
  [
    'a person who sees those of no agent',
    ({ list }) => ({ list: (reader, call) => list({ agentId: 'none', ...reader }, call) }),
    [remembers, scopes],
  ],
  [
    'changes of what is not there',
    ({ change }) => ({ change: async (...call) => (await change(...call)) ?? nothing }),
    [unknown, users, forgets],
  ],
  [
    'forgetting that always works',
    ({ forget }) => ({ forget: async (...call) => (await forget(...call)) || true }),
    [unknown, users, forgets],
  ],
  ['an erasure that leaves what was forgotten', erasureThatLeaves, [erases]],
  ['an erasure of nothing', () => ({ erase: async () => undefined }), [erases]],
])
