import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { removeFolder, startServiceProcess } from '../support/service-process.js'
import { residentMegabytes, startChild } from './child.js'
import { type Figure, median } from './figures.js'
import { writeTrivialPlugins } from './trivial-plugins.js'

const rounds = 5
const morePlugins = 100
/** V8 gives back what a start has left behind once it has seen half a minute without work. */
const untilIdleMs = 60_000

/** Start to ready, memory behind the start and once idle, and what further plugins cost. */
export async function benchStart(print: (line: string) => void): Promise<readonly Figure[]> {
  const ready: number[] = []
  const started: number[] = []
  const bareReady: number[] = []
  const bareStarted: number[] = []
  const first: number[] = []
  const crowded: number[] = []
  const pluginsFolder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-plugins-'))
  const plugins = await writeTrivialPlugins(pluginsFolder, morePlugins)
  for (let round = 0; round <= rounds; round += 1) {
    const bare = await startChild('./bare-koa.js')
    await delay(1_000)
    const bareMemory = await residentMegabytes(bare.process)
    await bare.stop()

    const began = performance.now()
    const service = await startServiceProcess()
    const took = performance.now() - began
    await delay(1_000)
    const memory = await residentMegabytes(service.child)
    await service.stop()
    await removeFolder(service.folder)
    const tookWithOne = await startWith(plugins.slice(0, 1))
    const tookCrowded = await startWith(plugins)

    // The first round warms the disk's cache.
    if (round === 0) continue
    ready.push(took)
    started.push(memory)
    bareReady.push(bare.startedMs)
    bareStarted.push(bareMemory)
    first.push(tookWithOne - took)
    crowded.push(tookCrowded - tookWithOne)
  }
  await removeFolder(pluginsFolder)
  print(`  waiting ${untilIdleMs / 1_000} s for both to be idle`)
  const idle = await idleMemory()
  const perPlugin = median(crowded) / (morePlugins - 1)
  return [
    {
      what: 'start to ready',
      ours: median(ready),
      unit: 'ms',
      baseline: { name: 'bare koa', value: median(bareReady) },
      aim: { text: 'within 1,000 ms', met: median(ready) <= 1_000 },
    },
    {
      what: 'memory a second after the start',
      ours: median(started),
      unit: 'MB',
      baseline: { name: 'bare koa', value: median(bareStarted) },
    },
    {
      what: `memory after ${untilIdleMs / 1_000} s without work`,
      ours: idle.service,
      unit: 'MB',
      baseline: { name: 'bare koa', value: idle.bare },
      aim: { text: 'under 130 MB', met: idle.service < 130 },
    },
    {
      what: 'start for the first plugin from elsewhere, which brings an SDK of its own',
      ours: median(first),
      unit: 'ms',
    },
    {
      what: `start for each of ${morePlugins - 1} further plugins`,
      ours: perPlugin,
      unit: 'ms',
      aim: { text: 'at most 3 ms', met: perPlugin <= 3 },
    },
  ]
}

/** How long a start takes with these plugins beside those of the distribution, in milliseconds. */
async function startWith(plugins: readonly string[]): Promise<number> {
  const began = performance.now()
  const service = await startServiceProcess({ environment: { SERVICE_PLUGINS_SOURCES: JSON.stringify(plugins) } })
  const took = performance.now() - began
  await service.stop()
  await removeFolder(service.folder)
  return took
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
