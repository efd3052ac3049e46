import { writeSync } from 'node:fs'
import type { Logger } from '@agent-service/sdk'
import type { CollectionLayout, DatabaseDriver } from '@agent-service/sdk/contracts/database-driver'

/**
 * Writes pairs of documents through a driver and prints one line for each acknowledged pair, until
 * it is killed. Started with one argument, JSON: `{driver, path, callers, round, limit?,
 * synchronous?, purging?}`.
 */

interface Task {
  readonly driver: 'sqlite' | 'lowdb'
  readonly path: string
  readonly callers: number
  /** Names the pairs of this run. */
  readonly round: number
  /** Ends by itself after this many pairs. */
  readonly limit?: number
  readonly synchronous?: 'FULL' | 'NORMAL' | 'OFF'
  /**
   * Beside the pairs writes others that it deletes again, and removes what was deleted from the
   * files, without a pause.
   */
  readonly purging?: boolean
}

const layout: CollectionLayout = { name: 'crash.pairs', version: 1, indexes: [{ name: 'by_pair', fields: ['pair'], unique: false }] }
const doomed: CollectionLayout = { name: 'crash.doomed', version: 1, indexes: [] }
const log: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined, child: () => log }

const task = JSON.parse(process.argv[2] ?? '{}') as Task
const driverModule = new URL(`../../../plugins/database-${task.driver}/dist/index.js`, import.meta.url).href

async function createDriver(): Promise<DatabaseDriver> {
  const module = (await import(driverModule)) as {
    readonly createSqliteDriver?: (options: { readonly synchronous?: 'FULL' | 'NORMAL' | 'OFF' }) => DatabaseDriver
    readonly createLowdbDriver?: () => DatabaseDriver
  }
  const driver = module.createLowdbDriver?.() ?? module.createSqliteDriver?.(task.synchronous ? { synchronous: task.synchronous } : {})
  if (!driver) throw new Error(`${driverModule} makes no driver.`)
  return driver
}

const driver = await createDriver()
const connection = await driver.open({ path: task.path, settings: {}, log, signal: new AbortController().signal })
await connection.ensureCollection(layout, () => [null])
if (task.purging) await connection.ensureCollection(doomed, () => [])
writeSync(1, 'ready\n')

let next = 0
async function write(): Promise<void> {
  while (task.limit === undefined || next < task.limit) {
    const pair = `${task.round}-${next}`
    next += 1
    const put = (side: string) =>
      ({
        kind: 'put',
        collection: layout.name,
        id: `${pair}-${side}`,
        body: JSON.stringify({ pair, side, text: 'x'.repeat(200) }),
        keys: [Buffer.from(pair)],
      }) as const
    // The same document again and again, so that a lost overwrite shows as well as a lost insert.
    const newest = {
      kind: 'put',
      collection: layout.name,
      id: `newest-${task.round}-${next % 4}`,
      body: JSON.stringify({ pair }),
      keys: [Buffer.from(pair)],
    } as const
    const result = await connection.commit({ checks: [], writes: [put('left'), put('right'), newest] })
    if (result.outcome !== 'committed') throw new Error(`The commit ended as ${result.outcome}.`)
    // Straight to the descriptor: what is buffered when the process is killed would hide an
    // acknowledgement.
    acknowledge(`ack ${pair} ${result.revision}\n`)
  }
}

/** Waits while the reader is behind: a full pipe takes nothing, and says so. */
function acknowledge(line: string): void {
  const bytes = Buffer.from(line)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}

let writing = true
async function deleteAndPurge(): Promise<void> {
  for (let round = 0; writing; round += 1) {
    const ids = Array.from({ length: 40 }, (_, position) => `${(position * 7_919 + round * 104_729) % 65_537}`)
    for (const id of ids) {
      const body = JSON.stringify({ text: 'y'.repeat((Number(id) * 13) % 3_000) })
      await connection.commit({ checks: [], writes: [{ kind: 'put', collection: doomed.name, id, body, keys: [] }] })
    }
    await connection.commit({ checks: [], writes: ids.map((id) => ({ kind: 'delete', collection: doomed.name, id })) })
    await connection.purge({ signal: new AbortController().signal })
  }
}

const purging = task.purging ? deleteAndPurge() : Promise.resolve()
await Promise.all(Array.from({ length: task.callers }, write))
writing = false
await purging
await connection.close()
