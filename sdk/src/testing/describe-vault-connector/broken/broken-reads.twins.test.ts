import { vaultItemNotFoundError, vaultUnavailableError } from '../../../contracts/vault-connector/errors.js'
import type { VaultConnection, VaultConnector } from '../../../contracts/vault-connector/vault-connector.js'
import { type Change, cached, describeTwins, idAt } from './break-connector.test.js'
import { disguised, down, hostile, makes, reads, readsNow, removed, renames, replaces, wrong } from './suite-titles.test.js'

/** Changes the errors of reads. */
const failingReads =
  (change: (error: Error, connection: VaultConnection) => unknown): Change =>
  ({ read }) => ({
    read: (connection, ...call) =>
      read(connection, ...call).catch((error: Error) => {
        throw change(error, connection)
      }),
  })

type Read = Awaited<ReturnType<VaultConnector['read']>>

const withRevision = ({ item, fields }: Read, revision: string): Read => ({ item: { ...item, revision }, fields })

function ofEachRead({ read }: VaultConnector): Partial<VaultConnector> {
  let count = 0
  return {
    async read(...call) {
      count += 1
      return withRevision(await read(...call), `read ${count}`)
    },
  }
}

function idsFromTitles({ list, read }: VaultConnector): Partial<VaultConnector> {
  return {
    async list(...call) {
      const { items, ...page } = await list(...call)
      return { ...page, items: items.map((item) => ({ ...item, id: item.title })) }
    },
    async read(of, id, call) {
      const { items } = await list(of, { limit: 200 }, call)
      const found = items.find(({ title }) => title === id)
      if (found === undefined) throw vaultItemNotFoundError.create({ id, deleted: false })
      const { item, fields } = await read(of, found.id, call)
      return { item: { ...item, id }, fields }
    },
  }
}

function readingPaths({ read }: VaultConnector): Partial<VaultConnector> {
  return {
    async read(of, id, call) {
      const { item, fields } = await read(
        of,
        id
          .split('/')
          .filter((part) => part !== '' && part !== '.')
          .at(-1) ?? id,
        call,
      )
      return { item: { ...item, id }, fields }
    },
  }
}

function anyItem({ read, list }: VaultConnector): Partial<VaultConnector> {
  return {
    read: (of, id, call) =>
      read(of, id, call).catch(async () => {
        const { items } = await list(of, { limit: 1 }, call)
        const { item, fields } = await read(of, items[0]?.id ?? '', call)
        return { item: { ...item, id }, fields }
      }),
  }
}

describeTwins('reads', [
  [
    'a read without the last field',
    ({ read }) => ({ read: async (...call) => ({ ...(await read(...call)), fields: (await read(...call)).fields.slice(0, -1) }) }),
    [reads],
  ],
  [
    'secrets that are marked as none',
    ({ read }) => ({
      async read(...call) {
        const { item, fields } = await read(...call)
        return { item, fields: fields.map((field) => ({ ...field, secret: false })) }
      },
    }),
    [reads, makes],
  ],
  [
    'reads that are cached',
    ({ read }) => ({ read: cached((of, id) => `${idAt(of)} ${id}`, read) }),
    [readsNow, renames, removed, wrong, down],
  ],
  ['a revision that stays', ({ read }) => ({ read: async (...call) => withRevision(await read(...call), '1') }), [readsNow, replaces]],
  ['a revision of each read', ofEachRead, [readsNow]],
  ['ids that are titles', idsFromTitles, [renames]],
  ['ids that are read as paths', readingPaths, [disguised]],
  ['any item for an unknown id', anyItem, [removed, hostile, disguised]],
  [
    'an error of its own for an unknown id',
    failingReads((error) => (vaultItemNotFoundError.isInstance(error) ? new TypeError('undefined is not an item') : error)),
    [removed, hostile],
  ],
  [
    'a deletion that is only assumed',
    failingReads((error) => (vaultItemNotFoundError.isInstance(error) ? vaultItemNotFoundError.create({ id: '', deleted: true }) : error)),
    [removed, hostile],
  ],
  [
    'the token in an error',
    failingReads((_, { members }) => vaultUnavailableError.create({ vault: 'Plain', reason: `bad answer to ${members['token']}` })),
    [removed],
  ],
  [
    'the token in the cause of an error, in base64',
    failingReads((_, { members }) => {
      const header = Buffer.from(String(members['token'])).toString('base64')
      return vaultItemNotFoundError.create({ id: '', deleted: false }, { cause: { request: { header } } })
    }),
    [removed],
  ],
])
