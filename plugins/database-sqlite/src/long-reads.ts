import { setImmediate } from 'node:timers/promises'
import type { DocumentRecord } from '@agent-service/sdk/contracts/database-driver'
import { openReader, type Reader, sliceMs } from './reader.js'
import type { StoredCollection } from './schema.js'

/**
 * Reads of many documents at one moment that take longer than one look may: in slices, on a
 * connection whose snapshot stands still.
 */
export interface LongReads {
  read(collection: StoredCollection, ids: readonly string[]): Promise<readonly (DocumentRecord | undefined)[]>
  close(): Promise<void>
}

/** Opens its connection when it is first needed. Reads follow one another. */
export function createLongReads(file: string): LongReads {
  let reader: Reader | undefined
  let last: Promise<unknown> = Promise.resolve()

  const readSliced = async (collection: StoredCollection, ids: readonly string[]): Promise<readonly (DocumentRecord | undefined)[]> => {
    reader ??= openReader(file)
    const { database } = reader
    const records: (DocumentRecord | undefined)[] = []
    database.exec('BEGIN')
    try {
      let end = performance.now() + sliceMs
      for (const id of ids) {
        records.push(reader.read(collection, id))
        if (performance.now() < end) continue
        await setImmediate()
        end = performance.now() + sliceMs
      }
      return records
    } finally {
      database.exec('COMMIT')
    }
  }

  return {
    read(collection, ids) {
      const result = last.then(() => readSliced(collection, ids))
      last = result.catch(() => undefined)
      return result
    },
    async close() {
      await last
      reader?.close()
      reader = undefined
    },
  }
}
