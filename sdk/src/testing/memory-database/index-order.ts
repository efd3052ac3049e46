import type { IndexDefinition, IndexValue, StoredObject } from '../../services/database.js'

/**
 * The value at a dotted path of a document; a list, an object or a missing value counts as null.
 */
export function indexValueAt(document: unknown, path: string): IndexValue {
  const found = path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), document)
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? found : null
}

/** The key of a document in an index. */
export const keyOf = (document: StoredObject, { fields }: IndexDefinition): readonly IndexValue[] =>
  fields.map((path) => indexValueAt(document, path))

/** Nulls first, then booleans, numbers and strings, these by Unicode code point. */
export function compareValues(left: IndexValue, right: IndexValue): number {
  const difference = rankOf(left) - rankOf(right)
  if (difference !== 0 || left === null || right === null) return difference
  if (typeof left === 'string' && typeof right === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(right))
  return Number(left) - Number(right)
}

/** Field by field; the shorter of two that begin alike comes first. */
export function compareKeys(left: readonly IndexValue[], right: readonly IndexValue[]): number {
  for (const [place, value] of left.entries()) {
    const other = right[place]
    if (other === undefined) return 1
    const order = compareValues(value, other)
    if (order !== 0) return order
  }
  return left.length - right.length
}

const ranks = ['object', 'boolean', 'number', 'string']
const rankOf = (value: IndexValue): number => ranks.indexOf(typeof value)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
