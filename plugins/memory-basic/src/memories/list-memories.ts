import { pageCursorError } from '@agent-service/sdk/contracts/http-route'
import { isInMemoryScope, type MemoryBackend, type MemoryPage } from '@agent-service/sdk/contracts/memory-backend'
import { leadingOf } from '@agent-service/sdk/memory-index'
import type { StoredMemory } from '../store/collections.js'
import type { Memories } from '../store/memory-store.js'
import { newestFirst } from './prompt-text.js'
import { isSeenBy, itemOf } from './records.js'

type Place = Pick<StoredMemory, 'updated_at' | 'id'>

/** One page of what a reader sees, those changed last first. A cursor is the place of the last one. */
export function listMemories(
  memories: Memories,
  reader: Parameters<MemoryBackend['list']>[0],
  { limit, cursor, kinds, scope, pageId }: Parameters<MemoryBackend['list']>[1],
): MemoryPage {
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const isWanted = (memory: StoredMemory): boolean =>
    isSeenBy(reader, memory) &&
    isInMemoryScope(memory.scope, scope) &&
    kinds?.includes(memory.kind) !== false &&
    (pageId === undefined || memory.page_id === pageId) &&
    (after === undefined || newestFirst(memory, after as StoredMemory) > 0)
  // Without an order of all: a page needs only its own.
  const { items: found } = leadingOf(filtered(memories.values(), isWanted), { compare: newestFirst, weigh: () => 1, max: limit + 1 })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return { items: page.map(itemOf), ...(last && found.length > limit && { nextCursor: writeCursor(last) }) }
}

const writeCursor = ({ updated_at, id }: Place): string => Buffer.from(JSON.stringify([updated_at, id])).toString('base64url')

function readCursor(cursor: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor.slice(0, 1_000), 'base64url').toString())
    if (Array.isArray(place) && place.length === 2 && typeof place[0] === 'string' && typeof place[1] === 'string')
      return { updated_at: place[0], id: place[1] }
  } catch {
    // Not JSON: refused like any other foreign cursor.
  }
  throw pageCursorError.create({})
}

function* filtered<Item>(items: Iterable<Item>, isWanted: (item: Item) => boolean): Generator<Item> {
  for (const item of items) if (isWanted(item)) yield item
}
