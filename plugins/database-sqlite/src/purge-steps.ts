import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { clearUnusedColumns, readCollections, wasPurged } from './schema.js'
import { scrubPages } from './scrub-pages.js'
import { textTableOf } from './text-index.js'

/**
 * The progress of a purge. It is not stored: a purge that was cut off starts over, and finds done
 * steps done.
 */
export type PurgePlace =
  /**
   * Rewriting a file, once, whose pages were written by a version that did not overwrite deleted
   * data.
   */
  | { readonly step: 'rewrite' }
  /**
   * Joining the lists of one text index, so that those with deleted documents go. `begun`: they are
   * being joined.
   */
  | { readonly step: 'texts'; readonly position: number; readonly begun: boolean }
  /** Looking through the pages, from one on. */
  | { readonly step: 'pages'; readonly page: number }
  /** Emptying the log. */
  | { readonly step: 'log' }

/**
 * How a step ended: it is to be repeated when readers have gone, or the next one follows, or that
 * was the last.
 */
export type PurgeProgress = { readonly busy: true } | { readonly busy: false; readonly next: PurgePlace | undefined }

/** The steps of a purge, each in some milliseconds, in the writer's thread between two commits. */
export interface PurgeSteps {
  take(place: PurgePlace): PurgeProgress
  /** Called when the database is closed. */
  close(): void
}

/** Where each purge begins. */
export const firstPlace: PurgePlace = { step: 'rewrite' }

/** Pages of a text index that one step writes. */
const mergedAtOnce = 256

/**
 * Row numbers from here on are pages of a text index that list deleted documents: FTS5 keeps them
 * under the number of their list plus 2¹⁶.
 */
const deletedRowsFrom = 2 ** 53

interface CheckpointRow {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

/**
 * Makes them. Pages are looked at through a handle that stays open until the database is closed:
 * SQLite's locks belong to process and file, and the operating system takes all of them when any
 * handle of that file is closed.
 */
export function createPurgeSteps(database: Database, file: string): PurgeSteps {
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck()
  let handle: number | undefined

  const checkpoint = (mode: 'PASSIVE' | 'TRUNCATE'): CheckpointRow => {
    const [row] = database.pragma(`wal_checkpoint(${mode})`) as CheckpointRow[]
    return row ?? { busy: 1, log: 0, checkpointed: 0 }
  }

  const rewrite = (): PurgeProgress => {
    if (!wasPurged(database)) {
      for (const { number, columns } of readCollections(database)) clearUnusedColumns(database, number, columns)
      database.exec('VACUUM')
      database.exec('CREATE TABLE purged (only INTEGER PRIMARY KEY CHECK (only = 1))')
    }
    return { busy: false, next: { step: 'texts', position: 0, begun: false } }
  }

  const merge = (table: string, pages: number): boolean => {
    const before = changes.get() ?? 0
    database.prepare<[number]>(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`).run(pages)
    return (changes.get() ?? 0) - before >= 2
  }

  const mergeTexts = (position: number, begun: boolean): PurgeProgress => {
    const collections = readCollections(database).filter(({ layout }) => layout.search)
    const collection = collections[position]
    if (!collection) return { busy: false, next: { step: 'pages', page: 0 } }
    const table = textTableOf(collection.number)
    const goOn: PurgeProgress = { busy: false, next: { step: 'texts', position, begun: true } }
    const followed: PurgeProgress = { busy: false, next: { step: 'texts', position: position + 1, begun: false } }
    if (begun) return merge(table, mergedAtOnce) ? goOn : followed
    if (database.prepare(`SELECT id FROM ${table}_data WHERE id >= ? LIMIT 1`).get(deletedRowsFrom) === undefined) return followed
    // A negative number puts all lists on one level, so that the later steps join all of them.
    merge(table, -mergedAtOnce)
    return goOn
  }

  const scrub = (page: number): PurgeProgress => {
    const { log, checkpointed } = checkpoint('PASSIVE')
    if (log !== checkpointed) return { busy: true }
    handle ??= openSync(file, 'r+')
    const { next, changed } = scrubPages({
      ...{ handle, from: page },
      pageSize: Number(database.pragma('page_size', { simple: true })),
      pages: Number(database.pragma('page_count', { simple: true })),
    })
    if (changed) {
      fdatasyncSync(handle)
      // The pages in this connection's cache still are as they were, and would be written like that
      // when they change.
      database.pragma('shrink_memory')
    }
    return { busy: false, next: next === undefined ? { step: 'log' } : { step: 'pages', page: next } }
  }

  const emptyLog = (): PurgeProgress => (checkpoint('TRUNCATE').busy === 0 ? { busy: false, next: undefined } : { busy: true })

  const withoutWaiting = (take: () => PurgeProgress): PurgeProgress => {
    const timeout = Number(database.pragma('busy_timeout', { simple: true }))
    database.pragma('busy_timeout = 0')
    try {
      return take()
    } finally {
      database.pragma(`busy_timeout = ${timeout}`)
    }
  }

  return {
    take(place) {
      switch (place.step) {
        case 'rewrite':
          return rewrite()
        case 'texts':
          return mergeTexts(place.position, place.begun)
        case 'pages':
          return withoutWaiting(() => scrub(place.page))
        case 'log':
          return withoutWaiting(emptyLog)
      }
    },
    close() {
      if (handle !== undefined) closeSync(handle)
      handle = undefined
    },
  }
}
