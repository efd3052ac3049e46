import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseDriver } from '../../contracts/database-driver/index.js'
import { createMemoryDatabaseDriver } from '../memory-database-driver/index.js'
import { type BrokenDriver, breakDriver } from './break-driver.test.js'

/** A correct driver that also keeps a journal of what was written, which no purge empties. */
function createJournalDriver(describe: (text: string) => Buffer): DatabaseDriver {
  const driver = createMemoryDatabaseDriver()
  return {
    ...driver,
    async open(options) {
      const connection = await driver.open(options)
      return {
        ...connection,
        async commit(batch) {
          const bodies = batch.writes.map((write) => (write.kind === 'put' ? `${write.body}\n${write.search?.words ?? ''}\n` : ''))
          if (!options.path.includes('folder-')) appendFileSync(join(options.path, 'journal'), describe(bodies.join('')))
          return await connection.commit(batch)
        },
      }
    },
  }
}

const everyByte = [
  'purging › leaves no byte of what was deleted, and all of the rest',
  'purging › leaves no byte of what was replaced',
  'purging › leaves no word of a text index',
  'purging › leaves no byte of a collection or of an index that was dropped',
  'purging › goes on beside commits, and may be called at once and again',
  'purging › is completed after it was aborted or the store was cut off',
]

/** Drivers that leave what was deleted, or take more with it. */
export const brokenPurges: readonly BrokenDriver[] = [
  { rule: 'a journal keeps what was deleted', create: () => createJournalDriver((text) => Buffer.from(text)), fails: everyByte },
  { rule: 'a journal keeps it in UTF-16', create: () => createJournalDriver((text) => Buffer.from(text, 'utf16le')), fails: everyByte },
  {
    rule: 'a purge takes documents with it that nobody deleted',
    create: breakDriver((connection) => ({
      async purge(options) {
        await connection.purge(options)
        const [layout] = await connection.layouts()
        const [first] = layout ? await connection.scan(layout.name, { limit: 1 }) : []
        if (layout && first) await connection.commit({ checks: [], writes: [{ kind: 'delete', collection: layout.name, id: first.id }] })
      },
    })),
    fails: [
      'purging › leaves no byte of what was deleted, and all of the rest',
      'purging › leaves no word of a text index',
      'purging › leaves no byte of a collection or of an index that was dropped',
      'purging › goes on beside commits, and may be called at once and again',
    ],
  },
]
