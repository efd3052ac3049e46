import { createHash } from 'node:crypto'
import type { IndexPosition, RangeQuery } from '@agent-service/sdk/contracts/database-driver'
import { cursorInvalidError } from '../errors.js'

const digestBytes = 12
const maxCursorLength = 32_768

/** The list and order that a cursor belongs to. */
export type CursorScope = Pick<RangeQuery, 'collection' | 'index' | 'order' | 'lower' | 'upper'> & { readonly fields: readonly string[] }

/** Encodes a position in a list: digest, length of the key, key, id, as base64url. */
export function encodeCursor(scope: CursorScope, position: IndexPosition): string {
  const content = Buffer.concat([uint32(position.key.length), position.key, Buffer.from(position.id)])
  return Buffer.concat([digestOf(scope, content), content]).toString('base64url')
}

/**
 * Reads a position.
 * @throws `cursor_invalid` if it was changed, truncated, or made for another list.
 */
export function decodeCursor(scope: CursorScope, cursor: string): IndexPosition {
  // Created only when thrown: an error costs more than the rest of this function.
  const invalid = () => cursorInvalidError.create({ collection: scope.collection })
  if (typeof cursor !== 'string' || cursor.length > maxCursorLength) throw invalid()
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length < digestBytes + 4 || bytes.toString('base64url') !== cursor) throw invalid()
  const content = bytes.subarray(digestBytes)
  if (!digestOf(scope, content).equals(bytes.subarray(0, digestBytes))) throw invalid()
  const keyEnd = 4 + content.readUInt32BE(0)
  if (keyEnd > content.length) throw invalid()
  return { key: Uint8Array.from(content.subarray(4, keyEnd)), id: content.subarray(keyEnd).toString() }
}

/**
 * Not secret: it detects mistakes. A forged position shows nothing that the query's own bounds do
 * not allow.
 */
function digestOf(scope: CursorScope, content: Uint8Array): Buffer {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([scope.collection, scope.index, scope.fields, scope.order, hex(scope.lower), hex(scope.upper)]))
  return hash.update('\0').update(content).digest().subarray(0, digestBytes)
}

const hex = (bytes: Uint8Array | undefined): string | null => (bytes ? Buffer.from(bytes).toString('hex') : null)

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
