import { createMemoryDatabaseDriver } from '../memory-database-driver/index.js'
import { type BrokenDriver, breakDriver } from './break-driver.test.js'

/** Drivers that change layouts, open again or close wrongly. */
export const brokenLifetimes: readonly BrokenDriver[] = [
  {
    rule: 'a new index stays empty',
    create: breakDriver((connection) => ({
      ensureCollection: (layout, _, searchOf) => connection.ensureCollection(layout, () => layout.indexes.map(() => null), searchOf),
    })),
    fails: [
      'layouts › may be ensured again without change',
      'layouts › fill a new index from the documents that are there',
      'layouts › fill a new index of many documents',
      'layouts › drop an index and keep the others, in any position',
      'layouts › fill an index again when its fields change',
      'layouts › become unique if the documents allow it, and plain again',
      'layouts › do not change when documents break a new unique index',
      'layouts › do not change when a key function throws',
      'layouts › take part in the order of commits',
    ],
  },
  {
    rule: 'a unique index that documents break becomes a plain one',
    create: breakDriver((connection) => ({
      async ensureCollection(layout, keysOf, searchOf) {
        try {
          await connection.ensureCollection(layout, keysOf, searchOf)
        } catch (error) {
          await connection
            .ensureCollection({ ...layout, indexes: layout.indexes.map((index) => ({ ...index, unique: false })) }, keysOf)
            .catch(() => undefined)
          throw error
        }
      },
    })),
    fails: ['layouts › do not change when documents break a new unique index'],
  },
  {
    rule: 'dropping a collection keeps its documents',
    create: breakDriver((connection) => ({ dropCollection: async () => connection.revision().then(() => undefined) })),
    fails: [
      'layouts › go in the order of commits too',
      'layouts › are removed by dropCollection, with all documents',
      'searches › find by the new texts after the layout of the text index changes',
    ],
  },
  {
    rule: 'a reopened store is empty',
    create: () => ({ ...createMemoryDatabaseDriver(), open: (options) => createMemoryDatabaseDriver().open(options) }),
    fails: [
      'searches › find the same after the store was opened again, or restored',
      'reopening › keeps data, layouts and revision',
      'reopening › continues with larger revisions, even after everything was deleted or dropped',
      'reopening › loses no acknowledged commit without a close',
      'closing › waits for commits that were accepted',
      'backup › has one moment, is taken during writes, and opens',
      'purging › removes every byte of deleted data, and nothing else',
      'purging › is not needed for a backup, which contains no deleted data',
    ],
  },
  {
    rule: 'close does not wait for accepted commits',
    create: breakDriver((connection) => ({ close: async () => void connection.close() })),
    fails: ['closing › waits for commits that were accepted'],
  },
  {
    rule: 'close may be called once only',
    create: breakDriver((connection) => {
      let closed = false
      return {
        async close() {
          if (closed) throw new Error('closed already')
          closed = true
          await connection.close()
        },
      }
    }),
    fails: ['closing › may happen twice, and at once', 'closing › waits for commits that were accepted'],
  },
  {
    rule: 'reads go on after close',
    create: breakDriver((connection) => {
      let closed = false
      return {
        read: async (collection, ids) => (closed ? ids.map(() => undefined) : await connection.read(collection, ids)),
        close: async () => {
          closed = true
          await connection.close()
        },
      }
    }),
    fails: ['closing › makes all other calls reject with database_closed'],
  },
  {
    rule: 'commits are accepted while it closes',
    create: breakDriver((connection) => {
      let closing = false
      return {
        commit: async (batch) =>
          closing && batch.writes.length > 0 ? { outcome: 'committed', revision: 1e9 } : await connection.commit(batch),
        close: async () => {
          closing = true
          await connection.close()
        },
      }
    }),
    fails: ['closing › makes all other calls reject with database_closed', 'closing › refuses what is called while it closes'],
  },
  {
    rule: 'health reports that nothing can be written',
    create: breakDriver(() => ({ health: () => ({ writable: false, code: 'unreachable', reason: 'none' }) })),
    fails: ['opening › starts empty and writable'],
  },
]
