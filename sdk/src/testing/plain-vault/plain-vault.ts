import { sleep } from '../../async/sleep.js'
import { defineVaultConnector } from '../../contracts/vault-connector/define-vault-connector.js'
import {
  vaultConflictError,
  vaultConnectionInvalidError,
  vaultCursorInvalidError,
  vaultForbiddenError,
  vaultItemNotFoundError,
  vaultUnauthorizedError,
  vaultUnavailableError,
} from '../../contracts/vault-connector/errors.js'
import type {
  VaultConnection,
  VaultConnector,
  VaultField,
  VaultItem,
  VaultListQuery,
} from '../../contracts/vault-connector/vault-connector.js'
import { Type } from '../../core/type.js'

/** An item of a {@link PlainVault}. */
export interface PlainVaultItem {
  /** For people, one line. */
  readonly title: string
  /** Default: none. */
  readonly group?: string
  /** All of its fields. */
  readonly fields: readonly VaultField[]
}

/** What the connections with one token see. */
export interface PlainVaultAccount {
  /** The items by their ids. */
  readonly items: ReadonlyMap<string, PlainVaultItem & { readonly revision: number }>
  /** Adds an item, or replaces the one of this id, as another client would. Returns its id. */
  put(item: PlainVaultItem, id?: string): string
  /** Removes an item. */
  remove(id: string): void
}

/** A vault in the memory of a test. */
export interface PlainVault {
  /** `plain`, with the member `token`. Writes, and renews, but for tokens that begin with `plain-fixed-`. */
  readonly connector: VaultConnector
  /** Opens an account for a token that begins with `plain-`, or gives the present one. */
  account(token: string): PlainVaultAccount
  /**
   * What every call fails with from now on; `silent`: it waits until it is aborted, or for 100 ms.
   * Default: nothing is wrong.
   */
  fail(failure?: Error | 'silent'): void
}

interface Account extends PlainVaultAccount {
  readonly items: Map<string, PlainVaultItem & { readonly revision: number }>
}

const vault = 'The plain vault'
const silentMs = 100

/**
 * A vault with a connector that keeps the contract, for tests of what uses vaults.
 *
 * @example
 * const vault = createPlainVault()
 * vault.account('plain-1').put({ title: 'Printer', fields: [{ name: 'password', value: 'open sesame', secret: true }] })
 * const connection = { id: 'one', origin: 'user', members: { token: 'plain-1' } } as const
 * export const page = vault.connector.list(connection, { limit: 10 }, { signal: new AbortController().signal })
 */
export function createPlainVault(): PlainVault {
  const accounts = new Map<string, Account>()
  let failure: Error | 'silent' | undefined
  const enter = async ({ members }: VaultConnection, signal: AbortSignal): Promise<Account> => {
    signal.throwIfAborted()
    const token = String(members['token'])
    if (!token.startsWith('plain-')) throw vaultConnectionInvalidError.create({ member: 'token', reason: 'must begin with “plain-”' })
    await sleep(failure === 'silent' ? silentMs : 0, { signal })
    if (failure === 'silent') throw vaultUnavailableError.create({ vault, reason: 'it does not answer' })
    if (failure !== undefined) throw failure
    const account = accounts.get(token)
    if (account === undefined) throw vaultUnauthorizedError.create({ vault, reason: 'wrong' })
    return account
  }
  return {
    account(token) {
      const account = accounts.get(token) ?? createAccount()
      accounts.set(token, account)
      return account
    },
    fail(next) {
      failure = next
    },
    connector: createConnector(enter),
  }
}

function createAccount(): Account {
  const items: Account['items'] = new Map()
  let count = 0
  return {
    items,
    put(item, id) {
      count += 1
      const own = id ?? `item-${count}`
      items.set(own, { ...item, revision: count })
      return own
    },
    remove: (id) => void items.delete(id),
  }
}

function createConnector(enter: (connection: VaultConnection, signal: AbortSignal) => Promise<Account>): VaultConnector {
  return defineVaultConnector({
    id: 'plain',
    title: 'Plain vault',
    connection: Type.Object(
      { token: Type.String({ title: 'Token', description: 'Begins with “plain-”.', 'x-secret': true }) },
      { additionalProperties: false },
    ),
    async test(connection, { signal }) {
      const { items } = await enter(connection, signal)
      return { account: `An account with ${items.size} items`, renewable: !isFixed(connection) }
    },
    list: async (connection, query, { signal }) => pageOf(await enter(connection, signal), query),
    async read(connection, id, { signal }) {
      const account = await enter(connection, signal)
      return { item: describe(account, id), fields: account.items.get(id)?.fields ?? [] }
    },
    async write(connection, { id, title, revision, fields }, { signal }) {
      const account = await enter(connection, signal)
      if (id === undefined) return describe(account, account.put({ title: title ?? 'Untitled', fields }))
      const present = describe(account, id)
      if (revision !== undefined && revision !== present.revision) throw vaultConflictError.create({ what: `The item “${present.title}”` })
      const { group } = present
      return describe(account, account.put({ title: title ?? present.title, fields, ...(group === undefined ? {} : { group }) }, id))
    },
    async renew(connection, { signal }) {
      await enter(connection, signal)
      if (isFixed(connection)) throw vaultForbiddenError.create({ vault, what: 'renew a token that is fixed' })
      return {}
    },
  })
}

const isFixed = ({ members }: VaultConnection): boolean => String(members['token']).startsWith('plain-fixed-')

function describe({ items }: Account, id: string): VaultItem {
  const item = items.get(id)
  if (item === undefined) throw vaultItemNotFoundError.create({ id, deleted: false })
  const { title, group, fields, revision } = item
  return { id, title, ...(group === undefined ? {} : { group }), fields: fields.map(({ name }) => name), revision: String(revision) }
}

/** The order is that of the ids. A cursor is the id before the page, which need not exist any more. */
function pageOf(
  account: Account,
  { limit, cursor, text }: VaultListQuery,
): { readonly items: readonly VaultItem[]; readonly nextCursor?: string } {
  if (cursor !== undefined && !/^item-\d+$/.test(cursor)) throw vaultCursorInvalidError.create({ vault })
  const number = (id: string): number => Number(id.replace('item-', ''))
  const wanted = text?.toLowerCase()
  const matches = [...account.items.keys()]
    .filter((id) => cursor === undefined || number(id) > number(cursor))
    .sort((a, b) => number(a) - number(b))
    .map((id) => describe(account, id))
    .filter(({ id, title, group = '' }) => wanted === undefined || `${title}\n${group}\n${id}`.toLowerCase().includes(wanted))
  const items = matches.slice(0, limit)
  const last = items.at(-1)
  return { items, ...(last === undefined || matches.length <= limit ? {} : { nextCursor: last.id }) }
}
