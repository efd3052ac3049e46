import type { CollectionLayout, IndexLayout, RangeQuery } from '@agent-service/sdk/contracts/database-driver'
import type { IndexValue, Query } from '@agent-service/sdk/services/database'
import { queryInvalidError } from '../errors.js'
import { type CursorScope, decodeCursor } from './cursor.js'
import { encodeIndexKey, indexValueProblem, prefixEnd } from './index-key.js'

const defaultLimit = 50
const maxLimit = 200
/** The largest page, in bytes of its documents. */
export const maxPageBytes = 4 * 1024 * 1024

export interface PlannedQuery {
  readonly range: RangeQuery
  readonly scope: CursorScope
}

/**
 * Turns a query into a range of keys.
 * @throws `query_invalid` if it does not fit the index, `cursor_invalid` for a foreign or broken
 * cursor.
 */
export function planQuery(layout: CollectionLayout, query: Query): PlannedQuery {
  const refuse = (reason: string): never => {
    throw queryInvalidError.create({ collection: layout.name, reason })
  }
  const index = indexOf(layout, query.index)
  const { equals = [], from, to, order = 'ascending' } = query
  const limit = checkedLimit(layout, query.limit)
  if (order !== 'ascending' && order !== 'descending') refuse(`order must be ascending or descending, not ${String(order)}`)
  const bounded = from !== undefined || to !== undefined
  if (equals.length + (bounded ? 1 : 0) > index.fields.length) {
    refuse(`the index “${index.name}” has ${index.fields.length} field(s), too few for these conditions`)
  }
  for (const value of [...equals, ...(from === undefined ? [] : [from]), ...(to === undefined ? [] : [to])]) {
    const problem = indexValueProblem(value, { stored: false })
    if (problem) refuse(`a value ${problem}`)
  }
  const prefix = encodeIndexKey(equals)
  const lower = from === undefined ? (equals.length > 0 ? prefix : undefined) : Buffer.concat([prefix, encodeIndexKey([from])])
  const upper = to === undefined ? prefixEnd(prefix) : Buffer.concat([prefix, encodeIndexKey([to])])
  const bounds = { collection: layout.name, index: index.name, order, ...(lower && { lower }), ...(upper && { upper }) }
  const scope: CursorScope = { ...bounds, fields: index.fields }
  const after = query.cursor === undefined ? undefined : decodeCursor(scope, query.cursor)
  return { range: { ...bounds, limit, maximumBytes: maxPageBytes, ...(after && { after }) }, scope }
}

/** The limit of a page, or the default. @throws `query_invalid` if it is out of range. */
export function checkedLimit(layout: CollectionLayout, limit: number = defaultLimit): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxLimit) return limit
  const reason = `limit must be a whole number from 1 to ${maxLimit}, not ${limit}`
  throw queryInvalidError.create({ collection: layout.name, reason })
}

/**
 * The complete key for a look-up in a unique index; undefined if no document can have it, because a
 * unique index omits keys of nulls and no stored text is ill-formed.
 * @throws `query_invalid` if it does not fit the index.
 */
export function planFind(layout: CollectionLayout, name: string, key: readonly IndexValue[]): Uint8Array | undefined {
  const index = indexOf(layout, name)
  const refuse = (reason: string): never => {
    throw queryInvalidError.create({ collection: layout.name, reason })
  }
  if (!index.unique) refuse(`the index “${name}” is not unique, so it has no single document for a key`)
  if (key.length !== index.fields.length) refuse(`the index “${name}” has ${index.fields.length} field(s), the key has ${key.length}`)
  for (const value of key) {
    const problem = indexValueProblem(value, { stored: false })
    if (problem && typeof value !== 'string') refuse(`a value of the key ${problem}`)
    if (problem) return undefined
  }
  return key.every((value) => value === null) ? undefined : encodeIndexKey(key)
}

function indexOf(layout: CollectionLayout, name: string): IndexLayout {
  const index = layout.indexes.find((candidate) => candidate.name === name)
  if (index) return index
  const known = layout.indexes.map((candidate) => candidate.name).join(', ') || 'none'
  throw queryInvalidError.create({ collection: layout.name, reason: `the index “${name}” does not exist; known: ${known}` })
}
