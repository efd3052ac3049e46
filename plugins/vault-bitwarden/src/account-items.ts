import {
  type VaultItems,
  type VaultListQuery,
  vaultContentInvalidError,
  vaultItemNotFoundError,
} from '@agent-service/sdk/contracts/vault-connector'
import type { Account } from './connection/members.js'
import { vault } from './connection/vault-name.js'
import type { SymmetricKey } from './crypto/encrypted-strings.js'
import { cipherKey, urisOf } from './items/cipher.js'
import { createGroupOf, type GroupOf } from './items/describe-item.js'
import type { Profile } from './items/profile.js'
import { type Answer, listOf, objectOf, stringOf } from './json/camel-case.js'
import { bodyOf } from './server/http.js'
import type { Sessions } from './sessions.js'
import { createKeyOf } from './sync/read-sync.js'
import { runSync } from './sync/run-sync.js'
import type { TakeTurn } from './take-turn.js'

/** The largest answer to a sync. */
const maxSyncBytes = 32 * 1_024 * 1_024
/** Of an item that is read. */
const maxFields = 300

/** An item as it is on the server, with the key of its values. */
export interface OpenCipher {
  readonly cipher: Answer
  readonly key: SymmetricKey
  readonly groupOf: GroupOf
  readonly profile: Profile
}

/** The items of accounts. */
export interface AccountItems {
  list(account: Account, query: VaultListQuery, options: { readonly signal: AbortSignal }): Promise<VaultItems>
  /** Asks the server now. @throws `vault_item_not_found`, with `deleted` for one in the trash. */
  get(account: Account, id: string, options: { readonly signal: AbortSignal }): Promise<OpenCipher>
  /** The profile and the account's own key. */
  profile(
    account: Account,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly profile: Profile; readonly userKey: SymmetricKey; readonly groupOf: GroupOf }>
}

export function createAccountItems({ sessions, takeTurn }: { readonly sessions: Sessions; readonly takeTurn: TakeTurn }): AccountItems {
  /** The answer to a sync of now: the account's date tells whether the kept one still is. */
  const syncBody = async (account: Account, { signal }: { readonly signal: AbortSignal }): Promise<Uint8Array> => {
    const dated = await sessions.send(account, { url: `${account.servers.api}/accounts/revision-date`, what: 'list the items' }, { signal })
    const revision = new TextDecoder().decode(dated.body)
    const { sync } = await sessions.open(account, { signal })
    if (dated.status === 200 && sync?.revision === revision) return sync.body
    const url = `${account.servers.api}/sync?excludeDomains=true`
    const response = await sessions.send(account, { url, maxBodyBytes: maxSyncBytes, what: 'list the items' }, { signal })
    if (response.status !== 200) throw unexpected(response.status)
    if (dated.status === 200) sessions.keep(account, { sync: { body: response.body, revision } })
    return response.body
  }

  const readSync = async (account: Account, query: VaultListQuery | undefined, options: { readonly signal: AbortSignal }) => {
    const body = await syncBody(account, options)
    const { userKey } = await sessions.open(account, options)
    const work = { body, userKey, ...(query === undefined ? {} : { query }) }
    const answer = await takeTurn(account.id, options, () => runSync(work, options))
    sessions.keep(account, { profile: answer.profile })
    return answer
  }

  const profile: AccountItems['profile'] = async (account, options) => {
    const found = (await sessions.open(account, options)).profile ?? (await readSync(account, undefined, options)).profile
    const { userKey } = await sessions.open(account, options)
    return { profile: found, userKey, groupOf: createGroupOf(found, createKeyOf(found, userKey)) }
  }

  return {
    profile,
    async list(account, query, options) {
      const { page } = await readSync(account, query, options)
      return page ?? { items: [] }
    },
    async get(account, id, options) {
      options.signal.throwIfAborted()
      const notFound = (deleted: boolean): Error => vaultItemNotFoundError.create({ id, deleted })
      if (!/^[0-9A-Za-z-]{1,64}$/.test(id)) {
        await sessions.open(account, options)
        throw notFound(false)
      }
      const response = await sessions.send(account, { url: `${account.servers.api}/ciphers/${id}/details`, what: 'read the item' }, options)
      if (response.status === 404 || response.status === 400) throw notFound(false)
      if (response.status !== 200) throw unexpected(response.status)
      const cipher = bodyOf(response)
      if (stringOf(cipher['id'])?.toLowerCase() !== id.toLowerCase()) throw invalid('it answered with another item')
      if (cipher['id'] !== id) throw notFound(false)
      if (typeof cipher['deletedDate'] === 'string') throw notFound(true)
      // They are decrypted one after the other on the event loop.
      const count = listOf(cipher['fields']).length + urisOf(objectOf(cipher['login']) ?? {}).length
      if (count > maxFields) throw invalid(`the item has more than ${maxFields} fields and addresses`)
      return open(account, cipher, options)
    },
  }

  async function open(account: Account, cipher: Answer, options: { readonly signal: AbortSignal }): Promise<OpenCipher> {
    const organizationId = stringOf(cipher['organizationId'])
    let found = await profile(account, options)
    if (organizationId !== undefined && !found.profile.organizations.has(organizationId)) {
      await readSync(account, undefined, options)
      found = await profile(account, options)
    }
    const parent = createKeyOf(found.profile, found.userKey)(organizationId)
    const key = parent && cipherKey(cipher, parent)
    if (key === undefined) {
      // The account may have new keys.
      sessions.forget(account.id)
      throw invalid('the keys of the account do not open the item')
    }
    return { cipher, key, ...found }
  }
}

const invalid = (reason: string): Error => vaultContentInvalidError.create({ vault, reason })

export const unexpected = (status: number): Error => invalid(`it answered with the status ${status}`)
