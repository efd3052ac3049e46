import { createHash } from 'node:crypto'
import {
  defineVaultConnector,
  type VaultCall,
  type VaultConnection,
  type VaultConnector,
  type VaultItem,
  type VaultTest,
  type VaultWrite,
  vaultConflictError,
  vaultForbiddenError,
  vaultUnauthorizedError,
} from '@agent-service/sdk/contracts/vault-connector'
import type { HttpClient } from '@agent-service/sdk/services/http-client'
import { type Api, type ApiLimits, createApi, isRecord, usualLimits, vault } from './api.js'
import { kv2Connection, type Server, serverOf } from './members.js'
import { checkMount, lookUpToken, refusalOf } from './refusals.js'
import { fieldsOf, itemOf, readSecret, type SecretCall, withoutControls, writeSecret } from './secrets.js'
import { walk } from './walk.js'

/** What the connector works with. */
export interface Kv2Dependencies {
  /** The guarded client. */
  readonly http: HttpClient
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Default: {@link usualLimits}. */
  readonly limits?: ApiLimits
}

/** Connections whose mount is known to be one of KV version 2. The oldest is forgotten. */
const maxChecked = 1_000
/** Writes over whatever is there, until one comes through. */
const maxAttempts = 4

interface Context {
  readonly api: Api
  readonly server: Server
  readonly signal: AbortSignal
}

/** Secrets of HashiCorp Vault and OpenBao. The id of an item is its path below the mount. */
export function createKv2Connector({ http, now, limits = usualLimits }: Kv2Dependencies): VaultConnector {
  // Of each connection: a digest of what was checked.
  const checked = new Map<string, string>()
  const contextOf = (connection: VaultConnection, { signal }: VaultCall): Context => {
    signal.throwIfAborted()
    const server = serverOf(connection)
    return { api: createApi(http, server, limits), server, signal }
  }
  const open = async (connection: VaultConnection, call: VaultCall): Promise<SecretCall> => {
    const context = contextOf(connection, call)
    const digest = digestOf(context.server)
    if (checked.get(connection.id) !== digest) {
      await checkMount(context)
      checked.delete(connection.id)
      checked.set(connection.id, digest)
      for (const oldest of checked.keys()) if (checked.size > maxChecked) checked.delete(oldest)
    }
    return { ...context, refused: (what) => refusalOf(what, context) }
  }
  return defineVaultConnector({
    id: 'kv2',
    title: 'HashiCorp Vault or OpenBao',
    connection: kv2Connection,
    test: async (connection, call) => testToken(contextOf(connection, call), now),
    async list(connection, { limit, cursor, text }, call) {
      const context = await open(connection, call)
      const wanted = text?.toLowerCase()
      const { ids, ...page } = await walk({
        ...{ ...context, limit, now, isWanted: (id) => wanted === undefined || id.toLowerCase().includes(wanted) },
        refused: () => context.refused(`list the secrets of the mount “${context.server.mountName}”`),
        ...(cursor === undefined ? {} : { cursor }),
      })
      return { items: ids.map(itemOf), ...page }
    },
    async read(connection, id, call) {
      const secret = await readSecret(id, await open(connection, call))
      return { item: secret.item, fields: fieldsOf(secret) }
    },
    write: async (connection, item, call) => writeItem(item, await open(connection, call)),
    renew: async (connection, call) => renewToken(contextOf(connection, call), now),
    async close(id) {
      checked.delete(id)
    },
  })
}

const digestOf = ({ address, mount, headers }: Server): string =>
  createHash('sha256')
    .update(JSON.stringify([address, mount, headers]))
    .digest('base64')

/** A token that may not look itself up is good when it sees its mount. */
async function testToken(context: Context, now: () => number): Promise<VaultTest> {
  const token = await lookUpToken(context.api, context.signal)
  await checkMount(context)
  if (token === undefined) return { account: 'A token that may not be looked up' }
  const { display_name: name, expire_time: end, renewable } = token
  const expiresAt = typeof end === 'string' ? Date.parse(end) : Number.NaN
  if (expiresAt <= now()) throw vaultUnauthorizedError.create({ vault, reason: 'expired' })
  return {
    account: typeof name === 'string' && name.trim() !== '' ? withoutControls(name).slice(0, 300) : 'A token without a name',
    ...(Number.isSafeInteger(expiresAt) ? { expiresAt } : {}),
    renewable: renewable === true,
  }
}

async function writeItem({ id, title, revision, fields }: VaultWrite, call: SecretCall): Promise<VaultItem> {
  if (id === undefined) return writeSecret(idOfTitle(title), { fields, over: { version: 0, values: {} } }, call)
  for (let attempt = 1; ; attempt += 1) {
    const over = await readSecret(id, call)
    if (revision !== undefined && revision !== String(over.version)) throw vaultConflictError.create({ what: `The secret “${id}”` })
    try {
      return await writeSecret(id, { fields, over }, call)
    } catch (error) {
      if (revision !== undefined || attempt >= maxAttempts || !vaultConflictError.isInstance(error)) throw error
    }
  }
}

/** A title is the path of its secret. What no path may have is left out. */
function idOfTitle(title = ''): string {
  const segments = withoutControls(title)
    .split('/')
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
  return segments.join('/').slice(0, 1_000) || 'Untitled'
}

async function renewToken(context: Context, now: () => number): Promise<{ readonly expiresAt?: number }> {
  const { status, body } = await context.api({ path: 'auth/token/renew-self', method: 'POST', body: {} }, context.signal)
  if (status === 403) throw await refusalOf('renew its token', context)
  if (status >= 400) throw vaultForbiddenError.create({ vault, what: 'renew its token, which is not renewable' })
  const seconds = isRecord(body['auth']) ? body['auth']['lease_duration'] : undefined
  return typeof seconds === 'number' && seconds > 0 ? { expiresAt: now() + Math.floor(seconds * 1_000) } : {}
}
