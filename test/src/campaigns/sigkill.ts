import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Logger } from '@agent-service/sdk'
import type { DatabaseDriver, DocumentRecord } from '@agent-service/sdk/contracts/database-driver'
import { createRandom } from '../support/random.js'
import { SqliteDatabase } from '../support/sqlite.js'
import type { CampaignOptions } from './index.js'

/** What the campaign saw of one driver. */
export interface SigkillOutcome {
  readonly driver: 'sqlite' | 'lowdb'
  readonly kills: number
  readonly acknowledged: number
}

const program = fileURLToPath(new URL('../programs/store-writer.js', import.meta.url))
const log: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined, child: () => log }
const killsOfShortForm = 4
const killsOfFullForm = 200

/**
 * Kills writers with SIGKILL at random moments and checks the remaining data: with each driver
 * four times or, at full length, 200 times. @throws with all violations.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<readonly SigkillOutcome[]> {
  print(`SEED=${seed}`)
  const random = createRandom(seed).next
  const outcomes: SigkillOutcome[] = []
  const killsOfAll = full ? killsOfFullForm : killsOfShortForm
  for (const driver of ['sqlite', 'lowdb'] as const) {
    const { problems, ...outcome } = await killWriters(driver, random, (kills) => kills < killsOfAll)
    print(`${driver}: ${outcome.kills} kills, ${outcome.acknowledged} acknowledged pairs, ${problems.length} problems`)
    if (problems.length > 0) throw new Error(`${driver}, SEED=${seed}:\n${problems.slice(0, 5).join('\n')}`)
    outcomes.push({ driver, ...outcome })
  }
  return outcomes
}

async function killWriters(
  name: 'sqlite' | 'lowdb',
  random: () => number,
  goOn: (kills: number) => boolean,
): Promise<{ readonly kills: number; readonly acknowledged: number; readonly problems: readonly string[] }> {
  const module = (await import(new URL(`../../../plugins/database-${name}/dist/index.js`, import.meta.url).href)) as Record<
    string,
    () => DatabaseDriver
  >
  const create = module[name === 'sqlite' ? 'createSqliteDriver' : 'createLowdbDriver']
  if (!create) throw new Error(`database-${name} makes no driver.`)
  const path = await mkdtemp(join(tmpdir(), `sigkill-${name}-`))
  const problems: string[] = []
  const acknowledged = new Map<string, number>()
  let kills = 0
  try {
    for (; goOn(kills); kills += 1) {
      const callers = random() < 0.5 ? 1 : 16
      const purging = random() < 0.5
      for (const [pair, revision] of await writeUntilKilled({ driver: name, path, callers, purging, round: kills }, random() * 60))
        acknowledged.set(pair, revision)
      try {
        const found = [...(await problemsIn(create(), path, acknowledged)), ...(name === 'sqlite' ? damageIn(path) : [])]
        problems.push(...found.map((problem) => `after kill ${kills + 1}: ${problem}`))
      } catch (error) {
        problems.push(`after kill ${kills + 1} the store does not open: ${String(error)}`)
      }
    }
  } finally {
    await rm(path, { recursive: true, force: true })
  }
  return { kills, acknowledged: acknowledged.size, problems }
}

/**
 * Runs a writer and kills it some milliseconds behind its first acknowledgement, or, where the
 * delay is short, behind its opening. Gives the pairs that it had printed.
 */
async function writeUntilKilled(task: Readonly<Record<string, unknown>>, delay: number): Promise<ReadonlyMap<string, number>> {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const pairs = new Map<string, number>()
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), 20_000)
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, signal) => resolve(signal)))
  let aimed = false
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, pair, revision] = line.split(' ')
    // The last line may be cut: it counts when its revision is there, which is the end of it or a
    // beginning of it.
    if (word === 'ack' && pair && revision) pairs.set(pair, Number(revision))
    if (aimed || (word !== 'ack' && delay > 10)) continue
    aimed = true
    setTimeout(() => child.kill('SIGKILL'), delay)
  }
  const signal = await ended
  clearTimeout(limit)
  if (signal !== 'SIGKILL') throw new Error(`The writer ended by itself: ${errors}`)
  return pairs
}

async function problemsIn(driver: DatabaseDriver, path: string, acknowledged: ReadonlyMap<string, number>): Promise<string[]> {
  const connection = await driver.open({ path, settings: {}, log, signal: new AbortController().signal })
  try {
    const problems: string[] = []
    const layouts = await connection.layouts()
    const records = new Map<string, DocumentRecord>()
    for (let last: string | undefined; layouts.length > 0; ) {
      const page = await connection.scan('crash.pairs', { limit: 500, ...(last === undefined ? {} : { afterId: last }) })
      for (const record of page) records.set(record.id, record)
      last = page.at(-1)?.id
      if (last === undefined) break
    }
    for (const [pair] of acknowledged) if (!records.has(`${pair}-left`)) problems.push(`${pair} was acknowledged and is missing`)
    for (const [id, record] of records) {
      if (id.startsWith('newest-')) {
        const { pair } = JSON.parse(record.body) as { readonly pair: string }
        if (records.get(`${pair}-left`)?.revision !== record.revision) problems.push(`${id} is of another commit than ${pair}`)
        continue
      }
      const other = id.endsWith('-left') ? id.replace(/-left$/, '-right') : id.replace(/-right$/, '-left')
      if (records.get(other)?.revision !== record.revision) problems.push(`${id} is there without ${other}`)
    }
    if (layouts.length > 0 && (await connection.count('crash.pairs')) !== records.size) problems.push('the count is wrong')
    if ((await connection.revision()) < Math.max(0, ...acknowledged.values())) problems.push('the revision went back')
    return problems
  } finally {
    await connection.close()
  }
}

/** SQLite's own integrity check of a closed file. */
function damageIn(path: string): readonly string[] {
  const database = new SqliteDatabase(join(path, 'store.sqlite'), { readonly: true })
  try {
    const found = database.pragma('integrity_check', { simple: true })
    return found === 'ok' ? [] : [String(found)]
  } finally {
    database.close()
  }
}
