import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Figure, median } from './figures.js'

const rounds = 3

/** What the measuring process found for one number of policies. */
interface Measured {
  readonly firstMs: number
  readonly blockedMs: number
  readonly cold: number
  readonly remembered: number
  readonly listed: number
  readonly plain: number
  readonly megabytesLoaded: number
  readonly megabytesAtWork: number
  readonly engineMegabytesLoaded: number
  readonly engineMegabytesAtWork: number
  /** Without what it shares with every process of Node. */
  readonly engineOwnMegabytesAtWork: number
}

/**
 * Decisions a second, the wait for the first one, how long it keeps the event loop, and the memory
 * that service and engine take.
 */
export async function benchPolicies(): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const count of [30, 1_000]) {
    const measured = await measureBest(count)
    const plain = { name: 'comparing a role', value: measured.plain }
    const of = (what: string): string => `${what}, ${count.toLocaleString('en-US')} policies`
    figures.push(
      { what: of('remembered decisions'), ours: measured.remembered, unit: '/s', baseline: plain },
      { what: of('cold decisions'), ours: measured.cold, unit: '/s', baseline: plain },
      { what: of('cold decisions in lists of 50'), ours: measured.listed, unit: '/s', baseline: plain },
      { what: of('first decision, loading included'), ours: measured.firstMs, unit: 'ms' },
      {
        what: of('longest hold of the event loop'),
        ours: measured.blockedMs,
        unit: 'ms',
        aim: { text: 'at most 20 ms', met: measured.blockedMs <= 20 },
      },
      { what: of('memory added to the service by the first decision'), ours: measured.megabytesLoaded, unit: 'MB' },
      { what: of('memory added to the service at full work'), ours: measured.megabytesAtWork, unit: 'MB' },
      { what: of('memory of the engine’s process after the first decision'), ours: measured.engineMegabytesLoaded, unit: 'MB' },
      { what: of('memory of the engine’s process at full work'), ours: measured.engineMegabytesAtWork, unit: 'MB' },
      { what: of('of it, shared with no other process'), ours: measured.engineOwnMegabytesAtWork, unit: 'MB' },
    )
  }
  return figures
}

/**
 * The median of several rounds; of the hold of the event loop the shortest, which other work on the
 * machine has lengthened least.
 */
async function measureBest(count: number): Promise<Measured> {
  const all: Measured[] = []
  for (let round = 0; round < rounds; round++) all.push(await measure(count))
  const middle = (name: keyof Measured): number => median(all.map((measured) => measured[name]))
  return {
    firstMs: middle('firstMs'),
    blockedMs: Math.min(...all.map(({ blockedMs }) => blockedMs)),
    cold: middle('cold'),
    remembered: middle('remembered'),
    listed: middle('listed'),
    plain: middle('plain'),
    megabytesLoaded: middle('megabytesLoaded'),
    megabytesAtWork: middle('megabytesAtWork'),
    engineMegabytesLoaded: middle('engineMegabytesLoaded'),
    engineMegabytesAtWork: middle('engineMegabytesAtWork'),
    engineOwnMegabytesAtWork: middle('engineOwnMegabytesAtWork'),
  }
}

/** In a process of its own, so that memory counts from nothing. */
async function measure(count: number): Promise<Measured> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./policies-child.js', import.meta.url)), String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '' },
  })
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  const [status] = (await once(child, 'close')) as [number | null]
  if (status !== 0) throw new Error(`The measuring process ended with ${status}.`)
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as Measured
}
