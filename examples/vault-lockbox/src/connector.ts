import { Type } from '@agent-service/sdk'
import {
  defineVaultConnector,
  type VaultConnection,
  type VaultConnector,
  type VaultFile,
  type VaultItem,
  type VaultItems,
  type VaultListQuery,
  vaultConflictError,
  vaultConnectionInvalidError,
  vaultCursorInvalidError,
  vaultItemNotFoundError,
} from '@agent-service/sdk/contracts/vault-connector'
import { type Lockbox, type LockboxItem, openLockbox, sealLockbox, vault } from './lockbox.js'

const minPassphraseLength = 12

/** What people fill in. The passphrase is stored encrypted, and never shown again. */
const members = Type.Object(
  {
    path: Type.String({ title: 'File', description: 'The lockbox. For your own connection: a file among your files.', minLength: 1 }),
    passphrase: Type.String({ title: 'Passphrase', minLength: minPassphraseLength, maxLength: 1_000, 'x-secret': true }),
  },
  { additionalProperties: false },
)

/** A lockbox that was opened for one call. */
interface OpenLockbox {
  readonly lockbox: Lockbox
  /** Replaces the file, if it is still the one that was opened. @throws `vault_conflict`. */
  save(next: Lockbox): Promise<void>
}

/** Opens the file anew for each call, so nothing is cached and nothing is held longer than the call. `cost` as in {@link openLockbox}. */
export function createLockboxConnector({ cost }: { readonly cost?: number } = {}): VaultConnector {
  const open = async (connection: VaultConnection, signal: AbortSignal): Promise<OpenLockbox> => {
    signal.throwIfAborted()
    const { file, passphrase } = accessOf(connection)
    const { bytes, version } = await file.read({ signal })
    const lockbox = await openLockbox(bytes, { passphrase, cost })
    signal.throwIfAborted()
    return {
      lockbox,
      async save(next) {
        const sealed = await sealLockbox(next, { passphrase, cost })
        signal.throwIfAborted()
        await file.write(sealed, { version, signal })
      },
    }
  }

  return defineVaultConnector({
    id: 'lockbox',
    title: 'Lockbox',
    connection: members,
    file: 'path',
    async test(connection, { signal }) {
      const { lockbox } = await open(connection, signal)
      return { account: `A lockbox with ${lockbox.items.length} items` }
    },
    list: async (connection, query, { signal }) => pageOf(await open(connection, signal), query),
    async read(connection, id, { signal }) {
      const item = itemOf(await open(connection, signal), id)
      return { item: describe(item), fields: item.fields }
    },
    async write(connection, { id, title, revision, fields }, { signal }) {
      const opened = await open(connection, signal)
      const before = id === undefined ? undefined : itemOf(opened, id)
      if (before && revision !== undefined && revision !== String(before.revision))
        throw vaultConflictError.create({ what: `The item “${before.title}”` })
      const { lastId, items } = opened.lockbox
      const item: LockboxItem = {
        id: before?.id ?? lastId + 1,
        title: title ?? before?.title ?? 'Untitled',
        ...(before?.group !== undefined && { group: before.group }),
        revision: (before?.revision ?? 0) + 1,
        fields: fields.map(({ name, value, secret }) => ({ name, value, secret })),
      }
      await opened.save({ lastId: Math.max(lastId, item.id), items: [...items.filter((each) => each !== before), item] })
      return describe(item)
    },
  })
}

/** What the connection gives. The service reads and writes the file; a connector never opens a path. */
function accessOf({ file, members: { passphrase } }: VaultConnection): { readonly file: VaultFile; readonly passphrase: string } {
  if (file === undefined) throw vaultConnectionInvalidError.create({ member: 'path', reason: 'names no file' })
  if (typeof passphrase !== 'string' || passphrase.length < minPassphraseLength)
    throw vaultConnectionInvalidError.create({ member: 'passphrase', reason: `has fewer than ${minPassphraseLength} characters` })
  return { file, passphrase }
}

function itemOf({ lockbox }: OpenLockbox, id: string): LockboxItem {
  const item = lockbox.items.find((each) => String(each.id) === id)
  if (item === undefined) throw vaultItemNotFoundError.create({ id, deleted: false })
  return item
}

const describe = ({ id, title, group, revision, fields }: LockboxItem): VaultItem => ({
  id: String(id),
  title,
  ...(group !== undefined && { group }),
  fields: fields.map(({ name }) => name),
  revision: String(revision),
})

/** In the order of the ids. A cursor names the last item of the page before, which may be gone by now. */
function pageOf({ lockbox }: OpenLockbox, { limit, cursor, text }: VaultListQuery): VaultItems {
  const after = cursor === undefined ? 0 : Number(/^after (\d{1,15})$/.exec(cursor)?.[1] ?? Number.NaN)
  if (Number.isNaN(after)) throw vaultCursorInvalidError.create({ vault })
  const wanted = text?.toLowerCase()
  const matches = lockbox.items
    .filter(({ id }) => id > after)
    .filter(({ id, title, group = '' }) => wanted === undefined || `${title}\n${group}\n${id}`.toLowerCase().includes(wanted))
    .sort((one, other) => one.id - other.id)
  const page = matches.slice(0, limit)
  const last = page.at(-1)
  return { items: page.map(describe), ...(last && matches.length > limit && { nextCursor: `after ${last.id}` }) }
}
