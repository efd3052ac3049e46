import { randomUUID } from 'node:crypto'
import { defineError } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, defineCollection, type Transaction } from '@agent-service/sdk/services/database'

/** Something that a person counts. */
export interface Counter {
  readonly id: string
  readonly user_id: string
  readonly name: string
  /** The name without differences of case: no two counters of a person have the same. */
  readonly key: string
  readonly count: number
  /** Milliseconds since 1970. */
  readonly created_at: number
}

export const counters = defineCollection<Counter>()({
  name: 'panel_tally.counters',
  version: 1,
  userField: 'user_id',
  indexes: {
    by_user: { fields: ['user_id', 'created_at', 'id'] },
    by_name: { fields: ['user_id', 'key'], unique: true },
  },
})

/** The screen has these words in German, too. */
const taken = { path: '/name', message: 'is the name of another counter' }

export const nameTakenError = defineError<Record<string, never>>({
  code: 'panel_tally_name_taken',
  status: 409,
  title: 'Name taken',
  message: () => 'You have a counter with this name. Choose another one.',
})

const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase()

/** @throws `panel_tally_name_taken`, with the problem at the field, if another counter of the person has the name. */
async function checkName(transaction: Transaction, userId: string, { id, name }: { readonly id: string; readonly name: string }) {
  const other = await transaction.find(counters, 'by_name', [userId, keyOf(name)])
  if (other !== undefined && other.id !== id) throw nameTakenError.create({}, { problems: [taken] })
}

/** @throws `not_found` for one that is not there, or is another person's. */
async function counterOf(transaction: Transaction, userId: string, id: string): Promise<Counter> {
  const counter = await transaction.get(counters, id)
  if (counter?.user_id !== userId) throw notFoundError.create({ what: 'counter' })
  return counter
}

export type Counters = ReturnType<typeof openCounters>

/** The stored counters of all users. A person reaches none but their own. */
export const openCounters = (database: Database, clock: Clock) => ({
  collection: database.collection(counters),
  add: (userId: string, name: string): Promise<Counter> =>
    database.transaction(async (transaction) => {
      const counter = { id: randomUUID(), user_id: userId, name, key: keyOf(name), count: 0, created_at: clock.now() }
      await checkName(transaction, userId, counter)
      transaction.insert(counters, counter)
      return counter
    }),
  rename: (userId: string, id: string, name: string): Promise<Counter> =>
    database.transaction(async (transaction) => {
      const counter = { ...(await counterOf(transaction, userId, id)), name, key: keyOf(name) }
      await checkName(transaction, userId, counter)
      transaction.put(counters, counter)
      return counter
    }),
  /** Counts up by one; two at the same time count two. */
  count: (userId: string, id: string): Promise<Counter> =>
    database.transaction(async (transaction) => {
      const before = await counterOf(transaction, userId, id)
      const counter = { ...before, count: before.count + 1 }
      transaction.put(counters, counter)
      return counter
    }),
  remove: (userId: string, id: string): Promise<void> =>
    database.transaction(async (transaction) => {
      await counterOf(transaction, userId, id)
      transaction.delete(counters, id)
    }),
})
