import type { Database } from 'better-sqlite3'
import { type CollectionTable, createCollectionTable } from './collection-tables.js'
import { readCollections, readRevision, type StoredCollection } from './schema.js'
import { toWireError } from './wire-error.js'
import { fromWireKey, type WireBatch, type WireCheck, type WireResult, type WireWrite } from './writer-protocol.js'

/**
 * Commits groups of batches: one transaction and one sync for all of them, each judged on its own
 * after those before it.
 */
export interface GroupCommitter {
  /**
   * Returns when the group is durable. After an error that is not the fault of one batch, the
   * batches are tried one by one.
   */
  commit(batches: readonly WireBatch[]): WireResult[]
  /** Forgets what it knows of tables; called after a layout has changed. */
  forget(): void
  add(created: readonly StoredCollection[]): void
}

interface Change {
  readonly table: CollectionTable
  readonly write: WireWrite
  /** The keys that the document has had so far; undefined: it is not there. */
  readonly held: readonly (Buffer | null)[] | undefined
  readonly keys: readonly (Buffer | null)[]
}

/** Makes the committer of an open file. */
export function createGroupCommitter(database: Database): GroupCommitter {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const setRevision = database.prepare<[number]>('UPDATE store SET revision = ?')
  const addDocuments = database.prepare<[number, number]>('UPDATE collections SET documents = documents + ? WHERE number = ?')
  let collections = collectionsByNumber(database)
  // Statements are prepared when a collection is first written to.
  const tables = new Map<number, CollectionTable>()
  let revision = readRevision(database)

  const tableOf = (number: number): CollectionTable => {
    const known = tables.get(number)
    if (known) return known
    const stored = collections.get(number)
    if (!stored) throw new Error(`The collection with the number ${number} does not exist.`)
    const table = createCollectionTable(database, stored)
    tables.set(number, table)
    return table
  }

  const holds = (check: WireCheck): boolean => {
    if (check[0] === 'revision') return (tableOf(check[1]).revisionOf.get(check[2]) ?? 0) === check[3]
    return tableOf(check[1]).ownerOf(check[2]).get(Buffer.from(check[3], 'latin1')) === undefined
  }

  const apply = (batch: WireBatch, growth: Map<number, number>): WireResult => {
    const [checks, writes] = batch
    for (const [position, check] of checks.entries()) if (!holds(check)) return { check: position }
    const changes = writes.map((write): Change => {
      const table = tableOf(write[0])
      return {
        table,
        write,
        held: table.keysOf.get(write[1]),
        keys: write.slice(4).map((key) => fromWireKey(key as string | null)),
      }
    })
    const judged = judgeUniqueness(changes)
    if (judged.violation) return judged.violation
    for (const release of judged.releases) release()
    revision += 1
    for (const { table, write, held, keys } of changes) {
      const [number, id, body, search] = write
      if (body === null) {
        if (held) table.text?.remove(id)
        if (held) table.delete.run(id)
      } else {
        const place = table.text?.put(id, search, held !== undefined) ?? []
        if (held) {
          const changed = positionsOfChanged(held, keys)
          table.updateOf(changed).run(revision, body, ...changed.map((position) => keys[position]), ...place, id)
        } else table.insert.run(id, revision, body, ...keys, ...place)
      }
      const grown = (body === null ? 0 : 1) - (held ? 1 : 0)
      if (grown !== 0) growth.set(number, (growth.get(number) ?? 0) + grown)
    }
    return { revision }
  }

  const commitTogether = (batches: readonly WireBatch[]): WireResult[] => {
    const before = revision
    const growth = new Map<number, number>()
    begin.run()
    try {
      const results = batches.map((batch) => apply(batch, growth))
      if (revision !== before) {
        setRevision.run(revision)
        for (const [number, grown] of growth) addDocuments.run(grown, number)
      }
      commit.run()
      return results
    } catch (error) {
      revision = before
      if (database.inTransaction) database.exec('ROLLBACK')
      throw error
    }
  }

  return {
    commit(batches) {
      try {
        return commitTogether(batches)
      } catch (error) {
        if (batches.length === 1) return [{ error: toWireError(error) }]
        return batches.flatMap((batch) => {
          try {
            return commitTogether([batch])
          } catch (ownError) {
            return [{ error: toWireError(ownError) }]
          }
        })
      }
    },
    forget() {
      collections = collectionsByNumber(database)
      tables.clear()
    },
    add(created) {
      for (const collection of created) collections.set(collection.number, collection)
    },
  }
}

/**
 * Where keys differ. A key that {@link judgeUniqueness} released is among them: its document gets
 * another one in the same batch.
 */
const positionsOfChanged = (held: readonly (Buffer | null)[], keys: readonly (Buffer | null)[]): readonly number[] =>
  keys.flatMap((key, position) => {
    const before = held[position] ?? null
    return key === before || (key !== null && before?.equals(key)) ? [] : [position]
  })

const collectionsByNumber = (database: Database): Map<number, StoredCollection> =>
  new Map(readCollections(database).map((stored) => [stored.number, stored]))

/**
 * Whether the state after the batch would break a unique index. A key may come from a document that
 * the same batch deletes or gives another key; such owners lose it first, so that SQLite's own
 * constraint, which looks at each row, agrees at every moment.
 */
function judgeUniqueness(changes: readonly Change[]): { readonly violation?: WireResult; readonly releases: readonly (() => void)[] } {
  const releases: (() => void)[] = []
  const given = new Map<string, true>()
  let written: Map<string, Change> | undefined
  for (const [position, { table, write, keys }] of changes.entries()) {
    if (write[2] === null) continue
    for (const at of table.uniquePositions) {
      const key = keys[at]
      const column = table.stored.columns[at]
      const index = table.stored.layout.indexes[at]
      if (!key || column === undefined || !index) continue
      const violation = { write: position, index: index.name }
      if (changes.length > 1) {
        const place = `${table.stored.number}/${at}/${key.toString('latin1')}`
        if (given.has(place)) return { violation, releases: [] }
        given.set(place, true)
      }
      const owner = table.ownerOf(column).get(key)
      if (owner === undefined || owner === write[1]) continue
      written ??= new Map(changes.map((change) => [`${change.table.stored.number}/${change.write[1]}`, change]))
      const rewritten = written.get(`${table.stored.number}/${owner}`)
      if (!rewritten || rewritten.keys[at]?.equals(key)) return { violation, releases: [] }
      releases.push(() => table.release(column).run(owner))
    }
  }
  return { releases }
}
