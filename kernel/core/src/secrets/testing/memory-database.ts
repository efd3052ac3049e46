import type { Collection, Database, Entry, Page, StoredObject, Transaction } from '@agent-service/sdk/services/database'

/** The database operations that the data keys use, over a map that a test can read and change. */
export function createMemoryDatabase(
  stored: Map<string, StoredObject> = new Map(),
): Database & { readonly stored: Map<string, StoredObject> } {
  const refuse = (): never => {
    throw new Error('The data keys do not use this.')
  }
  let queue: Promise<unknown> = Promise.resolve()
  const collection = <Document extends StoredObject>(): Collection<Document> => ({
    name: 'kernel.data_keys',
    get: async (id) => stored.get(id) as Document | undefined,
    query: async (query): Promise<Page<Document>> => {
      const all = [...stored.values()] as unknown as (Document & { readonly kind: string; readonly created_at: string })[]
      const items = all.filter((document) => document.kind === query.equals?.[0])
      return { items: items.sort((left, right) => (left.created_at < right.created_at ? -1 : 1)) }
    },
    find: refuse,
    getEntry: refuse,
    insert: refuse as () => Promise<Entry<Document>>,
    put: refuse as () => Promise<Entry<Document>>,
    delete: refuse,
  })
  return {
    stored,
    collection,
    shared: false,
    transaction: async (work) => {
      const run = async () => {
        const writes = new Map<string, StoredObject>()
        const transaction = {
          get: async (_definition: unknown, id: string) => writes.get(id) ?? stored.get(id),
          insert: (_definition: unknown, document: StoredObject) => {
            if (stored.has(document.id)) throw new Error('document_exists')
            writes.set(document.id, document)
          },
          put: (_definition: unknown, document: StoredObject) => void writes.set(document.id, document),
        }
        const result = await work(transaction as unknown as Transaction)
        for (const [id, document] of writes) stored.set(id, document)
        return result
      }
      const result = queue.then(run)
      queue = result.catch(() => undefined)
      return result
    },
  }
}
