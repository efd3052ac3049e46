import { Type } from '@agent-service/sdk'
import {
  defineVaultConnector,
  type VaultConnection,
  type VaultConnector,
  type VaultField,
  type VaultItems,
  type VaultTest,
  vaultItemNotFoundError,
} from '@agent-service/sdk/contracts/vault-connector'

/** A vault in memory that a test controls. */
export interface ShedVault {
  readonly connector: VaultConnector
  /** The items and their fields. */
  readonly items: Map<string, { title: string; fields: readonly VaultField[] }>
  /** Every call so far. */
  readonly calls: { readonly operation: string; readonly connection: VaultConnection }[]
  /** Runs before each call; may throw, or wait. */
  before: (operation: string, signal: AbortSignal) => Promise<void>
  /** Answers in place of what is right. */
  answers: { test?: VaultTest; list?: VaultItems; readAs?: string }
}

/** A connector `shed` with an address and a secret password. With a file, its member `path` names it. */
export function createShedVault(options: { readonly id?: string; readonly file?: boolean } = {}): ShedVault {
  const vault: ShedVault = {
    items: new Map([['item-1', { title: 'Shop', fields: [field('username', 'ada', false), field('password', 'shop-secret-1')] }]]),
    calls: [],
    before: async () => undefined,
    answers: {},
    connector: defineVaultConnector({
      ...{ id: options.id ?? 'shed', title: 'Shed' },
      connection: Type.Object({
        address: Type.String({ minLength: 1 }),
        password: Type.String({ 'x-secret': true, minLength: 1 }),
        path: Type.Optional(Type.String()),
      }),
      ...(options.file === true && { file: 'path' }),
      async test(connection, { signal }) {
        await begin('test', connection, signal)
        return vault.answers.test ?? { account: 'ada@example.org' }
      },
      async list(connection, { text }, { signal }) {
        await begin('list', connection, signal)
        const all = [...vault.items].map(([id, { title, fields }]) => ({ id, title, fields: fields.map(({ name }) => name) }))
        return vault.answers.list ?? { items: all.filter(({ title }) => text === undefined || title.includes(text)) }
      },
      async read(connection, id, { signal }) {
        await begin('read', connection, signal)
        const item = vault.items.get(id)
        if (!item) throw vaultItemNotFoundError.create({ id, deleted: false })
        return { item: { id: vault.answers.readAs ?? id, title: item.title }, fields: item.fields }
      },
      async renew(connection, { signal }) {
        await begin('renew', connection, signal)
        return { expiresAt: Date.UTC(2026, 0, 2) }
      },
    }),
  }
  const begin = async (operation: string, connection: VaultConnection, signal: AbortSignal): Promise<void> => {
    vault.calls.push({ operation, connection })
    await vault.before(operation, signal)
  }
  return vault
}

export const field = (name: string, value: string, secret = true): VaultField => ({ name, value, secret })
