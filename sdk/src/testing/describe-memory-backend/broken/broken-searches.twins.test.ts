import type { MemoryBackend } from '../../../contracts/memory-backend/memory-backend.js'
import type { MemoryItem } from '../../../contracts/memory-backend/memory-record.js'
import { isInMemoryScope } from '../../../contracts/memory-backend/scope-filter.js'
import { describeTwins, never } from './break-backend.test.js'
import { behind, corrected, finds, forgets, kinds, limits, newer, ofOne, queries, scripts } from './suite-titles.test.js'

async function everything(list: MemoryBackend['list'], query: Parameters<MemoryBackend['search']>[0]) {
  const { items } = await list(query, { limit: 100, signal: never })
  return items.map((item) => ({ item, score: 1 }))
}

function staleSearch({ search }: MemoryBackend): Partial<MemoryBackend> {
  const seen = new Map<string, MemoryItem>()
  return {
    async search(query, call) {
      for (const { item } of await search({ ...query, limit: 100 }, call)) if (!seen.has(item.id)) seen.set(item.id, item)
      const words = query.text.toLowerCase().split(' ')
      return [...seen.values()]
        .filter(({ text }) => words.some((word) => text.toLowerCase().includes(word)))
        .map((item) => ({ item, score: 1 }))
    },
  }
}

function filteredForTheReader({ search }: MemoryBackend): Partial<MemoryBackend> {
  return {
    async search({ agentId, spaceId: _, ...query }, call) {
      const hits = await search(query, call)
      return hits.filter(({ item: { scope } }) => agentId === undefined || scope.kind !== 'agent' || scope.agentId === agentId)
    },
  }
}

describeTwins('searches', [
  ['searches that look at what the reader sees behind the limit', filteredForTheReader, [behind]],
  [
    'words of ASCII alone',
    ({ search }) => ({ search: (query, call) => search({ ...query, text: query.text.replace(/[^\w\s]/g, ' ') }, call) }),
    [scripts],
  ],
  [
    'searches that find everything',
    ({ list }) => ({ search: async (query) => everything(list, query) }),
    [finds, corrected, limits, kinds],
  ],
  [
    'the worst first',
    ({ search }) => ({
      search: async (query, call) => [...(await search({ ...query, limit: 100 }, call))].reverse().slice(0, query.limit),
    }),
    [finds],
  ],
  ['searches without a limit', ({ search }) => ({ search: (query, call) => search({ ...query, limit: 100 }, call) }), [limits]],
  ['searches of all kinds', ({ search }) => ({ search: ({ kinds: _, ...query }, call) => search(query, call) }), [kinds]],
  [
    'queries that are patterns',
    ({ search }) => ({ search: async (query, call) => (new RegExp(query.text).test('') ? [] : search(query, call)) }),
    [queries],
  ],
  [
    'searches that filter behind the limit',
    ({ search }) => ({
      search: async ({ scope, ...query }, call) => (await search(query, call)).filter(({ item }) => isInMemoryScope(item.scope, scope)),
    }),
    [ofOne],
  ],
  ['an index that is never brought up to date', staleSearch, [corrected, forgets, newer]],
])
