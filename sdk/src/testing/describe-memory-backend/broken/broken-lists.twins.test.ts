import type { MemoryBackend } from '../../../contracts/memory-backend/memory-backend.js'
import type { MemoryItem } from '../../../contracts/memory-backend/memory-record.js'
import { type Change, describeTwins, listing } from './break-backend.test.js'
import { answers, byId, changes, cursors, foreign, goesOn, listedKinds, ofOne, pages, twoChanges } from './suite-titles.test.js'

const countingCursors: Change = (backend) => ({
  async list(reader, { limit, cursor, ...options }) {
    const { items } = await backend.list(reader, { ...options, limit: 10_000 })
    const from = Number(cursor ?? 0)
    return { items: items.slice(from, from + limit), ...(items.length > from + limit && { nextCursor: String(from + limit) }) }
  },
})

function slowChanges({ list, change }: MemoryBackend): Partial<MemoryBackend> {
  return {
    async change(id, changed, call) {
      const { items } = await list({ userId: call.userId }, { limit: 100, signal: call.signal })
      const item = items.find((each) => each.id === id)
      await Promise.resolve()
      return item && change(id, { text: item.text, pinned: item.pinned, ...changed }, call)
    },
  }
}

/** Lists and exports the objects that it gave before, brought up to date. */
function oneObjectForEach({ list, export: exportAll }: MemoryBackend): Partial<MemoryBackend> {
  const given = new Map<string, MemoryItem>()
  const again = <Item extends MemoryItem>(item: Item): Item => {
    const present = Object.assign(given.get(item.id) ?? {}, item)
    given.set(item.id, present)
    return present
  }
  return {
    list: async (...call) => {
      const page = await list(...call)
      return { ...page, items: page.items.map(again) }
    },
    async *export(...call) {
      for await (const record of exportAll(...call)) yield again(record)
    },
  }
}

describeTwins('lists', [
  ['pages over the limit', ({ list }) => ({ list: (reader, options) => list(reader, { ...options, limit: options.limit + 1 }) }), [pages]],
  [
    'a list that ends with its first page',
    ({ list }) => ({ list: async (...call) => ({ items: (await list(...call)).items }) }),
    [pages, goesOn],
  ],
  [
    'the oldest first',
    ({ list }) => ({
      list: async (reader, options) => ({
        items: [...(await list(reader, { ...options, limit: 10_000 })).items].reverse().slice(0, options.limit),
      }),
    }),
    [pages],
  ],
  ['cursors that count', countingCursors, [goesOn, cursors]],
  [
    'any cursor',
    ({ list }) => ({ list: (reader, { cursor, ...options }) => list(reader, cursor?.startsWith('["') ? { ...options, cursor } : options) }),
    [cursors],
  ],
  ['lists of all kinds', ({ list }) => ({ list: (reader, { kinds: _, ...options }) => list(reader, options) }), [listedKinds, foreign]],
  ['memories by id for anyone', ({ get }) => ({ get: (id, { userId }, call) => get(id, { userId }, call) }), [byId]],
  ['memories by id for no one', () => ({ get: async (_, __, { signal }) => void signal.throwIfAborted() }), [byId]],
  ['lists of all scopes', ({ list }) => ({ list: (reader, { scope: _, ...options }) => list(reader, options) }), [ofOne]],
  ['lists of all pages', ({ list }) => ({ list: (reader, { pageId: _, ...options }) => list(reader, options) }), [listedKinds]],
  ['a change that unpins', ({ change }) => ({ change: (id, changed, call) => change(id, { pinned: false, ...changed }, call) }), [changes]],
  ['items that change with the memory', oneObjectForEach, [answers]],
  ['what a forgotten text is known by, in a list', listing((item) => Object.assign({ digests: [] }, item)), [answers]],
  ['a change that reads first and writes later', slowChanges, [twoChanges]],
])
