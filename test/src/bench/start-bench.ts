import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { removeFolder, startServiceProcess } from '../support/service-process.js'
import { residentMegabytes, startChild } from './child.js'
import { type Figure, median } from './figures.js'
import { writeTrivialPlugins } from './trivial-plugins.js'

const rounds = 5
const morePlugins = 20
/** V8 gives back what a start has left behind once it has seen half a minute without work. */
const untilIdleMs = 60_000

/** Start to ready, memory behind the start and once idle, and what further plugins cost. */
export async function benchStart(print: (line: string) => void): Promise<readonly Figure[]> {
  const [bare, plain, crowded]: [Start[], Start[], Start[]] = [[], [], []]
  const pluginsFolder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-plugins-'))
  const plugins = await writeTrivialPlugins(pluginsFolder, morePlugins)
  for (let round = 0; round <= rounds; round += 1) {
    const starts = [await startBare(), await startWith([]), await startWith(plugins)] as const
    // The first round warms the disk's cache.
    if (round > 0) for (const [index, list] of [bare, plain, crowded].entries()) list.push(starts[index] as Start)
  }
  await removeFolder(pluginsFolder)
  print(`  waiting ${untilIdleMs / 1_000} s for both to be idle`)
  const idle = await idleMemory()
  const ms = (starts: readonly Start[]): number => median(starts.map(({ took }) => took))
  const memory = (starts: readonly Start[]): number => median(starts.map(({ megabytes }) => megabytes))
  const moreMs = median(crowded.map(({ took }, index) => took - (plain[index]?.took ?? 0)))
  const moreMegabytes = median(crowded.map(({ megabytes }, index) => megabytes - (plain[index]?.megabytes ?? 0)))
  return [
    {
      ...{ what: 'start to ready', ours: ms(plain), unit: 'ms', baseline: { name: 'bare koa', value: ms(bare) } },
      aim: { text: 'within 450 ms', met: ms(plain) <= 450 },
    },
    {
      what: 'memory a second after the start',
      ours: memory(plain),
      unit: 'MB',
      baseline: { name: 'bare koa', value: memory(bare) },
    },
    {
      what: `memory after ${untilIdleMs / 1_000} s without work`,
      ours: idle.service,
      unit: 'MB',
      baseline: { name: 'bare koa', value: idle.bare },
      aim: { text: 'at most 95 MB', met: idle.service <= 95 },
    },
    {
      what: `start for ${morePlugins} further plugins that are not used`,
      ours: moreMs,
      unit: 'ms',
      aim: { text: 'at most 10 ms', met: moreMs <= 10 },
    },
    {
      what: `memory for ${morePlugins} further plugins that are not used`,
      ours: moreMegabytes,
      unit: 'MB',
      aim: { text: 'at most 2 MB', met: moreMegabytes <= 2 },
    },
  ]
}

/** Milliseconds until it was ready, and memory a second later. */
interface Start {
  readonly took: number
  readonly megabytes: number
}

async function startBare(): Promise<Start> {
  const bare = await startChild('./bare-koa.js')
  await delay(1_000)
  const megabytes = await residentMegabytes(bare.process)
  await bare.stop()
  return { took: bare.startedMs, megabytes }
}

/** With these plugins beside those of the distribution. */
async function startWith(plugins: readonly string[]): Promise<Start> {
  const environment = plugins.length === 0 ? {} : { SERVICE_PLUGINS_SOURCES: JSON.stringify(plugins) }
  const began = performance.now()
  const service = await startServiceProcess({ environment })
  const took = performance.now() - began
  await delay(1_000)
  const megabytes = await residentMegabytes(service.child)
  await service.stop()
  await removeFolder(service.folder)
  return { took, megabytes }
}

async function idleMemory(): Promise<{ readonly service: number; readonly bare: number }> {
  const bare = await startChild('./bare-koa.js')
  const service = await startServiceProcess()
  try {
    await delay(untilIdleMs)
    return { service: await residentMegabytes(service.child), bare: await residentMegabytes(bare.process) }
  } finally {
    await bare.stop()
    await service.stop()
    await removeFolder(service.folder)
  }
}
