import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSqliteDriver } from '@agent-service/database-sqlite'
import type { CollectionLayout, CommitWrite, DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import { removeFolder } from '../support/service-process.js'
import { SqliteDatabase } from '../support/sqlite.js'
import { type Figure, median } from './figures.js'

type Overwriting = 'ON' | 'FAST' | 'OFF'

const modes: readonly Overwriting[] = ['ON', 'FAST', 'OFF']
const rounds = 5
const writes = 3_000
/** Documents of the store that is purged and copied: about 150 MB with their words. */
const large = 60_000
const bodyBytes = 1_500
const layout: CollectionLayout = {
  name: 'bench',
  version: 1,
  indexes: [{ name: 'by_user', fields: ['user_id', 'created_at'], unique: false }],
  search: { fields: ['text'], scope: 'user_id', order: 'created_at', generation: 1 },
}
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined, child: () => silent }
const never = new AbortController().signal

/**
 * Writes of all kinds with what is deleted overwritten at once, and without, in turns; then a purge
 * of a large store with the longest wait of a commit beside it, and a backup beside a copy of
 * pages, as backups were made before.
 */
export async function benchErasure(print: (line: string) => void): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-erasure-'))
  try {
    return [...(await benchWrites(folder, print)), ...(await benchPurge(folder, print))]
  } finally {
    await removeFolder(folder)
  }
}

const put = (number: number, round: number): CommitWrite => ({
  ...{ kind: 'put', collection: layout.name, id: `${(number * 7_919) % 100_003}-${number}` },
  body: JSON.stringify({ id: number, text: 'x'.repeat(((number * 31 + round * 17) % bodyBytes) + 200) }),
  keys: [Buffer.from(`user${number % 100} ${number + round * 1_000_000}`)],
  search: number % 5 === 0 ? { scope: `user${number % 100}`, order: number, words: `word${number % 997} other${round}` } : null,
})

const open = async (place: string, secureDelete: Overwriting): Promise<DatabaseConnection> => {
  await mkdir(place, { recursive: true })
  const connection = await createSqliteDriver({ secureDelete }).open({ path: place, settings: {}, log: silent, signal: never })
  await connection.ensureCollection(
    layout,
    () => [null],
    () => null,
  )
  return connection
}

/** Commits a second, from so many callers. */
async function rate(connection: DatabaseConnection, callers: number, write: (number: number) => CommitWrite): Promise<number> {
  let next = 0
  const began = performance.now()
  const caller = async (): Promise<void> => {
    for (let number = next++; number < writes; number = next++) await connection.commit({ checks: [], writes: [write(number)] })
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return (writes * 1000) / (performance.now() - began)
}

async function benchWrites(folder: string, print: (line: string) => void): Promise<readonly Figure[]> {
  const kinds = ['insert', 'update', 'delete'] as const
  const rates = new Map<string, number[]>()
  for (const callers of [1, 64]) {
    print(`  ${rounds} rounds of ${writes} inserts, updates and deletions from ${callers} caller${callers === 1 ? '' : 's'}`)
    for (let round = 0; round < rounds; round += 1) {
      for (const mode of modes) {
        const connection = await open(path.join(folder, `${mode}-${callers}-${round}`), mode)
        for (const kind of kinds) {
          const write = (number: number): CommitWrite => {
            const { id } = put(number, 0)
            return kind === 'delete' ? { kind, collection: layout.name, id } : put(number, kind === 'insert' ? 0 : 1)
          }
          const name = `${kind} ${callers} ${mode}`
          rates.set(name, [...(rates.get(name) ?? []), await rate(connection, callers, write)])
        }
        await connection.close()
      }
    }
  }
  const of = (name: string): number => median(rates.get(name) ?? [])
  return kinds.flatMap((kind) =>
    [1, 64].flatMap((callers) =>
      (['OFF', 'FAST'] as const).map((mode) => ({
        what: `${kind}, ${callers} caller${callers === 1 ? '' : 's'}`,
        ours: of(`${kind} ${callers} ON`),
        unit: '/s',
        baseline: { name: `secure_delete ${mode}`, value: of(`${kind} ${callers} ${mode}`) },
      })),
    ),
  )
}

async function benchPurge(folder: string, print: (line: string) => void): Promise<readonly Figure[]> {
  const place = path.join(folder, 'large')
  const connection = await open(place, 'ON')
  for (let number = 0; number < large; number += 500)
    await connection.commit({ checks: [], writes: Array.from({ length: 500 }, (_, position) => put(number + position, 0)) })
  print(`  a store of ${large.toLocaleString('en-US')} documents, of which a tenth is deleted`)
  for (let number = 0; number < large; number += 100) {
    const deleted = Array.from({ length: 10 }, (_, position) => put(number + position * 10, 0).id)
    await connection.commit({ checks: [], writes: deleted.map((id) => ({ kind: 'delete', collection: layout.name, id })) })
  }
  const alone: number[] = []
  const beside: number[] = []
  const commitOnce = async (times: number[], number: number): Promise<void> => {
    const began = performance.now()
    await connection.commit({ checks: [], writes: [put(large + number, 0)] })
    times.push(performance.now() - began)
  }
  for (let number = 0; number < 300; number += 1) await commitOnce(alone, number)
  let purging = true
  const began = performance.now()
  const purged = connection.purge({ signal: never }).finally(() => (purging = false))
  for (let number = 0; purging; number += 1) await commitOnce(beside, number)
  await purged
  const first = performance.now() - began
  const againBegan = performance.now()
  await connection.purge({ signal: never })
  const again = performance.now() - againBegan

  const backUp = async (name: string, copy: (target: string) => Promise<unknown>): Promise<number> => {
    const target = path.join(folder, name)
    await mkdir(target)
    const start = performance.now()
    await copy(target)
    return performance.now() - start
  }
  const rows = await backUp('rows', async (target) => connection.backup?.(target, { signal: never, progress: () => undefined }))
  const pages = await backUp('pages', async (target) => {
    const database = new SqliteDatabase(path.join(place, 'store.sqlite'), { readonly: true })
    database.exec('BEGIN')
    await database.backup(path.join(target, 'store.sqlite'), { progress: () => 512 })
    database.close()
  })
  await connection.close()
  return [
    { what: 'purge after a tenth was deleted', ours: first, unit: 'ms' },
    { what: 'purge with nothing to do', ours: again, unit: 'ms' },
    {
      what: 'longest commit beside a purge',
      ours: Math.max(...beside),
      unit: 'ms',
      baseline: { name: 'without', value: Math.max(...alone) },
    },
    { what: 'middle commit beside a purge', ours: median(beside), unit: 'ms', baseline: { name: 'without', value: median(alone) } },
    { what: 'backup, row by row', ours: rows, unit: 'ms', baseline: { name: 'page by page', value: pages } },
  ]
}
