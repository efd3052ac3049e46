import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { JsonValue } from '@agent-service/sdk'

/** How much text is hashed at once, in UTF-16 code units. */
const pieceLength = 250_000
/** How much is hashed before other requests run, in the same unit; a value counts as some. */
const turnLength = 1_000_000
const valueLength = 50

/**
 * A SHA-256 of a JSON value, in hexadecimal digits. Equal values have equal digests, if their
 * members are in the same order. Long values are hashed in pieces, so that other requests run in
 * between.
 */
export async function digestOf(value: JsonValue | undefined): Promise<string> {
  const hash = createHash('sha256')
  let length = 0
  for (const piece of piecesOf(value)) {
    hash.update(piece)
    length += piece.length + valueLength
    if (length < turnLength) continue
    length = 0
    await setImmediate()
  }
  return hash.digest('hex')
}

/** The value as text that no other value has. */
function* piecesOf(value: JsonValue | undefined): Generator<string, void, undefined> {
  if (typeof value === 'string') {
    yield `s${value.length}:`
    for (let start = 0; start < value.length; start += pieceLength) yield value.slice(start, start + pieceLength)
  } else if (Array.isArray(value)) {
    yield `a${value.length}:`
    for (const item of value) yield* piecesOf(item)
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
    yield `o${members.length}:`
    for (const [name, member] of members) {
      yield `${name.length}:${name}`
      yield* piecesOf(member)
    }
  } else yield `${String(value)};`
}
