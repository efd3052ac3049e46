import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { EventInput } from '@agent-service/sdk/services/events'
import { v7 as uuid } from 'uuid'
import { eventNumber } from './event-numbers.js'
import { type EventRecord, eventFloors, storedEvents } from './event-records.js'
import { type PublishedEvent, publishedEvent } from './published-event.js'

/**
 * Events are kept this much longer than promised, because a slow transaction may make the orders of
 * `recorded_at` and of commits differ.
 */
export const pruneSlackMs = 15_000

/** State events on disk. */
export interface EventStore {
  insert(transaction: Transaction, event: EventInput, position: number): void
  /**
   * A user's events with `after` < number <= `until`, by number; ends with `reset` as soon as one
   * of them is no longer stored.
   */
  read(userId: string, range: { readonly after: number; readonly until: number }): AsyncIterable<PublishedEvent | 'reset'>
  /**
   * Deletes expired events, in batches. `keptSince` returns the time since which a user's events
   * are kept.
   */
  prune(options: { readonly keptSince: (userId: string) => number; readonly signal: AbortSignal }): Promise<void>
}

/** Makes the store. No user's events up to `floor` can be read. */
export function createEventStore(dependencies: { readonly database: Database; readonly clock: Clock; readonly floor: number }): EventStore {
  const { database, clock, floor } = dependencies
  const events = database.collection(storedEvents)
  const floors = database.collection(eventFloors)

  const floorOf = async (userId: string): Promise<number> => Math.max(floor, (await floors.get(userId))?.floor ?? 0)

  /** The event with its number; `undefined` if it was deleted. */
  const numbered = async (id: string): Promise<{ readonly number: number; readonly record: EventRecord } | undefined> => {
    const entry = await events.getEntry(id)
    return entry && { number: eventNumber(entry.revision, entry.document.position), record: entry.document }
  }

  const idsInRange = async (userId: string, after: number, until: number): Promise<readonly string[]> => {
    const found: { readonly id: string; readonly number: number }[] = []
    let cursor: string | undefined
    do {
      const page = await events.query({ index: 'by_user', equals: [userId], limit: 200, ...(cursor === undefined ? {} : { cursor }) })
      for (const entry of await Promise.all(page.items.map(({ id }) => numbered(id)))) {
        if (entry && entry.number > after && entry.number <= until) found.push({ id: entry.record.id, number: entry.number })
      }
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return found.sort((a, b) => a.number - b.number).map(({ id }) => id)
  }

  return {
    insert(transaction, { userId, name, data }, position) {
      transaction.insert(storedEvents, { id: uuid(), user_id: userId, name, data, position, recorded_at: timestamp(clock.now()) })
    },
    async *read(userId, { after, until }) {
      if (after >= until) return
      if ((await floorOf(userId)) > after) {
        yield 'reset'
        return
      }
      const ids = await idsInRange(userId, after, until)
      // The floor rises before a deletion: if it has not changed, the list is complete.
      if ((await floorOf(userId)) > after) {
        yield 'reset'
        return
      }
      for (const id of ids) {
        const entry = await numbered(id)
        if (!entry) {
          yield 'reset'
          return
        }
        yield publishedEvent(entry.number, entry.record.name, entry.record.data)
      }
    },
    async prune({ keptSince, signal }) {
      const to = timestamp(clock.now() - pruneSlackMs)
      let cursor: string | undefined
      do {
        signal.throwIfAborted()
        const page = await events.query({ index: 'by_time', to, limit: 200, ...(cursor === undefined ? {} : { cursor }) })
        const byUser = new Map<string, string[]>()
        for (const { id, user_id, recorded_at } of page.items) {
          if (Date.parse(recorded_at) >= keptSince(user_id) - pruneSlackMs) continue
          byUser.set(user_id, [...(byUser.get(user_id) ?? []), id])
        }
        for (const [userId, ids] of byUser) await drop(userId, ids)
        cursor = page.nextCursor
      } while (cursor !== undefined)
    },
  }

  async function drop(userId: string, ids: readonly string[]): Promise<void> {
    const entries = await Promise.all(ids.map(numbered))
    const highest = entries.reduce((number, entry) => Math.max(number, entry?.number ?? 0), 0)
    await database.transaction(async (transaction) => {
      const before = (await transaction.get(eventFloors, userId))?.floor ?? 0
      if (highest > before) transaction.put(eventFloors, { id: userId, user_id: userId, floor: highest })
      for (const id of ids) transaction.delete(storedEvents, id)
    })
  }
}

const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString()
