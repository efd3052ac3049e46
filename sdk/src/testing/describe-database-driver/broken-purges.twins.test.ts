import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseDriver } from '../../contracts/database-driver/index.js'
import { createMemoryDatabaseDriver } from '../memory-database-driver/index.js'
import { type BrokenDriver, breakDriver } from './break-driver.test.js'

/** A correct driver that also keeps a journal of all writes, which no purge empties. */
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
  'purging › removes every byte of deleted data, and nothing else',
  'purging › removes every byte of replaced data',
  'purging › removes every deleted word of a text index',
  'purging › removes every byte of a dropped collection or index',
  'purging › runs during commits, and may be called concurrently and again',
  'purging › is completed after an abort or a crash',
]

/** Drivers that leave deleted data, or remove too much. */
export const brokenPurges: readonly BrokenDriver[] = [
  { rule: 'a journal keeps deleted data', create: () => createJournalDriver((text) => Buffer.from(text)), fails: everyByte },
  {
    rule: 'a journal keeps deleted data in UTF-16',
    create: () => createJournalDriver((text) => Buffer.from(text, 'utf16le')),
    fails: everyByte,
  },
  {
    rule: 'a purge removes documents that were not deleted',
    create: breakDriver((connection) => ({
      async purge(options) {
        await connection.purge(options)
        const [layout] = await connection.layouts()
        const [first] = layout ? await connection.scan(layout.name, { limit: 1 }) : []
        if (layout && first) await connection.commit({ checks: [], writes: [{ kind: 'delete', collection: layout.name, id: first.id }] })
      },
    })),
    fails: [
      'purging › removes every byte of deleted data, and nothing else',
      'purging › removes every deleted word of a text index',
      'purging › removes every byte of a dropped collection or index',
      'purging › runs during commits, and may be called concurrently and again',
    ],
  },
]
