import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { CollectionLayout, CommitWrite, IndexKey, IndexLayout } from '@agent-service/sdk/contracts/database-driver'
import type { CollectionDefinition, IndexValue, SearchDefinition } from '@agent-service/sdk/services/database'
import type { CheckedDocument } from '../documents/check-document.js'
import { collectionInvalidError, documentInvalidError } from '../errors.js'
import { encodeIndexKey, indexValueProblem } from '../queries/index-key.js'
import { searchTextOf } from '../queries/search-text.js'
import { wordsGeneration } from '../queries/search-words.js'

const collectionName = /^[a-z][a-z0-9_]{0,63}\.[a-z][a-z0-9_]{0,59}$/
const indexName = /^[a-zA-Z][a-zA-Z0-9_]{0,59}$/
const maxIndexes = 16
const maxFields = 8

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
  const reason = definitionProblem(definition)
  if (reason) throw collectionInvalidError.create({ collection: String(definition.name), reason })
}

function definitionProblem({ name, version, indexes, search, migrations = [], sealed = [] }: CollectionDefinition): string | undefined {
  if (typeof name !== 'string' || !collectionName.test(name)) return 'its name must be <owner>.<plural> in snake_case, such as agents.chats'
  if (!Number.isSafeInteger(version) || version < 1) return 'its version must be a whole number from 1'
  const entries = Object.entries(indexes)
  if (entries.length > maxIndexes) return `it has ${entries.length} indexes, more than ${maxIndexes}`
  for (const [index, { fields }] of entries) {
    if (!indexName.test(index)) return `the index name “${index}” must be letters, digits and _, and start with a letter`
    if (fields.length < 1 || fields.length > maxFields) return `the index “${index}” must have 1 to ${maxFields} fields`
    if (new Set(fields).size !== fields.length) return `the index “${index}” names a field twice`
    if (fields.some((field) => field.split('.').includes(''))) return `a field of the index “${index}” is not a dotted path`
  }
  const wrongMember = sealed.find((field) => !indexName.test(field) || field === 'id')
  if (wrongMember !== undefined) return `“${wrongMember}” cannot be sealed: it is not the name of a member at the top level`
  const indexed = sealed.find((field) => entries.some(([, { fields }]) => fields.includes(field)))
  if (indexed !== undefined) return `the sealed member “${indexed}” is in an index, which cannot use a sealed text`
  const searchProblem = search && searchDefinitionProblem(search, sealed)
  if (searchProblem !== undefined) return searchProblem
  const first = version - migrations.length + 1
  if (first < 2 || migrations.some(({ to }, position) => to !== first + position)) {
    return `its migrations must lead step by step up to version ${version}, from version 2 at the earliest`
  }
  return undefined
}

function searchDefinitionProblem({ fields, scope, order }: SearchDefinition, sealed: readonly string[]): string | undefined {
  if (fields.length < 1 || fields.length > maxFields) return `its text index must have 1 to ${maxFields} fields`
  if (new Set(fields).size !== fields.length) return 'its text index names a field twice'
  const paths = [...fields, scope, order]
  if (paths.some((path) => typeof path !== 'string' || path.split('.').includes(''))) return 'a path of its text index is not a dotted path'
  const secret = paths.find((path) => sealed.includes(path.split('.')[0] ?? ''))
  return secret === undefined ? undefined : `the sealed member “${secret}” is in the text index, which cannot use a sealed text`
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
