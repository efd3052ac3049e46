import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type MissingGuarantee, openTestEditor } from '@agent-service/kernel/testing'
import type { ConfigurationWriterTask } from '../../programs/configuration-writer.js'

const program = fileURLToPath(new URL('../../programs/configuration-writer.js', import.meta.url))

/** Large, so that writing it takes a while. */
const comments = `${`# ${'x'.repeat(120)}\n`.repeat(500)}`
const textOf = (count: number): string =>
  count === 0
    ? `server:\n  port: 4000 # stays\n${comments}cache: { entity_ttl_secs: 7 }\n`
    : `server:\n  port: 4000 # stays\n  base_url: http://count/${count}\n  frontend_url: http://count/${count}\n${comments}cache: { entity_ttl_secs: 7 }\n`

/** The count in the file, when the file is whole. */
async function countIn(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8')
  const count = Number(/base_url: http:\/\/count\/(\d+)/.exec(text)?.[1] ?? 0)
  return text === textOf(count) ? count : undefined
}

async function inFolder<Result>(work: (folder: string, path: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'configuration-saves-'))
  try {
    const path = join(folder, 'data', 'config.yaml')
    await mkdir(join(folder, 'data'))
    await writeFile(path, textOf(0))
    return await work(folder, path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What writers that ran against each other did. */
export interface Race {
  readonly saved: number
  readonly stale: number
  /** Everything that should not have happened. */
  readonly problems: readonly string[]
}

/** Lets two processes count up in one file, each as often as `attempts` says, from when both are ready. */
export function race(attempts: number, missing?: MissingGuarantee): Promise<Race> {
  return inFolder(async (folder, path) => {
    const task: ConfigurationWriterTask = { folder, attempts, ...(missing ? { missing } : {}) }
    const writers = [startWriter(task), startWriter(task)]
    await Promise.all(writers.map(({ ready }) => ready))
    for (const { begin } of writers) begin()
    const lines = (await Promise.all(writers.map((writer) => writer.lines))).flat()
    const counts = lines.filter((line) => line.startsWith('saved ')).map((line) => Number(line.slice(6)))
    const stale = lines.filter((line) => line === 'stale').length
    const problems = lines.filter((line) => line.startsWith('fault '))
    const left = await countIn(path)
    if (left === undefined) problems.push('the file is a mixture')
    else if (left !== counts.length) problems.push(`${counts.length} saves were acknowledged, and the file counts ${left}`)
    if (new Set(counts).size !== counts.length) problems.push('one count was acknowledged to both')
    if (counts.length + stale + problems.length < 2 * attempts) problems.push('not every save was answered')
    return { saved: counts.length, stale, problems }
  })
}

function startWriter(task: ConfigurationWriterTask) {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const output = createInterface({ input: child.stdout })
  const lines: string[] = []
  output.on('line', (line) => void lines.push(line))
  // One that ends before it is ready has said why.
  const ready = Promise.race([once(output, 'line'), ended])
  return { ready, begin: () => void child.stdin.end(), lines: ended.then((): readonly string[] => lines) }
}

/** What writers that were killed left. */
export interface Kills {
  readonly kills: number
  /** Of them, those that met a save while it was writing. */
  readonly midway: number
  readonly saved: number
  /** Everything that should not have happened. */
  readonly problems: readonly string[]
}

/**
 * Kills a writer with SIGKILL at a random moment, looks at the file and saves once more; again and
 * again.
 */
export function killWriters(random: () => number, goOn: (kills: number) => boolean, missing?: MissingGuarantee): Promise<Kills> {
  return inFolder(async (folder, path) => {
    const problems: string[] = []
    let acknowledged = 0
    let saved = 0
    let kills = 0
    let midway = 0
    for (; goOn(kills); kills++) {
      const last = await saveUntilKilled({ folder, ...(missing ? { missing } : {}) }, random(), problems)
      saved += Math.max(0, last - acknowledged)
      acknowledged = Math.max(acknowledged, last)
      if ((await readdir(join(folder, 'data'))).some((name) => name.endsWith('.new'))) midway++
      const left = await countIn(path)
      if (left !== acknowledged && left !== acknowledged + 1)
        problems.push(
          `after kill ${kills + 1} the file ${left === undefined ? 'is not whole' : `counts ${left}`}, acknowledged was ${acknowledged}`,
        )
      if (left === undefined) break
      acknowledged = left
      await saveOnce(folder, problems)
    }
    return { kills, midway, saved, problems }
  })
}

/**
 * Kills a writer behind its second acknowledgement, within about the time that the save between its
 * first two took: so a kill may meet any part of a save. Gives the last count that was
 * acknowledged.
 */
async function saveUntilKilled(task: ConfigurationWriterTask, fraction: number, problems: string[]): Promise<number> {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const limit = setTimeout(() => child.kill('SIGKILL'), 20_000)
  let last = 0
  const times: number[] = []
  let aimed: Promise<unknown> | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'ready') continue
    if (line.startsWith('saved ')) last = Number(line.slice(6))
    else problems.push(line)
    times.push(performance.now())
    const [first, second] = times
    if (first === undefined || second === undefined) continue
    aimed ??= pause((second - first) * fraction * 1.2).then(() => child.kill('SIGKILL'))
  }
  await Promise.all([ended, aimed])
  clearTimeout(limit)
  return last
}

/** A save goes through at once, whatever the killed one left, and removes it. */
async function saveOnce(folder: string, problems: string[]): Promise<void> {
  const editor = openTestEditor({ folder })
  const { revision } = await editor.read()
  await editor.save({ reset: ['database.driver'] }, revision)
  const left = (await readdir(join(folder, 'data'))).filter((name) => name.endsWith('.new'))
  if (left.length > 0) problems.push(`a save left ${left.join(', ')}`)
}
