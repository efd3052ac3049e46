import { Type } from '@agent-service/sdk'
import {
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  notFoundError,
  ok,
  pageOfList,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import { callerOf } from '../common/caller.js'
import type { VaultAccess } from '../store/vault.js'
import type { ConnectorCalls } from '../vaults/connector-calls.js'
import type { VaultSync } from '../vaults/sync-vault.js'
import type { VaultService } from '../vaults/vault-service.js'
import { accessSchema, systemVaultSchema, viewOfSystemVault } from './vault-schemas.js'

const tags = ['vaults']
const params = Type.Object({ vault_id: Type.String({ minLength: 1, maxLength: 100 }) })

/** The connections of the section `vault`, for administrators: their state, and who may use them. */
export function createAdminVaultRoutes(dependencies: {
  readonly vaults: VaultService
  readonly sync: VaultSync
  readonly calls: ConnectorCalls
  readonly audit: Pick<Audit, 'note'>
}): readonly HttpRoute[] {
  const { vaults, sync, calls, audit } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/admin/vaults',
      operationId: 'listSystemVaults',
      summary: 'List the vaults of the service',
      description: 'The connections that the section `vault` of the configuration makes, with their state and who may use them.',
      tags,
      auth: 'admin',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(systemVaultSchema) } },
      async handle({ query }) {
        const { items, next_cursor } = pageOfList(await vaults.listSystem(), ({ id }) => id, query)
        return ok({ items: items.map((vault) => viewOfSystemVault(vault, calls)), next_cursor })
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/admin/vaults/{vault_id}/access',
      operationId: 'changeSystemVaultAccess',
      summary: 'Decide who may use a vault of the service',
      description:
        'Who may use it can let agents use every item that the connection sees. At first only administrators may. Grants of people who lose access do not work any more.',
      tags,
      auth: 'admin',
      confirmed: true,
      params,
      body: { kind: 'json', schema: accessSchema, example: { kind: 'users', user_ids: ['0190…'] } },
      errors: [notFoundError],
      answers: { 200: { description: 'The connection.', schema: systemVaultSchema } },
      async handle({ params: { vault_id: id }, body }) {
        return ok(viewOfSystemVault(await vaults.changeAccess(id, accessOf(body)), calls))
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/admin/vaults/{vault_id}/sync',
      operationId: 'syncSystemVault',
      summary: 'Test a vault of the service, and list its items anew',
      description: 'Asks the vault now, and answers with the connection: its `state` and `failure` say how it went.',
      tags,
      auth: 'admin',
      params,
      errors: [notFoundError],
      answers: { 200: { description: 'The connection.', schema: systemVaultSchema } },
      async handle({ params: { vault_id: id }, signal, address, ...request }) {
        await vaults.demandSystem(id)
        const vault = await sync.sync(id, { signal })
        const actor = { userId: callerOf(request).userId, address }
        await audit.note({ kind: 'vault.synced', subject: id, actor, details: { state: vault.state, code: vault.failure?.code ?? '' } })
        return ok(viewOfSystemVault(vault, calls))
      },
    }),
  ]
}

/** @throws `invalid_request` for users without `users`, and the other way round. */
function accessOf({ kind, user_ids: userIds }: { readonly kind: string; readonly user_ids?: readonly string[] }): VaultAccess {
  if ((kind === 'users') !== (userIds !== undefined && userIds.length > 0)) {
    const problems = [{ path: '/user_ids', message: 'must name users exactly if “kind” is “users”' }]
    throw invalidRequestError.create({ where: 'body' }, { problems })
  }
  if (kind === 'users') return { kind, user_ids: [...(userIds ?? [])] }
  return { kind: kind === 'everyone' ? 'everyone' : 'admins' }
}
