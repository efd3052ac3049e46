import { isDeepStrictEqual } from 'node:util'
import type { CollectionLayout, IndexLayout, SearchLayout } from '@agent-service/sdk/contracts/database-driver'
import type { Database, Statement } from 'better-sqlite3'
import {
  clearUnusedColumns,
  columnOf,
  createIndex,
  createTable,
  indexOf,
  readCollections,
  type StoredCollection,
  tableOf,
} from './schema.js'
import { createTextIndex, dropTextIndex, openTextIndex, placeColumnsSql } from './text-index.js'
import { fromWireKey, type WireFill } from './writer-protocol.js'

/**
 * A collection on its way to a new layout, inside a transaction that is open until `finish` or
 * `abandon`.
 */
export interface LayoutChange {
  /** Positions, in the new layout, of the indexes whose keys must be given. */
  readonly positions: readonly number[]
  /** Whether the text index must be filled. */
  readonly text: boolean
  fill(rows: readonly WireFill[]): void
  /**
   * Builds the indexes and commits. Gives the name of a unique index that documents break; nothing
   * has changed then.
   */
  finish(): string | undefined
  abandon(): void
}

interface PlannedIndex {
  readonly index: IndexLayout
  readonly column: number
  /** The keys in the column are those of another index, or of none. */
  readonly fill: boolean
  /** The SQLite index exists already. */
  readonly built: boolean
}

/**
 * Begins to bring a collection to a layout. The transaction stays open, so no commit may come in
 * between.
 */
export function beginLayoutChange(database: Database, layout: CollectionLayout): LayoutChange {
  database.exec('BEGIN IMMEDIATE')
  try {
    const existing = readCollections(database).find((collection) => collection.layout.name === layout.name)
    const number = existing?.number ?? insertCollection(database, layout)
    const plan = existing ? planIndexes(layout, existing.layout, existing.columns) : newPlan(layout)
    if (existing) prepareTable(database, number, existing.columns, plan)
    else database.exec(createTable(number, layout.indexes.length, layout.search && placeColumnsSql))
    const newText = changeTextIndex(database, number, { before: existing?.layout.search, after: layout.search })
    const empty = database.prepare(`SELECT id FROM ${tableOf(number)} LIMIT 1`).get() === undefined
    const toFill = empty ? [] : plan.filter((planned) => planned.fill)
    const text = newText && !empty ? openTextIndex(database, number) : undefined
    const setPlace = text && database.prepare(`UPDATE ${tableOf(number)} SET place = ?, digest = ? WHERE id = ?`)
    const fillRow = toFill.length > 0 ? prepareFill(database, number, toFill) : undefined
    return {
      positions: toFill.map((planned) => plan.indexOf(planned)),
      text: text !== undefined,
      fill(rows) {
        for (const [id, search, ...keys] of rows) {
          fillRow?.run(...keys.map(fromWireKey), id)
          if (search && text) setPlace?.run(...text.put(id, search, false), id)
        }
      },
      finish: () => finish(database, { number, layout, plan }),
      abandon: () => rollback(database),
    }
  } catch (error) {
    rollback(database)
    throw error
  }
}

/** Creates collections that are not there, all of them or none. */
export function createCollections(database: Database, layouts: readonly CollectionLayout[]): readonly StoredCollection[] {
  const createAll = database.transaction(() =>
    layouts.map((layout) => {
      const number = insertCollection(database, layout)
      const plan = newPlan(layout)
      database.exec(createTable(number, plan.length, layout.search && placeColumnsSql))
      changeTextIndex(database, number, { before: undefined, after: layout.search })
      for (const { index, column } of plan) database.exec(createIndex(number, column, index.unique))
      describeCollection(database, { number, layout, plan })
      return { number, layout, columns: plan.map(({ column }) => column) }
    }),
  )
  return createAll.immediate()
}

/** Deletes a collection. */
export function dropCollection(database: Database, name: string): void {
  const existing = readCollections(database).find((collection) => collection.layout.name === name)
  if (!existing) return
  database.transaction(() => {
    dropTextIndex(database, existing.number)
    database.exec(`DROP TABLE ${tableOf(existing.number)}`)
    database.prepare<[number]>('DELETE FROM collections WHERE number = ?').run(existing.number)
  })()
}

function insertCollection(database: Database, layout: CollectionLayout): number {
  const { lastInsertRowid } = database
    .prepare<[string]>("INSERT INTO collections (name, layout, columns, documents) VALUES (?, '{}', '[]', 0)")
    .run(layout.name)
  return Number(lastInsertRowid)
}

function newPlan(layout: CollectionLayout): PlannedIndex[] {
  return layout.indexes.map((index, column) => ({ index, column, fill: true, built: false }))
}

/**
 * An index keeps its column if name and fields are the same; the others take columns that are free
 * or new.
 */
function planIndexes(layout: CollectionLayout, before: CollectionLayout, columns: readonly number[]): PlannedIndex[] {
  const kept = layout.indexes.map((index) => {
    const at = before.indexes.findIndex((old) => old.name === index.name && old.fields.join('\n') === index.fields.join('\n'))
    const column = columns[at]
    return column === undefined ? undefined : { column, built: before.indexes[at]?.unique === index.unique }
  })
  const used = new Set(kept.flatMap((keep) => (keep ? [keep.column] : [])))
  return layout.indexes.map((index, position) => {
    const keep = kept[position]
    if (keep) return { index, column: keep.column, fill: false, built: keep.built }
    let column = 0
    while (used.has(column)) column += 1
    used.add(column)
    return { index, column, fill: true, built: false }
  })
}

/** Whether there is a new text index, which is empty. */
function changeTextIndex(
  database: Database,
  number: number,
  { before, after }: { readonly before: SearchLayout | undefined; readonly after: SearchLayout | undefined },
): boolean {
  if (isDeepStrictEqual(before, after)) return false
  if (after) createTextIndex(database, number)
  else {
    dropTextIndex(database, number)
    database.exec(`UPDATE ${tableOf(number)} SET place = NULL, digest = NULL WHERE place IS NOT NULL`)
  }
  return after !== undefined
}

function prepareTable(database: Database, number: number, columns: readonly number[], plan: readonly PlannedIndex[]): void {
  const standing = new Set(plan.filter((planned) => planned.built).map((planned) => planned.column))
  for (const column of columns) if (!standing.has(column)) database.exec(`DROP INDEX ${indexOf(number, column)}`)
  const present = new Set(
    database
      .prepare<[], string>(`SELECT name FROM pragma_table_info('${tableOf(number)}')`)
      .pluck()
      .all(),
  )
  for (const { column } of plan) {
    if (!present.has(columnOf(column))) database.exec(`ALTER TABLE ${tableOf(number)} ADD COLUMN ${columnOf(column)} BLOB`)
  }
}

function prepareFill(database: Database, number: number, toFill: readonly PlannedIndex[]): Statement {
  return database.prepare(`UPDATE ${tableOf(number)} SET ${toFill.map(({ column }) => `${columnOf(column)} = ?`).join(', ')} WHERE id = ?`)
}

interface Finishing {
  readonly number: number
  readonly layout: CollectionLayout
  readonly plan: readonly PlannedIndex[]
}

function finish(database: Database, { number, layout, plan }: Finishing): string | undefined {
  for (const { index, column, built } of plan) {
    if (built) continue
    try {
      database.exec(createIndex(number, column, index.unique))
    } catch (error) {
      rollback(database)
      if (error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_UNIQUE') return index.name
      throw error
    }
  }
  try {
    clearUnusedColumns(
      database,
      number,
      plan.map(({ column }) => column),
    )
    describeCollection(database, { number, layout, plan })
    database.exec('COMMIT')
    return undefined
  } catch (error) {
    rollback(database)
    throw error
  }
}

function describeCollection(database: Database, { number, layout, plan }: Finishing): void {
  database
    .prepare<[string, string, number]>('UPDATE collections SET layout = ?, columns = ? WHERE number = ?')
    .run(JSON.stringify(layout), JSON.stringify(plan.map(({ column }) => column)), number)
}

function rollback(database: Database): void {
  if (database.inTransaction) database.exec('ROLLBACK')
}
