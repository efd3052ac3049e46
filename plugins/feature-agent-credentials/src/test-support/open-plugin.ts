import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { Principal } from '@agent-service/sdk/contracts/http-route'
import { vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { type AgentCredentials, agentCredentialsService, type CredentialUse } from '@agent-service/sdk/services/agent-credentials'
import { type Database, databaseService } from '@agent-service/sdk/services/database'
import { notificationsService } from '@agent-service/sdk/services/notifications'
import {
  createFakeNotifications,
  createTestContext,
  type FakeNotifications,
  type PluginTestContext,
  testAccount,
  testPrincipal,
} from '@agent-service/sdk/testing'
import plugin from '../index.js'
import { createShedVault, type ShedVault } from './shed-vault.js'

export const agentId = 'agent-1'
export const use: CredentialUse = { userId: testAccount.id, agentId, kind: 'process', target: 'git push' }
export const bob: Principal = { ...testPrincipal, userId: 'user-2', username: 'bob', handle: 'bob' }
export const admin: Principal = { ...testPrincipal, role: 'admin', scopes: ['read', 'write', 'admin'], sessionId: 's1', confirmed: true }

/** The plugin over fakes in memory, with one vault. */
export interface OpenPlugin {
  readonly host: PluginTestContext
  readonly vault: ShedVault
  readonly notifications: FakeNotifications
  readonly credentials: AgentCredentials
  /** The JSON of an answer. */
  request(route: string, request?: Parameters<PluginTestContext['request']>[1]): Promise<JsonObject>
  items(route: string, request?: Parameters<PluginTestContext['request']>[1]): Promise<readonly JsonObject[]>
  /** A local credential `github` with a user name and a token. */
  github(members?: JsonObject): Promise<JsonObject>
  /** Grants it to the agent. */
  grant(source: JsonValue, members?: JsonObject): Promise<JsonObject>
  /** A connection to the vault. */
  connect(members?: JsonObject): Promise<JsonObject>
}

export const token = 'ghp_canary_token_1'

export async function openPlugin(
  options: { readonly vaultSection?: JsonObject; readonly vault?: ShedVault; readonly database?: Database } = {},
): Promise<OpenPlugin> {
  const notifications = createFakeNotifications()
  const vault = options.vault ?? createShedVault()
  const config = { vault: { vaultthree_mount: 'secret', ...options.vaultSection } }
  const host = createTestContext(plugin, {
    config,
    services: [[notificationsService, notifications], ...(options.database ? [[databaseService, options.database] as const] : [])],
  })
  host.services.accounts.add({ ...testAccount, id: bob.userId, username: 'bob', handle: 'bob' })
  host.services.contributions.add(vaultConnectors, vault.connector)
  await host.setup()
  const credentials = host.provided(agentCredentialsService)
  if (!credentials) throw new Error('The plugin provides no credentials.')
  const request: OpenPlugin['request'] = async (route, given) => {
    const response = await host.request(route, given)
    return response.kind === 'json' ? (response.json as JsonObject) : {}
  }
  return {
    ...{ host, vault, notifications, credentials, request },
    items: async (route, given) => (await request(route, given))['items'] as readonly JsonObject[],
    github: (members) =>
      request('POST /api/credentials', {
        body: {
          ...{ name: 'github', title: 'GitHub, work account' },
          fields: [
            { name: 'user', value: 'ada', secret: false },
            { name: 'token', value: token, variable: 'GITHUB_TOKEN' },
          ],
          ...members,
        },
      }),
    grant: (source, members) => request('POST /api/credentials/grants', { body: { agent_id: agentId, source, ...members } }),
    connect: (members) =>
      request('POST /api/vaults', {
        body: { connector: 'shed', title: 'My shed', members: { address: 'shed.test', password: 'vault-secret-1' }, ...members },
      }),
  }
}

export const localSource = (credential: JsonObject): JsonObject => ({ kind: 'local', credential_id: credential['id'] ?? '' })
export const itemSource = (vault: JsonObject, item = 'item-1'): JsonObject => ({
  kind: 'vault',
  vault_id: vault['id'] ?? '',
  item_id: item,
})

/** The code of the error of a rejected promise; fails if it resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    return String((error as { readonly code?: string }).code)
  }
  throw new Error('The promise was not rejected.')
}
