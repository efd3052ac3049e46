import {
  defineVaultConnector,
  type VaultConnector,
  type VaultItem,
  type VaultWrite,
  vaultConflictError,
  vaultContentInvalidError,
  vaultForbiddenError,
} from '@agent-service/sdk/contracts/vault-connector'
import type { HttpClient, HttpClientResponse } from '@agent-service/sdk/services/http-client'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { createAccountItems, unexpected } from './account-items.js'
import { type Account, accountOf, members } from './connection/members.js'
import { vault } from './connection/vault-name.js'
import { changeCipher } from './items/change-cipher.js'
import { loginType } from './items/cipher.js'
import { readItem } from './items/read-item.js'
import { objectOf, stringOf } from './json/camel-case.js'
import { answerOf, bodyOf, createSend, type ServerLimits } from './server/http.js'
import { createSessions } from './sessions.js'
import { createTakeTurn } from './take-turn.js'

/** What the connector needs. */
export interface BitwardenOptions {
  readonly http: HttpClient
  /** Of costly work, by connection. */
  readonly work: Limit
  /** Of writes, by connection. */
  readonly writes: Limit
  /** Monotonic, in milliseconds. */
  readonly now: () => number
  /** Milliseconds since 1970. */
  readonly date: () => number
  /** Default: a minute for a request. */
  readonly limits?: ServerLimits
}

/** The connector with what it keeps of connections, which `clear` empties. */
export function createBitwardenConnector({ http, work, writes, now, date, limits }: BitwardenOptions): {
  readonly connector: VaultConnector
  readonly clear: () => void
} {
  const takeTurn = createTakeTurn(work)
  const takeWriteTurn = createTakeTurn(writes)
  const sessions = createSessions({ request: createSend(http, limits), takeTurn, now })
  const items = createAccountItems({ sessions, takeTurn })

  const send = async (
    account: Account,
    { id, body }: { readonly id?: string; readonly body: unknown },
    signal: AbortSignal,
  ): Promise<VaultItem> => {
    const request = {
      url: `${account.servers.api}/ciphers${id === undefined ? '' : `/${id}`}`,
      method: id === undefined ? 'POST' : 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      what: 'write the item',
    }
    const response = await sessions.send(account, request, { signal })
    if (response.status !== 200) throw refusedWrite(response)
    // Answers to writes lack members that reads have.
    const { id: written = id } = bodyOf(response) as { readonly id?: string }
    return readItem(await items.get(account, written ?? '', { signal })).item
  }

  const create = async (account: Account, write: VaultWrite, signal: AbortSignal): Promise<VaultItem> => {
    const { profile, userKey } = await items.profile(account, { signal })
    const login = changeCipher({ cipher: {}, key: userKey, write, now: new Date(date()).toISOString() })
    return send(account, { body: { ...objectOf(login), encryptedFor: profile.userId } }, signal)
  }

  const replace = async (account: Account, id: string, write: VaultWrite, signal: AbortSignal): Promise<VaultItem> => {
    const { cipher, key, profile } = await items.get(account, id, { signal })
    if (cipher['type'] !== loginType) throw vaultForbiddenError.create({ vault, what: 'change an item that is not a login' })
    if (cipher['edit'] === false) throw vaultForbiddenError.create({ vault, what: 'change the item' })
    if (write.revision !== undefined && write.revision !== stringOf(cipher['revisionDate'])) throw conflict()
    const login = changeCipher({ cipher, key, write, now: new Date(date()).toISOString() })
    return send(account, { id, body: { ...objectOf(login), encryptedFor: profile.userId } }, signal)
  }

  const connector = defineVaultConnector({
    id: 'bitwarden',
    title: 'Bitwarden',
    connection: members,
    async test(connection, { signal }) {
      const account = accountOf(connection)
      const request = { url: `${account.servers.api}/accounts/revision-date`, what: 'read the account' }
      const { status } = await sessions.send(account, request, { signal, fresh: true })
      if (status !== 200) throw unexpected(status)
      return { account: (await sessions.open(account, { signal })).email }
    },
    list: async (connection, query, call) => items.list(accountOf(connection), query, call),
    read: async (connection, id, call) => readItem(await items.get(accountOf(connection), id, call)),
    async write(connection, write, { signal }) {
      const account = accountOf(connection)
      checkNames(write)
      const { id } = write
      const run = () => (id === undefined ? create(account, write, signal) : replace(account, id, write, signal))
      return takeWriteTurn(account.id, { signal }, run)
    },
    close: async (id) => sessions.forget(id),
  })
  return { connector, clear: sessions.clear }
}

const conflict = (): Error => vaultConflictError.create({ what: 'The item' })

function refusedWrite(response: HttpClientResponse): Error {
  const message = stringOf(answerOf(response.body)?.['message']) ?? ''
  if (response.status === 409 || /out of date/i.test(message)) return conflict()
  return unexpected(response.status)
}

function checkNames({ fields }: VaultWrite): void {
  if (new Set(fields.map(({ name }) => name)).size < fields.length)
    throw vaultContentInvalidError.create({ vault, reason: 'two of the fields to write have the same name' })
}
