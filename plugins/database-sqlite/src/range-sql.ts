import type { RangeQuery } from '@agent-service/sdk/contracts/database-driver'
import { columnOf, tableOf } from './schema.js'

/** The index that a range is read from. */
export interface RangeSource {
  readonly number: number
  readonly column: number
  readonly unique: boolean
}

/**
 * A statement for a range, to be run with `parameters` and the limit. There are few texts for each
 * index, so they are prepared once.
 */
export function rangeSql(
  { number, column, unique }: RangeSource,
  { lower, upper, after, order }: RangeQuery,
): { readonly sql: string; readonly parameters: readonly (Uint8Array | string)[] } {
  const key = columnOf(column)
  const ascending = order === 'ascending'
  // Of a bound and a position on the same side only the narrower one is given, or SQLite might walk
  // from the wider one.
  const behindLower = ascending && after && (!lower || Buffer.compare(after.key, lower) >= 0)
  const behindUpper = !ascending && after && (!upper || Buffer.compare(after.key, upper) < 0)
  const conditions = [`${key} IS NOT NULL`]
  const parameters: (Uint8Array | string)[] = []
  if (lower && !behindLower) {
    conditions.push(`${key} >= ?`)
    parameters.push(lower)
  }
  if (upper && !behindUpper) {
    conditions.push(`${key} < ?`)
    parameters.push(upper)
  }
  if (after && (behindLower || behindUpper)) {
    conditions.push(`(${key}, id) ${ascending ? '>' : '<'} (?, ?)`)
    parameters.push(after.key, after.id)
  }
  const direction = ascending ? 'ASC' : 'DESC'
  // In a unique index no two documents have a key that the id would have to order.
  const orderBy = unique ? `${key} ${direction}` : `${key} ${direction}, id ${direction}`
  const sql = `SELECT id, revision, body, ${key} FROM ${tableOf(number)} WHERE ${conditions.join(' AND ')} ORDER BY ${orderBy} LIMIT ?`
  return { sql, parameters }
}
