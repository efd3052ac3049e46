import type { Collection, CollectionDefinition, Database, StoredObject, Transaction } from '@agent-service/sdk/services/database'

/**
 * Just enough of a database for one caller at a time: documents by id, queries by the first field
 * of an index, transactions one after the other.
 */
export interface MemoryDatabase {
  readonly database: Database
  documents<Document extends StoredObject>(collection: CollectionDefinition<Document>): Map<string, Document>
}

export function createMemoryDatabase(options: { readonly shared?: boolean } = {}): MemoryDatabase {
  const collections = new Map<string, Map<string, StoredObject>>()
  const documents = <Document extends StoredObject>({ name }: CollectionDefinition<Document>): Map<string, Document> => {
    const known = collections.get(name) ?? new Map<string, StoredObject>()
    collections.set(name, known)
    return known as Map<string, Document>
  }
  const transaction: Transaction = {
    get: async (definition, id) => documents(definition).get(id),
    async find(definition, index, key) {
      const fields = definition.indexes[index]?.fields ?? []
      return [...documents(definition).values()].find((document) =>
        fields.every((field, at) => (document as unknown as Record<string, unknown>)[field] === key[at]),
      )
    },
    insert: (definition, document) => void documents(definition).set(document.id, document),
    put: (definition, document) => void documents(definition).set(document.id, document),
    delete: (definition, id) => void documents(definition).delete(id),
  }
  const collection = <Document extends StoredObject>(
    definition: CollectionDefinition<Document>,
  ): Pick<Collection<Document>, 'get' | 'find' | 'query' | 'insert' | 'put' | 'delete'> => ({
    get: async (id) => documents(definition).get(id),
    find: (index, key) => transaction.find(definition, index, key),
    async put(document) {
      documents(definition).set(document.id, document)
      return { document, revision: 1 }
    },
    async insert(document) {
      documents(definition).set(document.id, document)
      return { document, revision: 1 }
    },
    delete: async (id) => documents(definition).delete(id),
    async query({ index, equals, to, limit = 50 }) {
      const field = definition.indexes[index]?.fields[0] ?? 'id'
      const fieldOf = (document: StoredObject): unknown =>
        field.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], document)
      const items = [...documents(definition).values()].filter((document) =>
        equals ? fieldOf(document) === equals[0] : to === undefined || String(fieldOf(document)) < String(to),
      )
      return { items: items.slice(0, limit) }
    },
  })
  return {
    documents,
    database: {
      shared: options.shared ?? false,
      collection: (definition) => collection(definition) as Collection<never>,
      transaction: (work) => work(transaction),
    },
  }
}
