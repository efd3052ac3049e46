import { createSearchMatcher } from '../../contracts/database-driver/index.js'
import type {
  Collection,
  CollectionDefinition,
  Entry,
  IndexDefinition,
  IndexValue,
  Page,
  Query,
  SearchDefinition,
  StoredObject,
  TextSearch,
} from '../../services/database.js'
import { conflictError, cursorInvalidError, documentExistsError, queryInvalidError } from './errors.js'
import { compareKeys, compareValues, indexValueAt, keyOf } from './index-order.js'
import type { MemoryStore } from './memory-store.js'
import { termsOf, textsAt, timeOf, wordsOf } from './search-words.js'

/** Reads and single writes of one collection in a store. */
export function createMemoryCollection<Document extends StoredObject>(
  store: MemoryStore,
  definition: CollectionDefinition<Document>,
): Collection<Document> {
  const { name, search } = definition
  const documents = (): readonly Document[] => store.entries(name).map(({ document }) => document as Document)
  const entry = (id: string): Entry<Document> | undefined => store.entry(name, id) as Entry<Document> | undefined
  const write = (document: Document): Entry<Document> => {
    store.commit([{ collection: definition, id: document.id, document }])
    return entry(document.id) as Entry<Document>
  }
  return {
    name,
    get: async (id) => entry(id)?.document,
    getEntry: async (id) => entry(id),
    find: async (index, key) => findByKey(definition, documents(), index, key),
    query: async (query) => pageOf(definition, documents(), query),
    ...(search && { search: async (wanted: TextSearch) => searchPage(name, search, documents(), wanted) }),
    async insert(document) {
      if (entry(document.id)) throw documentExistsError.create({ collection: name, id: document.id })
      return write(document)
    },
    async put(document, { revision } = {}) {
      if (revision !== undefined && entry(document.id)?.revision !== revision) throw conflictError.create({ collection: name })
      return write(document)
    },
    async delete(id) {
      if (!entry(id)) return false
      store.commit([{ collection: definition, id, document: undefined }])
      return true
    },
  }
}

/** The document with a key in a unique index. @throws `query_invalid`. */
export function findByKey<Document extends StoredObject>(
  definition: CollectionDefinition<Document>,
  documents: readonly Document[],
  index: string,
  key: readonly IndexValue[],
): Document | undefined {
  const wanted = indexOf(definition, index)
  if (wanted.unique !== true) throw queryInvalidError.create({ collection: definition.name, reason: `the index “${index}” is not unique.` })
  return documents.find((document) => compareKeys(keyOf(document, wanted), key) === 0)
}

function indexOf({ name, indexes }: CollectionDefinition, index: string): IndexDefinition {
  const found = indexes[index]
  if (found) return found
  const known = Object.keys(indexes).join(', ') || 'none'
  throw queryInvalidError.create({ collection: name, reason: `unknown index “${index}”. Known indexes: ${known}.` })
}

interface Place {
  readonly key: readonly IndexValue[]
  readonly id: string
}

const comparePlaces = (left: Place, right: Place): number => compareKeys(left.key, right.key) || compareValues(left.id, right.id)

function pageOf<Document extends StoredObject>(
  definition: CollectionDefinition<Document>,
  documents: readonly Document[],
  query: Query,
): Page<Document> {
  const { name } = definition
  const index = indexOf(definition, query.index)
  const { equals = [], order = 'ascending' } = query
  const limit = demandLimit(name, query.limit)
  if (equals.length > index.fields.length) {
    throw queryInvalidError.create({
      collection: name,
      reason: `“equals” has ${equals.length} values, the index ${index.fields.length} fields.`,
    })
  }
  const bounded = (key: readonly IndexValue[]): boolean => {
    if (compareKeys(key.slice(0, equals.length), equals) !== 0) return false
    const value = key[equals.length] ?? null
    return (
      (query.from === undefined || compareValues(value, query.from) >= 0) && (query.to === undefined || compareValues(value, query.to) < 0)
    )
  }
  const direction = order === 'descending' ? -1 : 1
  const after = query.cursor === undefined ? undefined : decode<Place>(name, query.cursor)
  const found = documents
    .map((document) => ({ document, key: keyOf(document, index), id: document.id }))
    .filter((place) => bounded(place.key) && (after === undefined || comparePlaces(place, after) * direction > 0))
    .sort((left, right) => comparePlaces(left, right) * direction)
  return cut(found, limit, ({ key, id }) => ({ key, id }))
}

interface Found {
  readonly time: number
  readonly id: string
}

const compareFound = (left: Found, right: Found): number => right.time - left.time || compareValues(right.id, left.id)

function searchPage<Document extends StoredObject>(
  name: string,
  search: SearchDefinition,
  documents: readonly Document[],
  { scope, text, limit: most, cursor, signal }: TextSearch,
): Page<Document> {
  signal?.throwIfAborted()
  const limit = demandLimit(name, most)
  const terms = termsOf(text)
  if (terms.length === 0) return { items: [] }
  const matches = createSearchMatcher(terms)
  const after = cursor === undefined ? undefined : decode<Found>(name, cursor)
  const found = documents
    .filter((document) => indexValueAt(document, search.scope) === scope)
    .filter((document) => matches(passagesOf(document, search)))
    .map((document) => ({ document, time: timeOf(indexValueAt(document, search.order)), id: document.id }))
    .filter((place) => after === undefined || compareFound(place, after) > 0)
    .sort(compareFound)
  return cut(found, limit, ({ time, id }) => ({ time, id }))
}

const passagesOf = (document: StoredObject, { fields }: SearchDefinition): string =>
  fields.flatMap((path) => textsAt(document, path.split('.')).map((text) => wordsOf(text).join(' '))).join('\n')

function cut<Document extends StoredObject, Item extends { readonly document: Document }>(
  found: readonly Item[],
  limit: number,
  placeOf: (item: Item) => object,
): Page<Document> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const more = last !== undefined && found.length > limit
  return { items: items.map(({ document }) => document), ...(more && { nextCursor: encode(placeOf(last)) }) }
}

function demandLimit(collection: string, limit = 50): number {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= 200) return limit
  throw queryInvalidError.create({ collection, reason: `“limit” is ${limit} and must be a whole number from 1 to 200.` })
}

const encode = (place: object): string => Buffer.from(JSON.stringify(place)).toString('base64url')

function decode<T>(collection: string, cursor: string): T {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as T
  } catch (error) {
    throw cursorInvalidError.create({ collection }, { cause: error })
  }
}
