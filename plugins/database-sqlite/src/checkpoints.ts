import type { Database } from 'better-sqlite3'
import { hasCode, toWireError } from './wire-error.js'

/** Pages in the log from which on they are copied to the file, about 4 MiB. */
const copyPages = 1000

/**
 * Pages from which on readers are waited for, about 16 MiB; and how much the log must have grown
 * until they are again.
 */
const waitPages = 4000

/** How long, in milliseconds: several looks of the service's own reader. */
const waitMs = 30

/** Keeps the log from growing. */
export interface Checkpoints {
  /** Called after each group was acknowledged, so that no earlier commit waits for it. */
  whenDue(): void
}

interface CheckpointRow {
  readonly busy: 0 | 1
  readonly log: number
}

/**
 * Copies the log into the file when it has grown; the next group starts it from its beginning,
 * unless a reader is active at that moment. Readers that follow each other closely would so keep it
 * growing, so a log that is large makes the writer wait for them, a moment. One who reads for
 * longer keeps the log for that time, and the writer asks again when it has grown on. What fails
 * for lack of space is retried after the next group.
 */
export function createCheckpoints(database: Database): Checkpoints {
  const timeout = Number(database.pragma('busy_timeout', { simple: true }))
  let waitFrom = waitPages

  const checkpoint = (mode: 'NOOP' | 'PASSIVE' | 'RESTART'): CheckpointRow => {
    const [row] = database.pragma(`wal_checkpoint(${mode})`) as CheckpointRow[]
    return row ?? { busy: 1, log: 0 }
  }

  /** Whether the log can start over now. */
  const waitForReaders = (): boolean => {
    database.pragma(`busy_timeout = ${waitMs}`)
    try {
      return checkpoint('RESTART').busy === 0
    } finally {
      database.pragma(`busy_timeout = ${timeout}`)
    }
  }

  return {
    whenDue() {
      const { log } = checkpoint('NOOP')
      if (log < waitPages) waitFrom = waitPages
      if (log < copyPages) return
      try {
        if (log < waitFrom) checkpoint('PASSIVE')
        else waitFrom = waitForReaders() ? waitPages : log + waitPages
      } catch (error) {
        const { code } = toWireError(error)
        if (!hasCode(code, 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_BUSY')) throw error
      }
    },
  }
}
