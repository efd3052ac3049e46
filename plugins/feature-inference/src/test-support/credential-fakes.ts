import type { Audit, AuditEvent } from '@agent-service/sdk/services/audit'
import type { Collection, CollectionDefinition, Database, StoredObject, Transaction } from '@agent-service/sdk/services/database'
import type { SealedFields } from '@agent-service/sdk/services/secrets'
import type { Urls } from '@agent-service/sdk/services/urls'

/** Sealed texts that say where they belong, and open nowhere else. */
export const fakeSealedFields: SealedFields = {
  seal: async (text, place) => Buffer.from(JSON.stringify([nameOf(place), text]), 'utf8').toString('base64'),
  async open(sealed, place) {
    const [name, text] = JSON.parse(Buffer.from(sealed, 'base64').toString('utf8')) as [string, string]
    if (name !== nameOf(place)) throw new Error('sealed for another place')
    return text
  },
}

const nameOf = ({ collection, id, field }: Parameters<SealedFields['seal']>[1]): string => `${collection.name}/${id}/${field}`

export const fakeUrls: Urls = {
  api: (path) => `http://service.test${path}`,
  page: (path) => `http://service.test${path}`,
  external: (path) => `http://service.test${path}`,
}

/** An audit log that keeps what it was told. */
export function createFakeAudit(): Audit & { readonly events: AuditEvent[] } {
  const events: AuditEvent[] = []
  return { events, note: async (event) => void events.push(event) }
}

/** A database in memory: documents by id, queries over all of a collection, one transaction at a time. `refuse` makes writes fail. */
export function createFakeDatabase(): Database & { refuse: Error | undefined; readonly documents: Map<string, StoredObject> } {
  const documents = new Map<string, StoredObject>()
  let queue: Promise<unknown> = Promise.resolve()
  const write = (key: string, document: StoredObject): void => {
    if (database.refuse) throw database.refuse
    documents.set(key, structuredClone(document))
  }
  const database = {
    refuse: undefined as Error | undefined,
    documents,
    collection<Document extends StoredObject>({ name }: CollectionDefinition<Document>) {
      return {
        name,
        get: async (id: string) => documents.get(`${name}/${id}`) as Document | undefined,
        insert: async (document: Document) => write(`${name}/${document.id}`, document),
        put: async (document: Document) => write(`${name}/${document.id}`, document),
        delete: async (id: string) => documents.delete(`${name}/${id}`),
        query: async () => ({
          items: [...documents].filter(([key]) => key.startsWith(`${name}/`)).map(([, document]) => document as Document),
        }),
      } as unknown as Collection<Document>
    },
    shared: false,
    transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
      const result = queue.then(() =>
        work({
          get: async ({ name }: CollectionDefinition, id: string) => documents.get(`${name}/${id}`),
          put: ({ name }: CollectionDefinition, document: StoredObject) => write(`${name}/${document.id}`, document),
        } as unknown as Transaction),
      )
      queue = result.catch(() => undefined)
      return result
    },
  }
  return database
}
