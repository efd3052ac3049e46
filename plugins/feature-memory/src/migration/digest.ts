import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'

/** A sum over an export. Two that are the same have the same records, in whatever order. */
export interface ExportDigest {
  readonly records: number
  /** Over everything in the records. */
  readonly full: string
  /** Over what every back end has to keep: id, scope, text, pinned, corrected, forgotten. Nothing else of one that is forgotten. */
  readonly kept: string
}

const modulus = 2n ** 256n
const recordsPerTurn = 100

/**
 * Reads an export once, without keeping it: the hashes of the records are added up, so the order
 * does not matter, and one that is there twice counts twice.
 */
export async function digestOf(records: AsyncIterable<MemoryRecord>): Promise<ExportDigest> {
  let count = 0
  let full = 0n
  let kept = 0n
  for await (const record of records) {
    count += 1
    full = (full + hashOf(record)) % modulus
    kept = (kept + hashOf(keptOf(record))) % modulus
    if (count % recordsPerTurn === 0) await setImmediate()
  }
  return { records: count, full: full.toString(16), kept: kept.toString(16) }
}

const keptOf = ({ id, scope, text, pinned, corrected = false, forgotten }: MemoryRecord) =>
  forgotten === true ? { id, scope, forgotten } : { id, scope, text, pinned, corrected, forgotten: false }

const hashOf = (value: unknown): bigint =>
  BigInt(
    `0x${createHash('sha256')
      .update(JSON.stringify(sorted(value)))
      .digest('hex')}`,
  )

/** The same value with the members of objects in order, so that equal values have equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, sorted(member)]))
}
