import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Collection, CollectionDefinition, Database, Query, StoredObject, Transaction } from '@agent-service/sdk/services/database'
import type { SealedFields, Secrets } from '@agent-service/sdk/services/secrets'

/** Sealed texts that contain their location and open only there. */
export const fakeSealedFields: SealedFields = {
  seal: async (text, location) => Buffer.from(JSON.stringify([nameOf(location), text]), 'utf8').toString('base64'),
  async open(sealed, location) {
    const [name, text] = JSON.parse(Buffer.from(sealed, 'base64').toString('utf8')) as [string, string]
    if (name !== nameOf(location)) throw new Error('sealed for another location')
    return text
  },
}

const nameOf = ({ collection, id, field }: Parameters<SealedFields['seal']>[1]): string => `${collection.name}/${id}/${field}`

/** Remembers the protected values. */
export function createFakeSecrets(): Secrets & { readonly protectedValues: string[] } {
  const protectedValues: string[] = []
  return { protectedValues, protect: (value) => void protectedValues.push(value), resolve: (text) => ({ value: text }) }
}

/**
 * A clock whose waits end at once, advance its time and are recorded. With `still`, they never end
 * by themselves.
 */
export function createInstantClock(options: { readonly still?: boolean } = {}): Clock & { readonly waits: number[] } {
  const waits: number[] = []
  let time = 0
  return {
    waits,
    now: () => time,
    monotonic: () => time,
    after: () => () => undefined,
    async wait(milliseconds, { signal }) {
      if (options.still) return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      waits.push(milliseconds)
      time += milliseconds
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
    },
  }
}

/** A log that keeps its lines, including fields. */
export function createFakeLog(): Logger & { readonly lines: string[] } {
  const lines: string[] = []
  const note = (message: string, fields: object = {}): void => void lines.push(`${message} ${JSON.stringify(fields)}`)
  const log: Logger & { readonly lines: string[] } = { lines, debug: note, info: note, warn: note, error: note, child: () => log }
  return log
}

/**
 * A database in memory: one transaction at a time, queries by the leading fields of an index.
 * `refuse` makes writes fail.
 */
export interface FakeDatabase extends Database {
  shared: boolean
  refuse: Error | undefined
  readonly documents: Map<string, StoredObject>
}

export function createFakeDatabase(): FakeDatabase {
  const documents = new Map<string, StoredObject>()
  let queue: Promise<unknown> = Promise.resolve()
  const write = (key: string, document: StoredObject): void => {
    if (database.refuse) throw database.refuse
    documents.set(key, structuredClone(document))
  }
  const remove = (key: string): boolean => {
    if (database.refuse) throw database.refuse
    return documents.delete(key)
  }
  const database: FakeDatabase = {
    shared: false,
    refuse: undefined,
    documents,
    collection<Document extends StoredObject>(definition: CollectionDefinition<Document>) {
      const { name } = definition
      return {
        name,
        get: async (id: string) => documents.get(`${name}/${id}`) as Document | undefined,
        delete: async (id: string) => remove(`${name}/${id}`),
        query: async (query: Query) => ({ items: matching(documents, definition, query) }),
      } as unknown as Collection<Document>
    },
    transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
      const result = queue.then(() =>
        work({
          get: async ({ name }: CollectionDefinition, id: string) => documents.get(`${name}/${id}`),
          put: ({ name }: CollectionDefinition, document: StoredObject) => write(`${name}/${document.id}`, document),
          delete: ({ name }: CollectionDefinition, id: string) => void remove(`${name}/${id}`),
        } as unknown as Transaction),
      )
      queue = result.catch(() => undefined)
      return result
    },
  }
  return database
}

function matching<Document extends StoredObject>(
  documents: ReadonlyMap<string, StoredObject>,
  { name, indexes }: CollectionDefinition<Document>,
  { index, equals = [] }: Query,
): readonly Document[] {
  const fields = indexes[index]?.fields ?? []
  return [...documents]
    .filter(([key]) => key.startsWith(`${name}/`))
    .map(([, document]) => document as Document)
    .filter((document) => equals.every((value, position) => (document as never)[fields[position] ?? ''] === value))
}
