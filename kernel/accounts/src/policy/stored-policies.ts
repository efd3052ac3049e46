import { setImmediate } from 'node:timers/promises'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Page, Transaction } from '@agent-service/sdk/services/database'
import { policiesBusyError, tooManyPoliciesError } from './errors.js'
import { type PolicyRecord, policies, policyGuard } from './policy-records.js'

/** The limit of stored policies in a deployment. */
export const maxStoredPolicies = 1_000

const snapshotAttempts = 16

/** All stored policies as they were at one revision. */
export interface PolicySnapshot {
  readonly revision: number
  /** From old to new. */
  readonly policies: readonly PolicyRecord[]
}

/** The write of a change. `before` is absent for a new policy, `after` for a deleted one. */
export interface PolicyWrite {
  readonly before?: PolicyRecord
  readonly after?: PolicyRecord
}

/** The policies of this deployment in the database. */
export interface StoredPolicies {
  get(id: string): Promise<PolicyRecord | undefined>
  /** A consistent snapshot. @throws `policies_busy` if they keep changing. */
  snapshot(): Promise<PolicySnapshot>
  /**
   * Writes a change that was checked against a snapshot. Returns false and writes nothing if the
   * policies have changed since.
   * @throws `too_many_policies`.
   */
  write(revision: number, writes: readonly PolicyWrite[], alongside: (transaction: Transaction) => void): Promise<boolean>
  now(): string
}

/** Makes the access to them. */
export function createStoredPolicies(dependencies: { readonly database: Database; readonly clock: Clock }): StoredPolicies {
  const { database, clock } = dependencies
  const stored = database.collection(policies)
  const revisionNow = async (): Promise<number> => (await database.collection(policyGuard).get('policies'))?.revision ?? 0

  const readAll = async (): Promise<readonly PolicyRecord[]> => {
    const all: PolicyRecord[] = []
    let page: Page<PolicyRecord> | undefined
    do {
      // Others get their turn between two pages.
      if (page) await setImmediate()
      page = await stored.query({ index: 'by_creation', limit: 50, ...(page?.nextCursor === undefined ? {} : { cursor: page.nextCursor }) })
      all.push(...page.items)
    } while (page.nextCursor !== undefined)
    return all
  }

  return {
    get: (id) => stored.get(id),
    async snapshot() {
      for (let attempt = 0; attempt < snapshotAttempts; attempt++) {
        const revision = await revisionNow()
        const all = await readAll()
        if ((await revisionNow()) === revision) return { revision, policies: all }
      }
      throw policiesBusyError.create({}, { retryAfterSeconds: 1 })
    },
    write: (revision, writes, alongside) =>
      database.transaction(async (transaction) => {
        const guard = (await transaction.get(policyGuard, 'policies')) ?? { id: 'policies', revision: 0, count: 0 }
        if (guard.revision !== revision) return false
        let { count } = guard
        for (const { before, after } of writes) {
          if (after) transaction.put(policies, after)
          else if (before) transaction.delete(policies, before.id)
          count += Number(after !== undefined) - Number(before !== undefined)
        }
        if (count > maxStoredPolicies && count > guard.count) throw tooManyPoliciesError.create({ limit: maxStoredPolicies })
        transaction.put(policyGuard, { id: 'policies', revision: revision + 1, count })
        alongside(transaction)
        return true
      }),
    now: () => new Date(clock.now()).toISOString(),
  }
}
