import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import type { StoredMemory } from '../store/collections.js'
import type { Memories } from '../store/memory-store.js'
import { memoryOfRecord } from './records.js'

const batchSize = 100

/** Reads records in batches, each of which is stored before the next is read. */
export async function importRecords(
  records: AsyncIterable<MemoryRecord>,
  store: (batch: readonly MemoryRecord[]) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  let count = 0
  let batch: MemoryRecord[] = []
  for await (const record of records) {
    signal.throwIfAborted()
    batch.push(record)
    count += 1
    if (batch.length < batchSize) continue
    await store(batch)
    batch = []
    // Others have their turn, however fast the database is.
    await setImmediate()
  }
  await store(batch)
  return count
}

/** What a batch changes: records that are new, or at least as new as what is there, and different. */
export function newMemoriesOf(userId: string, batch: readonly MemoryRecord[], memories: Memories): readonly StoredMemory[] {
  const taken = new Map<string, StoredMemory>()
  for (const record of batch) {
    const known = taken.get(record.id) ?? memories.get(record.id)
    const memory = memoryOfRecord(userId, record)
    if (known !== undefined && !isNewer(memory, known)) continue
    taken.set(record.id, memory)
  }
  return [...taken.values()]
}

/** Of two states of one time, that counts which says that it is forgotten, and a compaction is no change. */
function isNewer(memory: StoredMemory, known: StoredMemory): boolean {
  if (memory.updated_at !== known.updated_at) return memory.updated_at > known.updated_at
  if (known.state !== 'live') return known.state === 'replaced' && memory.state === 'forgotten'
  return !isSame(known, memory)
}

/** What made a memory is not in the neutral format. */
const isSame = ({ made_by: _, ...known }: StoredMemory, { made_by: __, ...memory }: StoredMemory): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(known)), JSON.parse(JSON.stringify(memory)))
