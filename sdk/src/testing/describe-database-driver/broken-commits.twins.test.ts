import type { CommitBatch, CommitResult, DatabaseConnection } from '../../contracts/database-driver/index.js'
import { type BrokenDriver, breakDriver } from './break-driver.test.js'

const firstWriteOf = ({ writes }: CommitBatch): CommitBatch => ({ checks: [], writes: writes.slice(0, 1) })

/** Writes the first write of a batch that ended in this way. */
const leavesFirstWriteOn = (outcome: CommitResult['outcome']) =>
  breakDriver((connection) => ({
    async commit(batch) {
      const result = await connection.commit(batch)
      if (result.outcome === outcome && batch.writes.length > 1) await connection.commit(firstWriteOf(batch))
      return result
    },
  }))

const withoutChecks = (drop: (check: CommitBatch['checks'][number]) => boolean) =>
  breakDriver((connection) => ({
    commit: ({ checks, writes }) => connection.commit({ checks: checks.filter((check) => !drop(check)), writes }),
  }))

/** Checks each put separately, before the others of its batch. */
async function refusedAlone(connection: DatabaseConnection, batch: CommitBatch): Promise<CommitResult | undefined> {
  const layouts = await connection.layouts()
  for (const write of batch.writes) {
    const layout = layouts.find(({ name }) => name === write.collection)
    if (write.kind === 'delete' || !layout) continue
    for (const [position, { name, unique }] of layout.indexes.entries()) {
      const key = write.keys[position]
      const owner = unique && key ? await connection.find(layout.name, name, key) : undefined
      if (owner && owner.id !== write.id) return { outcome: 'unique-violation', collection: layout.name, index: name, id: write.id }
    }
  }
  return undefined
}

/** Runs commits and changes of layouts one after the other, but not drops. */
function inOneQueue(connection: DatabaseConnection, commit: DatabaseConnection['commit']): Partial<DatabaseConnection> {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  return {
    commit: (batch) => inTurn(() => commit(batch)),
    ensureCollection: (...layout) => inTurn(() => connection.ensureCollection(...layout)),
    close: async () => {
      await last
      await connection.close()
    },
  }
}

/** A violation by a key that another write of the batch has in the same position, whatever its collection. */
function sharedKeyOf({ writes }: CommitBatch): CommitResult | undefined {
  const puts = writes.filter((write) => write.kind === 'put')
  const second = puts.find(({ collection, id, keys }) =>
    puts.some((other) => other.collection !== collection && other.id < id && keys[1] && String(other.keys[1]) === String(keys[1])),
  )
  return second && { outcome: 'unique-violation', collection: second.collection, index: 'by_code', id: second.id }
}

/** Drivers with wrong writes. */
export const brokenCommits: readonly BrokenDriver[] = [
  {
    rule: 'a conflict leaves part of the batch',
    create: leavesFirstWriteOn('conflict'),
    fails: ['checks › that fail leave nothing of the batch', 'searches › see a text with its document and never without it'],
  },
  {
    rule: 'a violation leaves part of the batch',
    create: leavesFirstWriteOn('unique-violation'),
    fails: [
      'commits › of thousands of writes are one piece',
      'unique indexes › leave nothing of a batch that breaks them',
      'unique indexes › are of one collection, also where a batch writes two with the same names of indexes',
      'searches › see a text with its document and never without it',
    ],
  },
  {
    rule: 'checks of revisions are not made',
    create: withoutChecks((check) => check.kind === 'revision' && check.revision > 0),
    fails: [
      'checks › of a revision pass only for that revision',
      'checks › that fail leave nothing of the batch',
      'many at once › 64 callers count to 64 by checked revisions',
    ],
  },
  {
    rule: 'checks that a document is absent are not made',
    create: withoutChecks((check) => check.kind === 'revision' && check.revision === 0),
    fails: [
      'commits › judge each batch after those called before it',
      'checks › of revision 0 pass only if the document does not exist',
      'checks › work without writes',
      'checks › let exactly one of several racing writers win',
      'searches › see a text with its document and never without it',
    ],
  },
  {
    rule: 'checks of keys are not made',
    create: withoutChecks((check) => check.kind === 'key-absent'),
    fails: ['checks › of an absent key pass only if no document has it'],
  },
  {
    rule: 'a conflict names the wrong check',
    create: breakDriver((connection) => ({
      async commit(batch) {
        const result = await connection.commit(batch)
        const [check] = batch.checks
        return result.outcome === 'conflict' && check ? { outcome: 'conflict', check } : result
      },
    })),
    fails: ['checks › that fail leave nothing of the batch'],
  },
  {
    rule: 'unique keys cannot change hands in one batch',
    create: breakDriver((connection) =>
      inOneQueue(connection, async (batch) => (await refusedAlone(connection, batch)) ?? (await connection.commit(batch))),
    ),
    fails: [
      'unique indexes › let two documents swap keys in one batch',
      'unique indexes › let a key go to another document in the batch that deletes its owner, in either order',
      'layouts › go in the order of commits too',
    ],
  },
  {
    rule: 'unique keys of two collections are confused',
    create: breakDriver((connection) => ({ commit: async (batch) => sharedKeyOf(batch) ?? (await connection.commit(batch)) })),
    fails: ['unique indexes › are of one collection, also where a batch writes two with the same names of indexes'],
  },
  {
    rule: 'a drop overtakes commits that wait',
    create: breakDriver((connection) => inOneQueue(connection, async (batch) => await connection.commit(batch))),
    fails: ['layouts › go in the order of commits too'],
  },
  {
    rule: 'unique indexes are not enforced',
    create: breakDriver((connection) => ({
      ensureCollection: (layout, ...contents) =>
        connection.ensureCollection({ ...layout, indexes: layout.indexes.map((index) => ({ ...index, unique: false })) }, ...contents),
    })),
    fails: [
      'commits › judge each batch after those called before it',
      'commits › of thousands of writes are one piece',
      'unique indexes › refuse a key that another document has, naming index and document',
      'unique indexes › free a key by delete and by change',
      'unique indexes › leave nothing of a batch that breaks them',
      'unique indexes › are of one collection, also where a batch writes two with the same names of indexes',
      'unique indexes › let exactly one of several racing writers win',
      'layouts › are listed unchanged, by name',
      'layouts › may be ensured again without change',
      'layouts › drop an index and keep the others, in any position',
      'layouts › become unique if the documents allow it, and plain again',
      'layouts › do not change when documents break a new unique index',
      'searches › see a text with its document and never without it',
      'searches › find documents from before the text index, however it is added or dropped',
      'searches › find the same after the store was opened again, or restored',
      'reopening › keeps data, layouts and revision',
      'backup › has one moment, is taken during writes, and opens',
    ],
  },
  {
    rule: 'every commit has the same revision',
    create: breakDriver((connection) => ({
      async commit(batch) {
        const result = await connection.commit(batch)
        return result.outcome === 'committed' ? { outcome: 'committed', revision: 1 } : result
      },
    })),
    fails: [
      'documents › replaces a document and deletes it',
      'commits › increase the revision, and do not reuse one after deletes',
      'commits › may be empty',
      'commits › happen in the order of the calls',
      'many at once › 64 callers lose nothing',
      'layouts › are removed by dropCollection, with all documents',
      'reopening › keeps data, layouts and revision',
      'reopening › continues with larger revisions, even after everything was deleted or dropped',
      'backup › has one moment, is taken during writes, and opens',
    ],
  },
  {
    rule: 'a large batch is committed in parts',
    create: breakDriver((connection) => ({
      async commit({ checks, writes }) {
        if (writes.length <= 1000) return await connection.commit({ checks, writes })
        await connection.commit({ checks, writes: writes.slice(0, 1000) })
        return await connection.commit({ checks: [], writes: writes.slice(1000) })
      },
    })),
    fails: ['commits › of thousands of writes are one piece'],
  },
  {
    rule: 'commits overtake one another',
    create: breakDriver((connection) => {
      let held: (() => void) | undefined
      return {
        async commit(batch) {
          if (held) {
            const result = connection.commit(batch)
            held()
            held = undefined
            return await result
          }
          await new Promise<void>((resolve) => {
            held = resolve
            setImmediate(resolve)
          })
          held = undefined
          return await connection.commit(batch)
        },
      }
    }),
    fails: [
      'commits › happen in the order of the calls',
      'commits › judge each batch after those called before it',
      'layouts › take part in the order of commits',
      'layouts › go in the order of commits too',
      'closing › waits for commits that were accepted',
      'closing › refuses what is called while it closes',
    ],
  },
  {
    rule: 'bodies over 1 MiB are refused',
    create: breakDriver((connection) => ({
      async commit(batch) {
        if (batch.writes.some((write) => write.kind === 'put' && write.body.length > 1 << 20)) throw new Error('too large')
        return await connection.commit(batch)
      },
    })),
    fails: ['documents › keeps a body of 8 MiB'],
  },
]
