import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSqliteDriver } from '@agent-service/database-sqlite'
import type { CollectionLayout, DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import { removeFolder } from '../support/service-process.js'
import { type Figure, median } from './figures.js'
import { openRawStore, type RawStore } from './raw-sqlite.js'

const seconds = 3
const rounds = 3
const documents = 1_000_000
const users = 1_000
const pageSize = 50
const layout: CollectionLayout = {
  name: 'bench',
  version: 1,
  indexes: [{ name: 'by_user', fields: ['user_id', 'created_at'], unique: false }],
}
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined, child: () => silent }

/**
 * Durable inserts, pages by index and opening, for the driver and for better-sqlite3 used by hand
 * in the same way.
 */
export async function benchDatabase(print: (line: string) => void): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-db-'))
  try {
    const inserts = await benchInserts(folder)
    print(`  filling two stores with ${documents.toLocaleString('en-US')} documents each`)
    return [...inserts, ...(await benchLarge(folder))]
  } finally {
    await removeFolder(folder)
  }
}

async function benchInserts(folder: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const callers of [1, 64]) {
    const ours: number[] = []
    const raw: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const store = openRawStore(path.join(folder, `raw-${callers}-${round}.sqlite`))
      raw.push(insertRaw(store, callers))
      store.close()
      const connection = await open(path.join(folder, `driver-${callers}-${round}`))
      ours.push(await insertDriver(connection, callers))
      await connection.close()
    }
    figures.push({
      what: `durable inserts, ${callers} caller${callers === 1 ? '' : 's'}`,
      ours: median(ours),
      unit: '/s',
      baseline: { name: `better-sqlite3, ${callers} in a transaction`, value: median(raw) },
      aim: { text: 'at least 0.5', met: median(ours) / median(raw) >= 0.5 },
    })
  }
  return figures
}

async function benchLarge(folder: string): Promise<readonly Figure[]> {
  const rawFile = path.join(folder, 'raw-large.sqlite')
  const filling = openRawStore(rawFile)
  for (let start = 0; start < documents; start += 1_000)
    filling.insert(Array.from({ length: 1_000 }, (_, index) => documentAt(start + index)))
  filling.close()
  const place = path.join(folder, 'driver-large')
  const connection = await open(place)
  for (let start = 0; start < documents; start += 1_000) {
    await connection.commit({ checks: [], writes: Array.from({ length: 1_000 }, (_, index) => writeOf(start + index)) })
  }
  await connection.close()

  const opened: number[] = []
  const rawOpened: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const beganRaw = performance.now()
    const store = openRawStore(rawFile)
    store.page(userAt(round), pageSize)
    rawOpened.push(performance.now() - beganRaw)
    store.close()
    const began = performance.now()
    const again = await open(place)
    await again.range(rangeOf(userAt(round)))
    opened.push(performance.now() - began)
    await again.close()
  }
  const store = openRawStore(rawFile)
  const reading = await open(place)
  const raw = await perSecond(async (index) => store.page(userAt(index), pageSize).map((body) => JSON.parse(body) as unknown))
  const ours = await perSecond(async (index) =>
    (await reading.range(rangeOf(userAt(index)))).records.map((record) => JSON.parse(record.body) as unknown),
  )
  store.close()
  await reading.close()
  return [
    { what: `pages of ${pageSize} by index`, ours, unit: '/s', baseline: { name: 'better-sqlite3', value: raw } },
    {
      what: 'open and first page, 1,000,000 documents',
      ours: median(opened),
      unit: 'ms',
      baseline: { name: 'better-sqlite3', value: median(rawOpened) },
      aim: { text: 'under 100 ms', met: median(opened) < 100 },
    },
  ]
}

async function open(folder: string): Promise<DatabaseConnection> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const connection = await createSqliteDriver().open({ path: folder, settings: {}, log: silent, signal: new AbortController().signal })
  await connection.ensureCollection(layout, () => [null])
  return connection
}

/** Single inserts from many callers at once, each waiting for its own acknowledgement. */
async function insertDriver(connection: DatabaseConnection, callers: number): Promise<number> {
  let count = 0
  const began = performance.now()
  const until = began + seconds * 1_000
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let index = caller; performance.now() < until; index += callers) {
        const result = await connection.commit({
          checks: [{ kind: 'revision', collection: layout.name, id: idAt(index), revision: 0 }],
          writes: [writeOf(index)],
        })
        if (result.outcome !== 'committed') throw new Error(`A commit ended as ${result.outcome}.`)
        count += 1
      }
    }),
  )
  return count / ((performance.now() - began) / 1_000)
}

/** The same number of rows in each transaction, by one thread. */
function insertRaw(store: RawStore, group: number): number {
  let count = 0
  const began = performance.now()
  const until = began + seconds * 1_000
  while (performance.now() < until) {
    store.insert(Array.from({ length: group }, (_, index) => documentAt(count + index)))
    count += group
  }
  return count / ((performance.now() - began) / 1_000)
}

async function perSecond(work: (index: number) => Promise<unknown>): Promise<number> {
  let count = 0
  const began = performance.now()
  while (performance.now() < began + seconds * 1_000) {
    await work(count)
    count += 1
  }
  return count / ((performance.now() - began) / 1_000)
}

const idAt = (index: number): string => `document-${String(index).padStart(9, '0')}`
const userAt = (index: number): string => `user-${index % users}`

/** About 800 bytes, as JSON. */
function documentAt(index: number): { readonly id: string; readonly user: string; readonly created: string; readonly body: string } {
  const created = new Date(1_700_000_000_000 + index * 1_000).toISOString()
  const body = JSON.stringify({ id: idAt(index), user_id: userAt(index), created_at: created, kind: 'note', text: 'x'.repeat(680) })
  return { id: idAt(index), user: userAt(index), created, body }
}

function writeOf(index: number) {
  const { id, user, created, body } = documentAt(index)
  return { kind: 'put', collection: layout.name, id, body, keys: [Buffer.from(`${user}\0${created}`, 'utf8')] } as const
}

function rangeOf(user: string) {
  return {
    collection: layout.name,
    index: 'by_user',
    lower: Buffer.from(`${user}\0`, 'utf8'),
    upper: Buffer.from(`${user}\u0001`, 'utf8'),
    order: 'ascending',
    limit: pageSize,
    maximumBytes: 4 * 2 ** 20,
  } as const
}
