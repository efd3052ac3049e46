import { vaultConflictError } from '../../../contracts/vault-connector/errors.js'
import type { VaultConnector } from '../../../contracts/vault-connector/vault-connector.js'
import { describeTwins, never } from './break-connector.test.js'
import { absent, notWritten, races, replaces, revisions } from './suite-titles.test.js'

function racing({ read, write }: VaultConnector): Partial<VaultConnector> {
  return {
    async write(of, { revision, ...item }, call) {
      const { item: present } = item.id === undefined ? { item: undefined } : await read(of, item.id, call)
      if (revision !== undefined && present?.revision !== revision) throw vaultConflictError.create({ what: 'The item' })
      return write?.(of, item, call) as never
    },
  }
}

function addingFields({ read, write }: VaultConnector): Partial<VaultConnector> {
  return {
    async write(of, item, call) {
      const before = item.id === undefined ? [] : (await read(of, item.id, call)).fields
      const names = new Set(item.fields.map(({ name }) => name))
      return write?.(of, { ...item, fields: [...item.fields, ...before.filter(({ name }) => !names.has(name))] }, call) as never
    },
  }
}

function writingAny({ write }: VaultConnector): Partial<VaultConnector> {
  return {
    write: (of, item, call) =>
      Promise.resolve(write?.(of, item, call)).catch(() => {
        const { id: _, revision: __, ...made } = item
        return write?.(of, made, call)
      }) as never,
  }
}

function refusing(write: VaultConnector['write'], ...[of, item, call]: Parameters<NonNullable<VaultConnector['write']>>): never {
  if (item.id !== undefined) throw vaultConflictError.create({ what: 'The item' })
  return write?.(of, item, call) as never
}

function losingGroups({ read, write }: VaultConnector): Partial<VaultConnector> {
  const written = new Set<string>()
  return {
    async write(of, item, call) {
      if (item.id !== undefined) written.add(item.id)
      return write?.(of, item, call) as never
    },
    async read(of, id, call) {
      const { item, fields } = await read(of, id, call)
      const { group: _, ...loose } = item
      return { item: written.has(id) ? loose : item, fields }
    },
  }
}

const trimmed = ({ write }: VaultConnector): Partial<VaultConnector> => ({
  write: async (of, item, call) =>
    write?.(of, { ...item, fields: item.fields.map((field) => ({ ...field, value: field.value.trim() })) }, call) as never,
})

describeTwins('writes', [
  ['values without the spaces at their ends', trimmed, [replaces]],
  ['items that leave their group when they are written', losingGroups, [replaces]],
  [
    'writes over any revision',
    ({ write }) => ({ write: async (of, { revision: _, ...item }, call) => write?.(of, item, call) as never }),
    [revisions, races],
  ],
  ['a check of the revision before the write alone', racing, [races]],
  ['a write that adds fields', addingFields, [replaces]],
  ['writes of what is not there', writingAny, [absent]],
  [
    'a write in spite of an abort',
    ({ write }) => ({
      async write(of, item, { signal }) {
        await write?.(of, item, { signal: never() })
        signal.throwIfAborted()
        return { id: '', title: '' }
      },
    }),
    [notWritten],
  ],
  ['a conflict that was none', ({ write }) => ({ write: async (of, item, call) => refusing(write, of, item, call) }), [replaces]],
])
