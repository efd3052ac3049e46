import { type JsonObject, Type } from '@agent-service/sdk'
import {
  created,
  defineRoute,
  type HttpRoute,
  noContent,
  notFoundError,
  ok,
  pageOfList,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import { vaultConnectionInvalidError } from '@agent-service/sdk/contracts/vault-connector'
import type { Database } from '@agent-service/sdk/services/database'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { callerOf } from '../common/caller.js'
import { connectorUnknownError, vaultManagedError } from '../common/errors.js'
import type { GrantService } from '../grants/grant-service.js'
import type { AccessLog } from '../log/access-log.js'
import type { Vault } from '../store/vault.js'
import type { ConnectorCalls } from '../vaults/connector-calls.js'
import { knownItems, matchingItems } from '../vaults/stored-items.js'
import type { VaultSync } from '../vaults/sync-vault.js'
import type { VaultService } from '../vaults/vault-service.js'
import {
  changeVaultSchema,
  connectorSchema,
  itemSchema,
  newVaultSchema,
  vaultSchema,
  viewOfConnector,
  viewOfItem,
  viewOfVault,
} from './vault-schemas.js'

const tags = ['vaults']
const params = Type.Object({ vault_id: Type.String({ minLength: 1, maxLength: 100 }) })

export interface VaultRoutesDependencies {
  readonly database: Pick<Database, 'collection'>
  readonly vaults: VaultService
  readonly sync: VaultSync
  readonly calls: ConnectorCalls
  readonly grants: Pick<GrantService, 'endOfSource'>
  readonly accessLog: AccessLog
}

/** What people do with connections to vaults. */
export function createVaultRoutes(dependencies: VaultRoutesDependencies): readonly HttpRoute[] {
  const { database, vaults, sync, calls, grants, accessLog } = dependencies
  const view = (vault: Vault) => viewOfVault(vault, calls)
  return [
    defineRoute({
      method: 'GET',
      path: '/api/vaults/connectors',
      operationId: 'listVaultConnectors',
      summary: 'List the kinds of vaults that can be connected',
      description: 'Each with the form of its connections.',
      tags,
      auth: 'user',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(connectorSchema) } },
      async handle({ query }) {
        const { items, next_cursor } = pageOfList(calls.list(), ({ id }) => id, query)
        return ok({ items: items.map(viewOfConnector), next_cursor })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/vaults',
      operationId: 'listVaults',
      summary: 'List your connections to vaults',
      description: 'Your own, and those of the service that you may use.',
      tags,
      auth: 'user',
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(vaultSchema) } },
      async handle({ query, ...request }) {
        const { items, next_cursor } = pageOfList(await vaults.list(callerOf(request).userId), ({ id }) => id, query)
        return ok({ items: items.map(view), next_cursor })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/vaults',
      operationId: 'createVault',
      summary: 'Connect a vault',
      description: 'Secret members are stored encrypted and never shown again. Its items are listed soon afterwards, without values.',
      tags,
      auth: 'user',
      body: { kind: 'json', schema: newVaultSchema },
      errors: [connectorUnknownError, vaultConnectionInvalidError, quotaExceededError],
      answers: { 201: { description: 'The connection.', schema: vaultSchema } },
      async handle({ body, ...request }) {
        const { connector, title, members } = body
        return created(view(await vaults.create(callerOf(request).userId, { connector, title, members: members as JsonObject })))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/vaults/{vault_id}',
      operationId: 'getVault',
      summary: 'Get a connection to a vault',
      tags,
      auth: 'user',
      params,
      errors: [notFoundError],
      answers: { 200: { description: 'The connection.', schema: vaultSchema } },
      handle: async ({ params: { vault_id: id }, ...request }) => ok(view(await vaults.demand(callerOf(request).userId, id))),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/vaults/{vault_id}',
      operationId: 'changeVault',
      summary: 'Change a connection to a vault',
      description: 'With `members` all of them are replaced, the secrets too, so that no stored secret is sent to another address.',
      tags,
      auth: 'user',
      params,
      body: { kind: 'json', schema: changeVaultSchema, example: { title: 'Passwords' } },
      errors: [notFoundError, vaultManagedError, connectorUnknownError, vaultConnectionInvalidError],
      answers: { 200: { description: 'The connection.', schema: vaultSchema } },
      async handle({ params: { vault_id: id }, body, ...request }) {
        const { title, members } = body
        const change = { ...(title !== undefined && { title }), ...(members !== undefined && { members: members as JsonObject }) }
        return ok(view(await vaults.change(callerOf(request).userId, id, change)))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/vaults/{vault_id}',
      operationId: 'deleteVault',
      summary: 'Disconnect a vault',
      description: 'Every grant of its items ends at once. The vault itself stays as it is.',
      tags,
      auth: 'user',
      params,
      errors: [notFoundError, vaultManagedError],
      answers: { 204: { description: 'Disconnected.' } },
      async handle({ params: { vault_id: id }, ...request }) {
        const { userId } = callerOf(request)
        const vault = await vaults.demand(userId, id)
        // Before, so that a crash leaves no grant without its connection; and after, for one that was made meanwhile.
        if (vault.user_id === userId) await grants.endOfSource(id)
        await vaults.delete(userId, id)
        await grants.endOfSource(id)
        return noContent()
      },
    }),
    ...(['test', 'sync'] as const).map((what) =>
      defineRoute({
        method: 'POST',
        path: `/api/vaults/{vault_id}/${what}`,
        operationId: `${what}Vault`,
        summary: what === 'test' ? 'Test a connection to a vault' : 'List the items of a vault anew',
        description: 'Asks the vault now, and answers with the connection: its `state` and `failure` say how it went.',
        tags,
        auth: 'user',
        rateClass: 'expensive',
        params,
        errors: [notFoundError],
        answers: { 200: { description: 'The connection.', schema: vaultSchema } },
        async handle({ params: { vault_id: id }, signal, ...request }) {
          const { userId } = callerOf(request)
          await vaults.demand(userId, id)
          const vault = await sync.sync(id, { signal })
          const entry = { user_id: userId, kind: 'vault_tested', vault_id: id, title: vault.title } as const
          await accessLog.note(vault.failure === null ? entry : { ...entry, outcome: 'failed', code: vault.failure.code })
          return ok(view(vault))
        },
      }),
    ),
    defineRoute({
      method: 'GET',
      path: '/api/vaults/{vault_id}/items',
      operationId: 'listVaultItems',
      summary: 'List the items of a vault, without values',
      description: 'As they were when they were last listed, so that choosing one asks nothing of the vault.',
      tags,
      auth: 'user',
      params,
      query: Type.Object({
        ...pageQuerySchema.properties,
        q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only those whose title, group or id has this text.' })),
      }),
      errors: [notFoundError],
      answers: { 200: { description: 'One page.', schema: pageSchema(itemSchema) } },
      async handle({ params: { vault_id: id }, query, ...request }) {
        const vault = await vaults.demand(callerOf(request).userId, id)
        const found = matchingItems(await knownItems(database, vault.id), query.q)
        const { items, next_cursor } = pageOfList(found, (item) => item.id, query)
        return ok({ items: items.map(viewOfItem), next_cursor })
      },
    }),
  ]
}
