import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../support/random.js'
import type { CampaignOptions } from './index.js'

/** What the campaign came to; it throws when a result differs. */
export interface ConsolidationOutcome {
  readonly kills: number
  /** How often all chats were consolidated, by one process after another. */
  readonly rounds: number
}

const program = fileURLToPath(new URL('../programs/consolidate-chats.js', import.meta.url))
const killsOfFullForm = 100
const killsOfShortForm = 3
const lifeLimitMs = 60_000

const worked = 'That worked, do it like this every time.'
const chats = [
  ['chat-1', ['Hello! I live in Graz, and I prefer trains.', 'Anna is my sister. I am tired today.', worked]],
  ['chat-2', ['I have moved to Linz. I collect stamps. Anna works as a baker.', worked]],
  ['chat-3', ['I prefer trains. I collect stamps.', 'I live in Graz.']],
] as const

const allStages = ['extract', 'classify', 'resolve', 'reconcile', 'author', 'adjudicate', 'commit'] as const

/**
 * Kills a process that consolidates chats with SIGKILL after each stage, and at random moments, and
 * starts it again on the same store, until all is learnt: each time the memories have to be, to the
 * byte, those of a process that was left alone.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<ConsolidationOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const delayMs = full ? 12 : 4
  const startedAt = Date.now()
  const { state: expected = '', workMs } = await inStore((path) => live({ path, delayMs }))
  if (!expected.includes('stamps')) throw new Error('The undisturbed process has learnt nothing.')
  print(`an undisturbed process works for ${workMs} ms, after ${Date.now() - startedAt - workMs} ms of starting`)
  const stages = full ? allStages : [random.pick(allStages)]
  for (const stage of stages) {
    const state = await inStore(async (path) => {
      const killed = await live({ path, delayMs: 0, killAfterStage: stage })
      if (killed.state !== undefined) throw new Error(`The stage ${stage} did not come.`)
      return (await live({ path, delayMs: 0 })).state
    })
    if (state !== expected) throw new Error(`Killed after the stage ${stage} the memories are other ones:\n${state}\nnot\n${expected}`)
  }
  print(`killed after ${stages.join(', ')}: the same result`)
  let [kills, rounds] = [0, 0]
  const mayKill = (): boolean => kills < (full ? killsOfFullForm : killsOfShortForm)
  while (mayKill()) {
    rounds += 1
    await inStore(async (path) => {
      for (;;) {
        const life = await live({ path, delayMs, ...(mayKill() && { killAfterMs: random.between(0, Math.max(1, workMs)) }) })
        if (life.state === undefined) kills += 1
        else if (life.state !== expected)
          throw new Error(`SEED=${seed}: after ${kills} kills the memories are other ones:\n${life.state}\nnot\n${expected}`)
        else return life
      }
    })
  }
  print(`${kills} kills in ${rounds} rounds, all with the same result`)
  return { kills, rounds }
}

async function inStore<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'consolidation-'))
  try {
    return await work(join(folder, 'store'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** One process, which is killed some time after it has begun to work, or ends with the state of the memories. */
async function live(task: {
  readonly path: string
  readonly delayMs: number
  readonly killAfterMs?: number
  readonly killAfterStage?: string
}): Promise<{ readonly state: string | undefined; readonly workMs: number }> {
  const { killAfterMs, ...given } = task
  const child = spawn(process.execPath, [program, JSON.stringify({ ...given, chats })], { stdio: ['ignore', 'pipe', 'pipe'] })
  const limit = setTimeout(() => child.kill('SIGTERM'), lifeLimitMs)
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, signal) => resolve(signal)))
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  let begun = 0
  let state: string | undefined
  let workMs = 0
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'begun') {
      begun = Date.now()
      if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    }
    if (!line.startsWith('done ')) continue
    state = line.slice('done '.length)
    workMs = Date.now() - begun
  }
  const signal = await ended
  clearTimeout(limit)
  if (state === undefined && signal !== 'SIGKILL') throw new Error(`The process ended by itself: ${errors}`)
  return { state, workMs }
}
