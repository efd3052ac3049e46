import type { Item, ItemCategory } from '@1password/sdk'
import { ServiceError } from '@agent-service/sdk'
import {
  defineVaultConnector,
  type VaultConnection,
  type VaultConnector,
  type VaultItem,
  type VaultWrite,
  vaultConflictError,
  vaultConnectionInvalidError,
  vaultContentInvalidError,
  vaultForbiddenError,
  vaultItemNotFoundError,
  vaultUnauthorizedError,
} from '@agent-service/sdk/contracts/vault-connector'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { HttpClient } from '@agent-service/sdk/services/http-client'
import { fieldsOf, newContent, withFields } from './fields.js'
import { itemOf, pageOf, placeOf } from './items.js'
import { type Account, accountOf, onePasswordConnection, ownHosts } from './members.js'
import {
  absentError,
  createThreadPool,
  type SdkMethods,
  sessionEndedError,
  startSdkThread,
  type ThreadLimits,
  usualLimits,
  vault,
} from './thread/index.js'

/** What the connector works with. */
export interface OnePasswordDependencies {
  /** The guarded client: the SDK has no other way to the network. */
  readonly http: HttpClient
  readonly clock: Pick<Clock, 'after'>
  /** Default: {@link usualLimits}. */
  readonly limits?: ThreadLimits
  /** The module with `createClient`, for tests. Default: 1Password's. */
  readonly sdk?: string
}

/** The connector, and how to end its threads. */
export interface OnePasswordConnector {
  readonly connector: VaultConnector
  /** Ends all threads. */
  close(): Promise<void>
}

type Call = <Name extends keyof SdkMethods>(method: Name, input: SdkMethods[Name]['input']) => Promise<SdkMethods[Name]['output']>

/** Writes over whatever is there, until one comes through. */
const maxAttempts = 4

/** Items of 1Password, through its SDK. */
export function createOnePasswordConnector({ http, clock, limits = usualLimits, sdk }: OnePasswordDependencies): OnePasswordConnector {
  const pool = createThreadPool({ clock })
  const start = ({ token }: Account) => startSdkThread({ token, http, hosts: ownHosts, limits, ...(sdk === undefined ? {} : { sdk }) })

  /** Works with the account of a connection. A session that has ended is begun again once. */
  const open = async <T>(
    connection: VaultConnection,
    { signal, isTest = false }: { readonly signal: AbortSignal; readonly isTest?: boolean },
    work: (call: Call, account: Account) => Promise<T>,
  ): Promise<T> => {
    signal.throwIfAborted()
    const account = accountOf(connection)
    const owner = { id: connection.id, digest: account.digest, start: () => start(account) }
    return pool.use(owner, signal, async (thread) => {
      let signInAgain = isTest
      const call: Call = async (method, input) => {
        const begin = signInAgain
        signInAgain = false
        try {
          return await thread.call(method, input, { signal, signInAgain: begin })
        } catch (error) {
          if (!sessionEndedError.isInstance(error)) throw error
          return thread.call(method, input, { signal, signInAgain: true })
        }
      }
      try {
        return await work(call, account)
      } catch (error) {
        throw signal.aborted ? signal.reason : ofContract(error)
      }
    })
  }

  const connector = defineVaultConnector({
    id: 'onepassword',
    title: '1Password',
    connection: onePasswordConnection,
    test: (connection, { signal }) =>
      open(connection, { signal, isTest: true }, async (call, account) => {
        await vaultsOf(call, account)
        return { account: account.email }
      }),
    list: (connection, query, { signal }) =>
      open(connection, { signal }, async (call, account) =>
        pageOf({ vaults: await vaultsOf(call, account), itemsOf: (vaultId) => call('listItems', { vaultId }) }, query),
      ),
    read: (connection, id, { signal }) =>
      open(connection, { signal }, async (call, account) => {
        const item = await getItem(call, account, id)
        return { item: itemOf(item), fields: fieldsOf(item) }
      }),
    write: (connection, item, { signal }) =>
      open(connection, { signal }, (call, account) =>
        item.id === undefined ? createItem(call, account, item) : putItem(call, account, item, item.id),
      ),
    close: (id) => pool.close(id),
  })
  return { connector, close: () => pool.closeAll() }
}

/** What a call fails with. Anything but an error of ours comes of an answer in a wrong form. */
function ofContract(error: unknown): unknown {
  if (sessionEndedError.isInstance(error)) return vaultUnauthorizedError.create({ vault, reason: 'expired' }, { cause: error })
  if (absentError.isInstance(error)) return vaultForbiddenError.create({ vault, what: 'see one of its vaults' }, { cause: error })
  if (ServiceError.isInstance(error)) return error
  return vaultContentInvalidError.create({ vault, reason: 'its answer is not one of 1Password' }, { cause: error })
}

/** The vaults that a connection uses. @throws `vault_connection_invalid` when it names one that the token does not see. */
async function vaultsOf(call: Call, { vaultId }: Account): Promise<SdkMethods['listVaults']['output']> {
  const all = await call('listVaults', {})
  if (!Array.isArray(all)) throw vaultContentInvalidError.create({ vault, reason: 'its list of vaults is none' })
  const used = all.filter(({ id }) => vaultId === undefined || id === vaultId)
  if (vaultId !== undefined && used.length === 0)
    throw vaultConnectionInvalidError.create({ member: 'vault_id', reason: 'is not the id of a vault that the service account sees' })
  return used
}

async function getItem(call: Call, { vaultId }: Account, id: string): Promise<Item> {
  const place = placeOf(id)
  const missing = (deleted: boolean, cause?: unknown): Error => vaultItemNotFoundError.create({ id, deleted }, { cause })
  if (place === undefined || (vaultId !== undefined && place.vaultId !== vaultId)) throw missing(false)
  return absentAs(() => call('getItem', place), missing)
}

async function absentAs<T>(work: () => Promise<T>, missing: (deleted: boolean, cause: unknown) => Error): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw absentError.isInstance(error) ? missing(ServiceError.isInstance(error) && error.details['deleted'] === true, error) : error
  }
}

async function putItem(call: Call, account: Account, { title, revision, fields }: VaultWrite, id: string): Promise<VaultItem> {
  for (let attempt = 1; ; attempt += 1) {
    const present = await getItem(call, account, id)
    if (revision !== undefined && revision !== String(present.version))
      throw vaultConflictError.create({ what: `The item “${itemOf(present).title}”` })
    const changed = { ...withFields(present, fields), ...(title === undefined ? {} : { title }) }
    const missing = (deleted: boolean, cause?: unknown): Error => vaultItemNotFoundError.create({ id, deleted }, { cause })
    try {
      return itemOf(await absentAs(() => call('putItem', { item: changed }), missing))
    } catch (error) {
      if (revision !== undefined || attempt >= maxAttempts || !vaultConflictError.isInstance(error)) throw error
    }
  }
}

async function createItem(call: Call, account: Account, { title = 'Untitled', fields }: VaultWrite): Promise<VaultItem> {
  const vaults = await vaultsOf(call, account)
  const [only, ...others] = vaults
  if (only === undefined || others.length > 0)
    throw vaultConnectionInvalidError.create({ member: 'vault_id', reason: 'has to name the vault in which new items are made' })
  const category = 'Login' as ItemCategory.Login
  return itemOf(await call('createItem', { item: { category, vaultId: only.id, title, ...newContent(fields) } }))
}
