import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { type DocumentRecord, databaseCorruptError } from '@agent-service/sdk/contracts/database-driver'
import type { StoredEntry } from './entity-cache.js'

/**
 * Reads a record as the frozen document that is returned.
 * @throws `database_corrupt` if it is not the JSON object that was stored.
 */
export function entryOf(collection: string, record: DocumentRecord): StoredEntry {
  return { document: documentOf(collection, record), revision: record.revision, bytes: record.body.length }
}

/** The document alone. */
export function documentOf(collection: string, record: DocumentRecord): JsonObject {
  const path = `${collection}/${record.id}`
  let value: JsonValue
  try {
    value = JSON.parse(record.body) as JsonValue
  } catch (cause) {
    throw databaseCorruptError.create({ path, reason: 'a document is not JSON' }, { cause })
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw databaseCorruptError.create({ path, reason: 'a document is not a JSON object' })
  }
  const document = value as JsonObject
  if (document['id'] !== record.id)
    throw databaseCorruptError.create({ path, reason: 'a document does not have the id that it is stored under' })
  return deepFreeze(document)
}

/** Freezes a value of JSON and everything in it. */
export function deepFreeze<Value extends JsonObject | readonly JsonValue[]>(value: Value): Value {
  if (Object.isFrozen(value)) return value
  // Lists no members in an array of their own: this runs for every document that is read.
  for (const name in value) {
    const member: unknown = value[name]
    if (typeof member === 'object' && member !== null) deepFreeze(member as JsonObject)
  }
  return Object.freeze(value)
}
