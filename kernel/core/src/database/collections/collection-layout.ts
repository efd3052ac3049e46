import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { CollectionLayout, CommitWrite, IndexKey, IndexLayout } from '@agent-service/sdk/contracts/database-driver'
import { collectionProblem } from '@agent-service/sdk/host'
import type { CollectionDefinition, IndexValue } from '@agent-service/sdk/services/database'
import type { CheckedDocument } from '../documents/check-document.js'
import { collectionInvalidError, documentInvalidError } from '../errors.js'
import { encodeIndexKey, indexValueProblem } from '../queries/index-key.js'
import { searchTextOf } from '../queries/search-text.js'
import { wordsGeneration } from '../queries/search-words.js'

/**
 * The layout of a definition. Its indexes are ordered by name, so that their order in the
 * definition does not matter.
 */
export function layoutOf(definition: CollectionDefinition): CollectionLayout {
  const { name, version, search } = definition
  const indexes = Object.entries(definition.indexes)
    .map(([name, { fields, unique = false }]): IndexLayout => ({ name, fields: [...fields], unique }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
  if (!search) return { name, version, indexes }
  const { fields, scope, order } = search
  return { name, version, indexes, search: { fields: [...fields], scope, order, generation: wordsGeneration } }
}

/**
 * Checks names, version, indexes and the chain of migrations.
 * @throws `collection_invalid` with the reason.
 */
export function checkDefinition(definition: CollectionDefinition): void {
  const reason = collectionProblem(definition)
  if (reason) throw collectionInvalidError.create({ collection: String(definition.name), reason })
}

/**
 * The write that puts a document, with its index keys and searched text.
 * @throws `document_invalid` as {@link keysOf}.
 */
export function putOf(layout: CollectionLayout, { id, body, document }: CheckedDocument): CommitWrite & { readonly kind: 'put' } {
  const keys = keysOf(layout, document)
  const put = { kind: 'put', collection: layout.name, id, body, keys } as const
  return layout.search ? { ...put, search: searchTextOf(layout.search, document) } : put
}

/**
 * The keys of a document, one for each index of the layout. Null if a unique index omits it because
 * all its fields are null.
 * @throws `document_invalid` if an indexed member is not a scalar or is too long.
 */
export function keysOf(layout: CollectionLayout, document: JsonObject): readonly IndexKey[] {
  return layout.indexes.map((index) => {
    const values = index.fields.map((field) => indexedValue(layout.name, document, field))
    return index.unique && values.every((value) => value === null) ? null : encodeIndexKey(values)
  })
}

function indexedValue(collection: string, document: JsonObject, field: string): IndexValue {
  const value = memberAt(document, field) ?? null
  const reason = indexValueProblem(value, { stored: true })
  if (reason) throw documentInvalidError.create({ collection, path: field, reason })
  return value as IndexValue
}

/** The member at a dotted path; undefined if it, or a member on the path, is missing. */
export function memberAt(document: JsonObject, field: string): JsonValue | undefined {
  if (!field.includes('.')) return Object.hasOwn(document, field) ? document[field] : undefined
  let value: JsonValue | undefined = document
  for (const step of field.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, step)) return undefined
    value = (value as JsonObject)[step]
  }
  return value
}

/**
 * The database's own documents: the progress of migrations, and the probe that checks whether there
 * is space again.
 */
export const internalCollectionName = 'kernel.database'

export const internalCollectionLayout: CollectionLayout = Object.freeze({ name: internalCollectionName, version: 1, indexes: [] })
