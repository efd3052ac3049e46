import type { Logger } from '@agent-service/sdk'
import { createLimiter } from '@agent-service/sdk/async'
import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { textOf } from '../common/time.js'
import { type Vault, vaultCollection } from '../store/vault.js'
import type { VaultSync } from './sync-vault.js'
import type { SystemVault } from './system-vaults.js'

const maxConcurrent = 4
/** How many one run synchronises, how many of them of one user, and how many that are due it looks at. */
const maxInRun = 50
const maxOfUser = 2
const maxLooked = 1_000

/**
 * Synchronises the connections that are due, a few at a time and few of each user, so that slow vaults
 * of one do not keep those of others from their turn; in one process of a deployment.
 */
export function createSyncJob(dependencies: {
  readonly database: Pick<Database, 'collection'>
  readonly clock: Pick<Clock, 'now'>
  readonly system: readonly SystemVault[]
  readonly sync: VaultSync
  readonly log: Logger
}): SchedulerJob {
  const { database, clock, system, sync, log } = dependencies
  return defineJob({
    id: 'feature-agent-credentials.sync-vaults',
    title: 'Synchronise connections to vaults',
    everySeconds: 30,
    timeoutSeconds: 600,
    async run({ signal }) {
      const due = await dueVaults({ database, system, now: clock.now() })
      const limiter = createLimiter({ maxConcurrent, maxWaiting: due.length })
      await Promise.all(
        due.map(async ({ id }) => {
          const release = await limiter.acquire({ signal })
          try {
            await sync.sync(id, { signal })
          } catch (error) {
            signal.throwIfAborted()
            log.warn('A connection to a vault was not synchronised.', { vault_id: id, error })
          } finally {
            release()
          }
        }),
      )
    },
  })
}

/** The longest due first. */
async function dueVaults({
  database,
  system,
  now,
}: {
  readonly database: Pick<Database, 'collection'>
  readonly system: readonly SystemVault[]
  readonly now: number
}): Promise<readonly Vault[]> {
  const due: Vault[] = []
  const ofUsers = new Map<string, number>()
  const place = { index: 'by_next_sync', from: '', to: textOf(now + 1), limit: 100 }
  let cursor: string | undefined
  for (let looked = 0; looked < maxLooked && due.length < maxInRun; looked += place.limit) {
    const page = await database.collection(vaultCollection).query({ ...place, ...(cursor !== undefined && { cursor }) })
    for (const vault of page.items) {
      const { id, user_id: userId } = vault
      const count = (userId === null ? 0 : (ofUsers.get(userId) ?? 0)) + 1
      const isDue = userId === null ? system.some((each) => each.id === id) : count <= maxOfUser
      if (!isDue || due.length >= maxInRun) continue
      if (userId !== null) ofUsers.set(userId, count)
      due.push(vault)
    }
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  return due
}

/** Synchronises the deployment's connections at the start, in the background. A failure is in their state. */
export function syncAtStart(dependencies: {
  readonly system: readonly SystemVault[]
  readonly sync: VaultSync
  readonly settled: () => Promise<void>
  readonly signal: AbortSignal
  readonly log: Logger
}): void {
  const { system, sync, settled, signal, log } = dependencies
  if (system.length === 0) return
  void settled()
    .then(() => Promise.all(system.map(({ id }) => sync.sync(id, { signal }))))
    .catch((error: unknown) => {
      if (!signal.aborted) log.error('The connections of the section “vault” could not be synchronised.', { error })
    })
}
