import { type Static, Type, validate } from '@agent-service/sdk'
import { type CollectionState, checkedKeys, type StoredDocument } from './collection-state.js'
import { documentsById } from './sorted-views.js'

/** The generation of the files below. */
export const fileFormat = 1

const revision = Type.Integer({ minimum: 0 })

const collectionFile = Type.Object({
  format: Type.Literal(fileFormat),
  revision,
  layout: Type.Object({
    name: Type.String(),
    version: Type.Integer(),
    indexes: Type.Array(Type.Object({ name: Type.String(), fields: Type.Array(Type.String()), unique: Type.Boolean() })),
    search: Type.Optional(
      Type.Object({ fields: Type.Array(Type.String()), scope: Type.String(), order: Type.String(), generation: Type.Integer() }),
    ),
  }),
  documents: Type.Array(
    Type.Object({
      id: Type.String(),
      revision,
      keys: Type.Array(Type.Union([Type.Null(), Type.String({ pattern: '^([0-9a-f]{2})*$' })])),
      search: Type.Optional(Type.Object({ scope: Type.String(), order: Type.Integer({ minimum: 0 }), words: Type.String() })),
      document: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
})

const storeFile = Type.Object({ format: Type.Literal(fileFormat), revision })

/** The content of the store's own file: the newest commit that changed no existing collection. */
export type StoreFile = Static<typeof storeFile>

/** The file of the store itself. */
export const storeFileName = '_store.json'

/**
 * The file of a collection. Names that could mean something to a file system, or to us, are
 * escaped.
 */
export const fileNameOf = (collection: string): string =>
  `${encodeURIComponent(collection).replace(/^[._]/, (first) => (first === '.' ? '%2E' : '%5F'))}.json`

const texts = new WeakMap<StoredDocument, string>()

/**
 * One document, indented to its place. Made once, since a commit writes all documents of its
 * collection.
 */
function textOf(document: StoredDocument): string {
  const known = texts.get(document)
  if (known !== undefined) return known
  const { id, keys, search, body } = document
  const entry = {
    id,
    revision: document.revision,
    keys: keys.map((key) => key && Buffer.from(key).toString('hex')),
    ...(search && { search }),
    document: JSON.parse(body) as unknown,
  }
  // No string of JSON holds a line break, so each one is ours to indent.
  const text = `    ${JSON.stringify(entry, null, 2).replaceAll('\n', '\n    ')}`
  texts.set(document, text)
  return text
}

/**
 * The text of a collection's file: pretty-printed, the documents by id, so that two versions can be
 * compared line by line.
 */
export function writeCollection(collection: CollectionState): string {
  const head = JSON.stringify({ format: fileFormat, revision: collection.revision, layout: collection.layout }, null, 2)
  const documents = documentsById(collection).map(textOf)
  const list = documents.length === 0 ? '[]' : `[\n${documents.join(',\n')}\n  ]`
  return `${head.slice(0, -2)},\n  "documents": ${list}\n}\n`
}

/** Reads it back. @throws an `Error` that says what is wrong with the text. */
export function readCollection(text: string): CollectionState {
  const file = parsed(collectionFile, text) as Static<typeof collectionFile>
  const documents = new Map(
    file.documents.map((entry) => {
      const keys = checkedKeys(
        file.layout,
        entry.keys.map((key) => (key === null ? null : Buffer.from(key, 'hex'))),
      )
      const { id, search } = entry
      return [id, { id, revision: entry.revision, keys, body: JSON.stringify(entry.document), ...(search && { search }) }]
    }),
  )
  const { search, ...layout } = file.layout
  return { layout: { ...layout, ...(search && { search }) }, revision: file.revision, documents }
}

/** The text of the store's own file. */
export const writeStore = (store: StoreFile): string => `${JSON.stringify(store, null, 2)}\n`

/** Reads it back. @throws an `Error` that says what is wrong with the text. */
export const readStore = (text: string): StoreFile => parsed(storeFile, text) as StoreFile

/** The format that a file says it has, for telling a newer one from a damaged one. */
export function formatOf(text: string): number | undefined {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null && 'format' in value && typeof value.format === 'number' ? value.format : undefined
}

function parsed(schema: Parameters<typeof validate>[0], text: string): unknown {
  const value: unknown = JSON.parse(text)
  const problems = validate(schema, value)
  if (problems.length > 0)
    throw new Error(
      problems
        .slice(0, 3)
        .map(({ path, message }) => `${path} ${message}`)
        .join('; '),
    )
  return value
}
