import { defineError } from '@agent-service/sdk'
import { uniqueViolationError } from '@agent-service/sdk/contracts/database-driver'
import type {
  Collection,
  CollectionDefinition,
  Database,
  Entry,
  IndexValue,
  Query,
  StoredObject,
  Transaction,
} from '@agent-service/sdk/services/database'
import type { KernelDatabase, KernelTransaction } from '../database/kernel-database.js'

interface StoredEntry {
  readonly json: string
  readonly revision: number
}

/** What outlives a restart. */
export interface FakeDisk {
  readonly collections: Map<string, Map<string, StoredEntry>>
  revision: number
}

export const createFakeDisk = (): FakeDisk => ({ collections: new Map(), revision: 0 })

const conflictError = defineError<Record<string, never>>({ code: 'conflict', status: 409, title: 'Conflict', message: () => 'Conflict.' })

/** A database in memory with the rules of the contract: serialisable transactions, unique indexes, callbacks in commit order. `pause` runs before each step. */
export function createFakeDatabase(disk: FakeDisk = createFakeDisk(), pause: () => Promise<void> = () => Promise.resolve()) {
  const views = new WeakMap<Transaction, KernelTransaction>()
  const tableOf = (definition: CollectionDefinition): Map<string, StoredEntry> => {
    const known = disk.collections.get(definition.name)
    if (known) return known
    const table = new Map<string, StoredEntry>()
    disk.collections.set(definition.name, table)
    return table
  }
  const parse = <Document extends StoredObject>(entry: StoredEntry | undefined): Document | undefined =>
    entry && (JSON.parse(entry.json) as Document)
  const fieldsOf = (definition: CollectionDefinition, index: string): readonly string[] => definition.indexes[index]?.fields ?? []
  const keyOf = (document: StoredObject, fields: readonly string[]): readonly IndexValue[] =>
    fields.map((field) => (document as unknown as Record<string, IndexValue>)[field] ?? null)
  const findIn = <Document extends StoredObject>(definition: CollectionDefinition<Document>, index: string, key: readonly IndexValue[]) => {
    const wanted = JSON.stringify(key)
    for (const entry of tableOf(definition).values()) {
      const document = parse<Document>(entry)
      if (document && JSON.stringify(keyOf(document, fieldsOf(definition, index))) === wanted) return document
    }
    return undefined
  }

  async function transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    for (let attempt = 0; attempt < 16; attempt += 1) {
      const checks: (() => boolean)[] = []
      const writes = new Map<string, { readonly definition: CollectionDefinition; readonly id: string; readonly json: string | undefined }>()
      const callbacks: ((revision: number) => void)[] = []
      const write = (definition: CollectionDefinition, id: string, document: StoredObject | undefined): void =>
        void writes.set(`${definition.name}/${id}`, { definition, id, json: document && JSON.stringify(document) })
      const view: KernelTransaction = {
        async get<Document extends StoredObject>(definition: CollectionDefinition<Document>, id: string) {
          await pause()
          const own = writes.get(`${definition.name}/${id}`)
          if (own) return own.json === undefined ? undefined : (JSON.parse(own.json) as Document)
          const entry = tableOf(definition).get(id)
          checks.push(() => tableOf(definition).get(id)?.revision === entry?.revision)
          return parse<Document>(entry)
        },
        async find<Document extends StoredObject>(definition: CollectionDefinition<Document>, index: string, key: readonly IndexValue[]) {
          await pause()
          const found = findIn(definition, index, key)
          checks.push(() => findIn(definition, index, key)?.id === found?.id)
          return found
        },
        insert(definition, document) {
          checks.push(() => !tableOf(definition).has(document.id))
          write(definition, document.id, document)
        },
        put: (definition, document) => write(definition, document.id, document),
        delete: (definition, id) => write(definition, id, undefined),
        afterCommit: (callback) => void callbacks.push(callback),
      }
      views.set(view, view)
      const result = await work(view)
      await pause()
      if (!checks.every((holds) => holds())) continue
      if (writes.size > 0) commit([...writes.values()], callbacks)
      await pause()
      return result
    }
    throw conflictError.create({})
  }

  function commit(
    writes: readonly { readonly definition: CollectionDefinition; readonly id: string; readonly json: string | undefined }[],
    callbacks: readonly ((revision: number) => void)[],
  ): void {
    for (const { definition, id, json } of writes) {
      if (json === undefined) continue
      for (const [index, { fields, unique }] of Object.entries(definition.indexes)) {
        const key = keyOf(JSON.parse(json) as StoredObject, fields)
        if (!unique || key.every((value) => value === null)) continue
        const other = findIn(definition, index, key)
        if (other && other.id !== id) throw uniqueViolationError.create({ collection: definition.name, index })
      }
    }
    disk.revision += 1
    for (const { definition, id, json } of writes) {
      if (json === undefined) tableOf(definition).delete(id)
      else tableOf(definition).set(id, { json, revision: disk.revision })
    }
    for (const callback of callbacks) callback(disk.revision)
  }

  function collection<Document extends StoredObject>(definition: CollectionDefinition<Document>): Collection<Document> {
    const entryOf = (id: string): Entry<Document> | undefined => {
      const entry = tableOf(definition).get(id)
      const document = parse<Document>(entry)
      return entry && document && { document, revision: entry.revision }
    }
    const store = async (document: Document, how: 'insert' | 'put'): Promise<Entry<Document>> => {
      await transaction(async (inner) => inner[how](definition, document))
      const entry = entryOf(document.id)
      if (!entry) throw new Error('The document that was written is gone.')
      return entry
    }
    return {
      name: definition.name,
      async get(id) {
        await pause()
        return parse<Document>(tableOf(definition).get(id))
      },
      async getEntry(id) {
        await pause()
        return entryOf(id)
      },
      async find(index, key) {
        await pause()
        return findIn(definition, index, key)
      },
      async query(query) {
        await pause()
        return page(definition, query)
      },
      insert: (document) => store(document, 'insert'),
      put: (document) => store(document, 'put'),
      async delete(id) {
        const there = tableOf(definition).has(id)
        await transaction(async (inner) => inner.delete(definition, id))
        return there
      },
    }
  }

  function page<Document extends StoredObject>(definition: CollectionDefinition<Document>, query: Query) {
    const fields = fieldsOf(definition, query.index)
    const equals = query.equals ?? []
    const sortKey = (document: Document): string => JSON.stringify([...keyOf(document, fields), document.id])
    const rest = [...tableOf(definition).values()]
      .flatMap((entry) => parse<Document>(entry) ?? [])
      .filter((document) => {
        const key = keyOf(document, fields)
        const next = key[equals.length]
        if (equals.some((value, position) => key[position] !== value)) return false
        if (query.from !== undefined && !(String(next) >= String(query.from))) return false
        return query.to === undefined || String(next) < String(query.to)
      })
      .map((document) => ({ document, key: sortKey(document) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .filter(({ key }) => query.cursor === undefined || key > query.cursor)
    const taken = rest.slice(0, query.limit ?? 50)
    const last = taken.at(-1)
    const items = taken.map(({ document }) => document)
    return last && rest.length > taken.length ? { items, nextCursor: last.key } : { items }
  }

  const database: Database = { collection, transaction }
  const kernelDatabase: Pick<KernelDatabase, 'kernelView'> = {
    kernelView(inner) {
      const view = views.get(inner)
      if (!view) throw new Error('This transaction was not made here.')
      return view
    },
  }
  return { database, kernelDatabase, disk }
}
