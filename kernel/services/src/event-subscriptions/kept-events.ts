import { eventNumber } from '@agent-service/kernel-core/events'
import type { Lease, ProcessLeases } from '@agent-service/kernel-core/leases'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Page, Transaction } from '@agent-service/sdk/services/database'
import type { EventInput } from '@agent-service/sdk/services/events'
import { v7 as uuid } from 'uuid'
import { type KeptRecord, keptCollection, type SetAsideRecord, setAsideCollection } from './subscription-records.js'

/** A waiting event or gap, and its number in commit order. */
export interface WaitingEvent {
  readonly id: string
  readonly number: number
}

/**
 * Events that subscriptions have not acknowledged. Each has one document for all subscriptions; the
 * last acknowledgement deletes it.
 */
export interface KeptEvents {
  /** Writes an event with the transaction of its change. */
  insert(transaction: Transaction, event: EventInput, position: number, subscriptions: readonly string[]): void
  /**
   * One user's events that wait for a subscription, in commit order: everything committed before
   * the first page was read, nothing twice.
   */
  waiting(userId: string, subscription: string): Promise<readonly WaitingEvent[]>
  /** The event, if it waits for the subscription. */
  get(id: string, subscription: string): Promise<KeptRecord | undefined>
  /** All kept records, or those since a time, page by page. */
  all(options: { readonly since?: string; readonly signal?: AbortSignal }): AsyncIterable<KeptRecord>
  /** Removes a handled event. @throws `lease_lost` if another process now has the subscription. */
  acknowledge(event: WaitingEvent, subscription: string, lease: Lease): Promise<void>
  /** Stores the number of attempts. @throws as {@link acknowledge}. */
  noteAttempts(event: WaitingEvent, subscription: string, attempts: number, lease: Lease): Promise<void>
  /**
   * Moves an event that is not tried again to the set-aside events.
   * @throws as {@link acknowledge}.
   */
  setAside(
    event: WaitingEvent,
    subscription: string,
    failed: { readonly attempts: number; readonly error: string },
    lease: Lease,
  ): Promise<void>
  /** Replaces events beyond the subscription's limits by a gap. Returns how many were dropped. */
  drop(userId: string, subscription: string, ids: readonly string[]): Promise<number>
  /** Removes these for the subscription, without a gap. */
  release(subscription: string, ids: readonly string[]): Promise<void>
}

/** Makes the store. */
export function createKeptEvents(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly leases: Pick<ProcessLeases, 'confirm'>
  /** The revision of the newest commit that this process knows. */
  readonly revision: () => number
}): KeptEvents {
  const { database, clock, leases, revision } = dependencies
  const kept = database.collection(keptCollection)
  const timestamp = (): string => new Date(clock.now()).toISOString()

  const numbered = async (id: string): Promise<(WaitingEvent & { readonly record: KeptRecord }) | undefined> => {
    const entry = await kept.getEntry(id)
    if (!entry) return undefined
    const { document: record, revision } = entry
    return { id, number: record.number ?? eventNumber(revision, record.kind === 'event' ? record.position : 0), record }
  }

  const pagesOf = async function* (query: Parameters<typeof kept.query>[0], signal?: AbortSignal): AsyncIterable<Page<KeptRecord>> {
    let cursor: string | undefined
    do {
      signal?.throwIfAborted()
      const page = await kept.query({ ...query, limit: 200, ...(cursor === undefined ? {} : { cursor }) })
      yield page
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }

  /**
   * Changes one record for one subscription; does nothing if it does not wait for that
   * subscription.
   */
  const change = (
    { id, number }: WaitingEvent,
    subscription: string,
    lease: Lease,
    write: (transaction: Transaction, record: KeptRecord) => void,
  ): Promise<void> =>
    database.transaction(async (transaction) => {
      await leases.confirm(transaction, lease)
      const record = await transaction.get(keptCollection, id)
      if (record?.pending.includes(subscription)) write(transaction, { ...record, number })
    })

  return {
    insert(transaction, { userId, name, data }, position, pending) {
      transaction.insert(keptCollection, {
        ...{
          kind: 'event',
          id: uuid(),
          user_id: userId,
          name,
          data,
          position,
          recorded_at: timestamp(),
          pending,
          attempts: {},
          number: null,
        },
      })
    },
    async waiting(userId, subscription) {
      const found: WaitingEvent[] = []
      // Pages are of different moments: an earlier page may have missed an event before one that is
      // newer than the first page.
      let bound = eventNumber(revision() + 1, 0) - 1
      let pages = 0
      for await (const page of pagesOf({ index: 'by_user', equals: [userId] })) {
        const wanted = page.items.filter(({ pending }) => pending.includes(subscription))
        const here = (await Promise.all(wanted.map(({ id }) => numbered(id)))).flatMap((entry) => entry ?? [])
        pages += 1
        if (pages === 1 && page.nextCursor === undefined) bound = Number.POSITIVE_INFINITY
        if (pages === 1) bound = Math.max(bound, ...here.map(({ number }) => number))
        found.push(...here.map(({ id, number }) => ({ id, number })))
      }
      return found.filter(({ number }) => number <= bound).sort((one, other) => one.number - other.number)
    },
    async get(id, subscription) {
      const record = await kept.get(id)
      return record?.pending.includes(subscription) ? record : undefined
    },
    async *all({ since, signal }) {
      for await (const page of pagesOf({ index: 'by_time', ...(since === undefined ? {} : { from: since }) }, signal)) yield* page.items
    },
    acknowledge: (event, subscription, lease) =>
      change(event, subscription, lease, (transaction, record) => settle(transaction, record, subscription)),
    noteAttempts: (event, subscription, attempts, lease) =>
      change(event, subscription, lease, (transaction, record) =>
        transaction.put(keptCollection, { ...record, attempts: { ...record.attempts, [subscription]: attempts } }),
      ),
    setAside: (event, subscription, { attempts, error }, lease) =>
      change(event, subscription, lease, (transaction, record) => {
        transaction.put(setAsideCollection, {
          ...setAsideOf(record),
          id: `${subscription}/${record.id}`,
          ...{ subscription, attempts, error, set_aside_at: timestamp() },
        })
        settle(transaction, record, subscription)
      }),
    async drop(userId, subscription, ids) {
      const entries = (await Promise.all(ids.map(numbered))).flatMap((entry) => entry ?? [])
      const gapId = `gap/${subscription}/${userId}`
      return database.transaction(async (transaction) => {
        let lost = 0
        let newest: { readonly number: number; readonly recorded_at: string } | undefined
        for (const { id, number } of entries) {
          const record = await transaction.get(keptCollection, id)
          if (!record?.pending.includes(subscription)) continue
          lost += record.kind === 'gap' ? 0 : 1
          if (record.kind === 'event') settle(transaction, { ...record, number }, subscription)
          if (!newest || number > newest.number) newest = { number, recorded_at: record.recorded_at }
        }
        if (lost === 0 || !newest) return 0
        const before = await transaction.get(keptCollection, gapId)
        const already = before?.kind === 'gap' ? before.lost : 0
        transaction.put(keptCollection, {
          ...{ kind: 'gap', id: gapId, user_id: userId, pending: [subscription], attempts: {}, lost: already + lost },
          number: Math.max(newest.number, before?.number ?? 0),
          recorded_at: newest.recorded_at,
        })
        return lost
      })
    },
    async release(subscription, ids) {
      const entries = (await Promise.all(ids.map(numbered))).flatMap((entry) => entry ?? [])
      await database.transaction(async (transaction) => {
        for (const { id, number } of entries) {
          const record = await transaction.get(keptCollection, id)
          if (record?.pending.includes(subscription)) settle(transaction, { ...record, number }, subscription)
        }
      })
    },
  }
}

/** Removes a subscription from a record; the last one deletes the record. */
function settle(transaction: Transaction, record: KeptRecord, subscription: string): void {
  const pending = record.pending.filter((id) => id !== subscription)
  const { [subscription]: _, ...attempts } = record.attempts
  if (pending.length === 0) transaction.delete(keptCollection, record.id)
  else transaction.put(keptCollection, { ...record, pending, attempts })
}

const setAsideOf = (record: KeptRecord): Pick<SetAsideRecord, 'user_id' | 'event_id' | 'name' | 'data' | 'recorded_at'> => ({
  user_id: record.user_id,
  event_id: record.id,
  recorded_at: record.recorded_at,
  ...(record.kind === 'event' ? { name: record.name, data: record.data } : { name: 'gap', data: { lost: record.lost } }),
})
