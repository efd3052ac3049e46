import { type Logger, ServiceError } from '@agent-service/sdk'
import { createSingleFlight, withTimeLimit } from '@agent-service/sdk/async'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import { type VaultTest, vaultUnavailableError } from '@agent-service/sdk/contracts/vault-connector'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { PluginEvents } from '@agent-service/sdk/services/events'
import type { Notifications } from '@agent-service/sdk/services/notifications'
import { maxStoredItems, syncMs } from '../common/limits.js'
import type { CredentialMetrics } from '../common/metrics.js'
import { textOf, textOrNull } from '../common/time.js'
import type { AccessLog } from '../log/access-log.js'
import { type StoredItem, type Vault, vaultCollection } from '../store/vault.js'
import { checkedItems, line } from './checked-items.js'
import { notifyOfVault } from './notify-of-vault.js'
import { useVault, type VaultUse } from './read-item.js'
import { storeItems } from './stored-items.js'
import { nextSyncAfter, nextTryAfter } from './sync-times.js'

/** Asks vaults for their items, without values, and keeps their state. */
export interface VaultSync {
  /**
   * Tests a connection, prolongs its credentials if it can, and stores the list of its items. Calls
   * at the same time share one. Resolves to the new state, also when the vault failed: that is in
   * its `failure`. @throws `not_found`, the signal's reason.
   */
  sync(vaultId: string, options: { readonly signal: AbortSignal }): Promise<Vault>
}

export interface VaultSyncDependencies extends VaultUse {
  readonly database: Database
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly events: Pick<PluginEvents, 'record'>
  readonly accessLog: AccessLog
  readonly notifications: Pick<Notifications, 'send'> | undefined
  readonly metrics: Pick<CredentialMetrics, 'synced'>
  readonly log: Logger
  /** Ends all work. */
  readonly signal: AbortSignal
}

interface Found {
  readonly test: VaultTest
  readonly expiresAt: number | undefined
  readonly items: readonly StoredItem[]
  readonly complete: boolean
}

export function createVaultSync(dependencies: VaultSyncDependencies): VaultSync {
  const flights = createSingleFlight<string, Vault>()
  return {
    sync: (vaultId, { signal }) => flights.run(vaultId, () => syncVault(dependencies, vaultId), { signal }),
  }
}

async function syncVault(dependencies: VaultSyncDependencies, vaultId: string): Promise<Vault> {
  const { database, clock, log, metrics, signal } = dependencies
  const vault = await database.collection(vaultCollection).get(vaultId)
  if (!vault) throw notFoundError.create({ what: 'connection to a vault' })
  try {
    const found = await withTimeLimit((limited) => ask(dependencies, vault, limited), {
      ...{ limitMs: syncMs, clock, signal },
      timedOut: () => vaultUnavailableError.create({ vault: vault.title, reason: `its items were not listed within ${syncMs / 1_000} s` }),
    })
    metrics.synced('ok')
    return await storeFound(dependencies, vault, found)
  } catch (error) {
    signal.throwIfAborted()
    metrics.synced('failed')
    if (!ServiceError.isInstance(error)) log.error('A vault could not be synchronised.', { vault_id: vaultId, error })
    return await storeFailure(dependencies, vault, error)
  }
}

async function ask(dependencies: VaultSyncDependencies, vault: Vault, signal: AbortSignal): Promise<Found> {
  const test = await useVault(dependencies, vault, {
    ...{ operation: 'test', signal },
    work: (connector, connection, limited) => connector.test(connection, { signal: limited }),
  })
  const expiresAt = test.renewable === true ? ((await renew(dependencies, vault, signal)) ?? test.expiresAt) : test.expiresAt
  const items: StoredItem[] = []
  let cursor: string | undefined
  // A vault whose cursors lead nowhere ends at the bound of pages.
  for (let page = 0; page * 50 < maxStoredItems && items.length < maxStoredItems; page += 1) {
    const answer = await useVault(dependencies, vault, {
      ...{ operation: 'list', signal },
      work: (connector, connection, limited) =>
        connector.list(connection, { limit: 200, ...(cursor !== undefined && { cursor }) }, { signal: limited }),
    })
    const checked = checkedItems(vault.title, answer)
    items.push(...checked.items)
    cursor = checked.nextCursor
    if (cursor === undefined) break
  }
  const complete = cursor === undefined && items.length <= maxStoredItems
  return { test, expiresAt, items: items.slice(0, maxStoredItems), complete }
}

/** A credential that cannot be prolonged now may still work: the next synchronisation tries again. */
async function renew(dependencies: VaultSyncDependencies, vault: Vault, signal: AbortSignal): Promise<number | undefined> {
  if (dependencies.calls.find(vault.connector)?.renew === undefined) return undefined
  try {
    const { expiresAt } = await useVault(dependencies, vault, {
      ...{ operation: 'renew', signal },
      work: async (connector, connection, limited) => (await connector.renew?.(connection, { signal: limited })) ?? {},
    })
    return expiresAt
  } catch (error) {
    signal.throwIfAborted()
    dependencies.log.warn('The credentials of a vault connection could not be prolonged.', { vault_id: vault.id, error })
    return undefined
  }
}

async function storeFound(dependencies: VaultSyncDependencies, vault: Vault, found: Found): Promise<Vault> {
  const { database, clock, events } = dependencies
  const now = clock.now()
  return database.transaction(async (transaction) => {
    const before = await current(transaction, vault)
    if (!before) return vault
    await storeItems(transaction, before, found.items)
    const after: Vault = {
      ...before,
      ...{ state: 'ready', failure: null, failures: 0, account: accountOf(found.test), expires_at: textOrNull(found.expiresAt) },
      ...{
        synced_at: textOf(now),
        next_sync_at: textOf(nextSyncAfter(now, { expiresAt: found.expiresAt, system: vault.user_id === null })),
      },
      ...{ items: found.items.length, items_complete: found.complete },
    }
    transaction.put(vaultCollection, after)
    if (after.user_id !== null)
      events.record(transaction, { userId: after.user_id, name: 'vault.updated', data: { vault_id: vault.id, change: 'synced' } })
    return after
  })
}

const accountOf = ({ account }: VaultTest): string | null => (typeof account === 'string' && account !== '' ? line(account, 300) : null)

async function storeFailure(dependencies: VaultSyncDependencies, vault: Vault, error: unknown): Promise<Vault> {
  const { database, clock, events, accessLog, notifications } = dependencies
  const now = clock.now()
  const known = ServiceError.isInstance(error) ? error : undefined
  const failure = {
    code: known?.code ?? 'vault_unavailable',
    message: known?.message ?? `${vault.title} is not available: the service failed to ask it. Try again later.`,
    at: textOf(now),
  }
  return database.transaction(async (transaction) => {
    const before = await current(transaction, vault)
    if (!before) return vault
    const failures = before.failures + 1
    const retryAfterMs = known?.details['retryAfterMs']
    const next = nextTryAfter(now, { failures, code: failure.code, ...(typeof retryAfterMs === 'number' && { retryAfterMs }) })
    const after: Vault = { ...before, state: 'failed', failure, failures, next_sync_at: textOf(next) }
    transaction.put(vaultCollection, after)
    const isNew = before.failure?.code !== failure.code
    if (after.user_id !== null) {
      events.record(transaction, { userId: after.user_id, name: 'vault.updated', data: { vault_id: vault.id, change: 'failed' } })
      if (isNew)
        accessLog.record(transaction, {
          ...{
            user_id: after.user_id,
            kind: 'vault_failed',
            outcome: 'failed',
            code: failure.code,
            title: vault.title,
            vault_id: vault.id,
          },
        })
    }
    if (isNew && notifications) await notifyOfVault(notifications, transaction, after)
    return after
  })
}

/** The connection, if it is still the one that was asked. */
async function current(transaction: Parameters<Parameters<Database['transaction']>[0]>[0], vault: Vault): Promise<Vault | undefined> {
  const stored = await transaction.get(vaultCollection, vault.id)
  return stored?.generation === vault.generation ? stored : undefined
}
