import type { JsonObject, Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import type { PluginEvents } from '@agent-service/sdk/services/events'
import { v7 as uuidv7 } from 'uuid'
import { connectorUnknownError, vaultManagedError } from '../common/errors.js'
import { textOf } from '../common/time.js'
import { count } from '../store/totals.js'
import { type Vault, type VaultAccess, vaultCollection } from '../store/vault.js'
import { splitMembers } from './check-members.js'
import type { VaultUse } from './read-item.js'
import { storeItems } from './stored-items.js'
import type { SystemVault } from './system-vaults.js'
import { mayUseVault } from './vault-access.js'

/** The connections of users, and the deployment's that they may use. */
export interface VaultService {
  /** @throws `vault_connector_unknown`, `invalid_request`, `vault_connection_invalid`, `quota_exceeded`. */
  create(userId: string, vault: { readonly connector: string; readonly title: string; readonly members: JsonObject }): Promise<Vault>
  /** The user's own, then the deployment's that the user may use. */
  list(userId: string): Promise<readonly Vault[]>
  /** One that the user may use now; `undefined` for none. */
  find(userId: string, id: string): Promise<Vault | undefined>
  /** The same. @throws `not_found`. */
  demand(userId: string, id: string): Promise<Vault>
  /**
   * Members are replaced as a whole, with the secrets; the connector stays. @throws `not_found`,
   * `vault_managed`, and as {@link create}.
   */
  change(userId: string, id: string, change: { readonly title?: string; readonly members?: JsonObject }): Promise<Vault>
  /** Deletes an own one with the list of its items; grants end by themselves. @throws `not_found`, `vault_managed`. */
  delete(userId: string, id: string): Promise<void>
  /** The deployment's, for administrators. */
  listSystem(): Promise<readonly Vault[]>
  /** @throws `not_found`. */
  demandSystem(id: string): Promise<Vault>
  /** Decides who may use one of the deployment's; in the audit log. @throws `not_found`. */
  changeAccess(id: string, access: VaultAccess): Promise<Vault>
  /** Makes the records of the configured ones that have none yet: for administrators alone until they decide. */
  prepareSystem(): Promise<void>
}

export interface VaultServiceDependencies extends VaultUse {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly accounts: Pick<Accounts, 'get'>
  readonly events: Pick<PluginEvents, 'record'>
  readonly audit: Pick<Audit, 'record'>
  readonly system: readonly SystemVault[]
  readonly log: Logger
}

export function createVaultService(dependencies: VaultServiceDependencies): VaultService {
  const { database, clock, accounts, events, audit, system, calls, connections } = dependencies
  const vaults = () => database.collection(vaultCollection)
  const listSystem = async (): Promise<readonly Vault[]> => {
    const stored = await Promise.all(system.map(({ id }) => vaults().get(id)))
    return stored.filter((vault) => vault !== undefined)
  }
  const find = async (userId: string, id: string): Promise<Vault | undefined> => {
    const vault = await vaults().get(id)
    const isThere = vault && (vault.user_id !== null || system.some((each) => each.id === id))
    return isThere && (await mayUseVault(accounts, vault, userId)) ? vault : undefined
  }
  const demand = async (userId: string, id: string): Promise<Vault> => {
    const vault = await find(userId, id)
    if (!vault) throw notFoundError.create({ what: 'connection to a vault' })
    return vault
  }
  const demandOwn = async (userId: string, id: string): Promise<Vault> => {
    const vault = await demand(userId, id)
    if (vault.user_id === null) throw vaultManagedError.create({ title: vault.title })
    return vault
  }
  const connectorOf = (id: string) => {
    const connector = calls.find(id)
    if (!connector) throw connectorUnknownError.create({ connector: id, known: calls.list().map((each) => each.id) })
    return connector
  }
  const demandSystem = async (id: string): Promise<Vault> => {
    const vault = (await listSystem()).find((each) => each.id === id)
    if (!vault) throw notFoundError.create({ what: 'connection to a vault' })
    return vault
  }
  return {
    async create(userId, { connector, title, members }) {
      const { open, secret } = splitMembers(connectorOf(connector), members)
      const id = uuidv7({ msecs: clock.now() })
      const vault: Vault = {
        ...newVault(id, clock.now()),
        ...{ user_id: userId, connector, title, members: open, secrets: await connections.sealSecrets(id, secret), access: null },
      }
      return database.transaction(async (transaction) => {
        await count(transaction, userId, 'vaults', 1)
        transaction.insert(vaultCollection, vault)
        events.record(transaction, { userId, name: 'vault.updated', data: { vault_id: id, change: 'created' } })
        return vault
      })
    },
    async list(userId) {
      const own: Vault[] = []
      for await (const vault of documentsOf(database, vaultCollection, { index: 'by_user', equals: [userId] })) own.push(vault)
      const others = await listSystem()
      const permitted = await Promise.all(others.map((vault) => mayUseVault(accounts, vault, userId)))
      return [...own, ...others.filter((_, index) => permitted[index])]
    },
    find,
    demand,
    async change(userId, id, { title, members }) {
      const before = await demandOwn(userId, id)
      // Secrets are entered again with every change: kept ones could be sent to another address.
      const parts = members && splitMembers(connectorOf(before.connector), members)
      const changed = parts && { members: parts.open, secrets: await connections.sealSecrets(id, parts.secret) }
      const after = await database.transaction(async (transaction) => {
        const stored = await transaction.get(vaultCollection, id)
        if (stored?.user_id !== userId) throw notFoundError.create({ what: 'connection to a vault' })
        const next: Vault = {
          ...stored,
          ...(title !== undefined && { title }),
          ...(changed && { ...changed, generation: stored.generation + 1, state: 'new', failure: null, failures: 0, expires_at: null }),
          ...(changed && { next_sync_at: textOf(clock.now()) }),
          changed_at: textOf(clock.now()),
        }
        transaction.put(vaultCollection, next)
        events.record(transaction, { userId, name: 'vault.updated', data: { vault_id: id, change: 'changed' } })
        return next
      })
      if (changed) await calls.forget(after.connector, id)
      return after
    },
    async delete(userId, id) {
      const vault = await demandOwn(userId, id)
      await database.transaction(async (transaction) => {
        if ((await transaction.get(vaultCollection, id)) === undefined) return
        transaction.delete(vaultCollection, id)
        await storeItems(transaction, vault, [])
        await count(transaction, userId, 'vaults', -1)
        events.record(transaction, { userId, name: 'vault.updated', data: { vault_id: id, change: 'deleted' } })
      })
      await calls.forget(vault.connector, id)
    },
    listSystem,
    demandSystem,
    async changeAccess(id, access) {
      await demandSystem(id)
      return database.transaction(async (transaction) => {
        const before = await transaction.get(vaultCollection, id)
        if (!before) throw notFoundError.create({ what: 'connection to a vault' })
        const after: Vault = { ...before, access, changed_at: textOf(clock.now()) }
        transaction.put(vaultCollection, after)
        audit.record(transaction, {
          ...{ kind: 'vault.access_changed', subject: id },
          ...{ before: auditedAccess(before.access), after: auditedAccess(access) },
        })
        return after
      })
    },
    async prepareSystem() {
      for (const { id, connector, title } of system)
        await database.transaction(async (transaction) => {
          const known = await transaction.get(vaultCollection, id)
          if (known) return
          transaction.insert(vaultCollection, { ...newVault(id, clock.now()), connector, title, access: { kind: 'admins' } })
        })
    },
  }
}

const newVault = (id: string, now: number) => ({
  ...{ id, user_id: null, members: {}, secrets: null, generation: 1, state: 'new' as const, failure: null, failures: 0, account: null },
  ...{ expires_at: null, synced_at: null, next_sync_at: textOf(now), items: 0, items_complete: true },
  ...{ created_at: textOf(now), changed_at: textOf(now) },
})

const auditedAccess = (access: VaultAccess | null): JsonObject => {
  if (access?.kind !== 'users') return { access: access?.kind ?? 'none' }
  return { access: 'users', users: access.user_ids.length, first_user_ids: access.user_ids.slice(0, 20) }
}
