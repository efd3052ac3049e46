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
      'layouts › drop an index and keep the others, whatever their position',
      'layouts › fill an index anew whose fields change',
      'layouts › become unique where the documents allow it, and plain again',
      'layouts › stay as they were when documents break a new unique index',
      'layouts › stay as they were when a key function throws',
      'layouts › take part in the order of commits',
    ],
  },
  {
    rule: 'a layout that documents break is kept without its uniqueness',
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
    fails: ['layouts › stay as they were when documents break a new unique index'],
  },
  {
    rule: 'dropping a collection keeps its documents',
    create: breakDriver((connection) => ({ dropCollection: async () => connection.revision().then(() => undefined) })),
    fails: [
      'layouts › go with dropCollection, documents and all',
      'searches › find by the new texts where the text index is laid out anew',
    ],
  },
  {
    rule: 'a store that is opened again is empty',
    create: () => ({ ...createMemoryDatabaseDriver(), open: (options) => createMemoryDatabaseDriver().open(options) }),
    fails: [
      'searches › find the same after the store was opened again, or restored',
      'reopening › gives the same data, layouts and revision',
      'reopening › goes on with larger revisions, also after everything was deleted or dropped',
      'reopening › loses nothing acknowledged when it was not closed',
      'closing › waits for commits that were accepted',
      'backup › is of one moment, taken while work goes on, and opens',
      'purging › leaves no byte of what was deleted, and all of the rest',
      'purging › is not needed for a backup: it has nothing of what was deleted before',
    ],
  },
  {
    rule: 'close does not wait for what was accepted',
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
    fails: ['closing › makes everything else reject with database_closed'],
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
    fails: ['closing › makes everything else reject with database_closed', 'closing › refuses what is called while it closes'],
  },
  {
    rule: 'health says that nothing can be written',
    create: breakDriver(() => ({ health: () => ({ writable: false, code: 'unreachable', reason: 'none' }) })),
    fails: ['opening › starts empty and writable'],
  },
]
