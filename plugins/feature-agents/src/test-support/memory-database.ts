import type { Collection, CollectionDefinition, Database, StoredObject, Transaction } from '@agent-service/sdk/services/database'

/** Just enough of a database for one caller at a time: documents by id, queries by the first field of an index, transactions one after the other. */
export interface MemoryDatabase {
  readonly database: Database
  documents<Document extends StoredObject>(collection: CollectionDefinition<Document>): Map<string, Document>
}

export function createMemoryDatabase(): MemoryDatabase {
  const collections = new Map<string, Map<string, StoredObject>>()
  const documents = <Document extends StoredObject>({ name }: CollectionDefinition<Document>): Map<string, Document> => {
    const known = collections.get(name) ?? new Map<string, StoredObject>()
    collections.set(name, known)
    return known as Map<string, Document>
  }
  const transaction: Transaction = {
    get: async (definition, id) => documents(definition).get(id),
    find: async () => undefined,
    insert: (definition, document) => void documents(definition).set(document.id, document),
    put: (definition, document) => void documents(definition).set(document.id, document),
    delete: (definition, id) => void documents(definition).delete(id),
  }
  const collection = <Document extends StoredObject>(
    definition: CollectionDefinition<Document>,
  ): Pick<Collection<Document>, 'get' | 'query' | 'delete'> => ({
    get: async (id) => documents(definition).get(id),
    delete: async (id) => documents(definition).delete(id),
    async query({ index, equals, limit = 50 }) {
      const field = definition.indexes[index]?.fields[0] ?? 'id'
      const items = [...documents(definition).values()].filter(
        (document) => (document as unknown as Record<string, unknown>)[field] === equals?.[0],
      )
      return { items: items.slice(0, limit) }
    },
  })
  return {
    documents,
    database: {
      collection: (definition) => collection(definition) as Collection<never>,
      transaction: (work) => work(transaction),
    },
  }
}
