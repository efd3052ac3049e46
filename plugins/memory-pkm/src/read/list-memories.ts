import { pageCursorError } from '@agent-service/sdk/contracts/http-route'
import {
  isInMemoryScope,
  type MemoryKind,
  type MemoryPage,
  type MemoryReader,
  type MemoryScopeFilter,
} from '@agent-service/sdk/contracts/memory-backend'
import type { StoredMemory } from '../store/records.js'
import { itemOf, kindOf } from './item-view.js'
import { holds, isInScope } from './readable.js'
import type { DecaySettings } from './score.js'

/** What a person wants to see. */
export interface ListQuery {
  readonly limit: number
  readonly cursor?: string
  readonly kinds?: readonly MemoryKind[]
  readonly scope?: MemoryScopeFilter
  readonly pageId?: string
  readonly asOf?: string
  readonly now: number
}

/** One page of the memories of a reader that hold at a time, those changed last first. */
export function listMemories(
  memories: Iterable<StoredMemory>,
  reader: MemoryReader,
  { limit, cursor, kinds, scope, pageId, asOf, now }: ListQuery,
  settings: DecaySettings,
): MemoryPage {
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const found = [...memories]
    .filter((memory) => isInScope(memory.scope, reader) && isInMemoryScope(memory.scope, scope) && holds(memory, now, asOf))
    .filter((memory) => kinds === undefined || kinds.includes(kindOf(memory)))
    .filter((memory) => pageId === undefined || (memory.type !== 'page' && memory.type !== 'playbook' && memory.page_id === pageId))
    .sort((one, other) => compare(placeOf(one), placeOf(other)))
    .filter((memory) => after === undefined || compare(placeOf(memory), after) > 0)
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const more = found.length > items.length && last !== undefined
  return { items: items.map((memory) => itemOf(memory, settings)), ...(more && { nextCursor: writeCursor(placeOf(last)) }) }
}

type Place = readonly [updatedAt: string, id: string]

const placeOf = ({ updated_at: updatedAt, memory_id: id }: StoredMemory): Place => [updatedAt, id]

function compare([oneTime, oneId]: Place, [otherTime, otherId]: Place): number {
  if (oneTime !== otherTime) return oneTime < otherTime ? 1 : -1
  return oneId === otherId ? 0 : oneId < otherId ? -1 : 1
}

const writeCursor = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** @throws `cursor_invalid`. */
function readCursor(cursor: string): Place {
  const place = parsed(Buffer.from(cursor, 'base64url').toString())
  if (Array.isArray(place) && place.length === 2 && typeof place[0] === 'string' && typeof place[1] === 'string')
    return [place[0], place[1]]
  throw pageCursorError.create({})
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No JSON is no place.
    return undefined
  }
}
