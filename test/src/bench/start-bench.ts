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

/** Start to ready, idle memory, and what further plugins cost. */
export async function benchStart(): Promise<readonly Figure[]> {
  const ready: number[] = []
  const idle: number[] = []
  const bareReady: number[] = []
  const bareIdle: number[] = []
  const crowded: number[] = []
  const pluginsFolder = await mkdtemp(path.join(tmpdir(), 'agent-service-bench-plugins-'))
  const plugins = await writeTrivialPlugins(pluginsFolder, morePlugins)
  for (let round = 0; round <= rounds; round += 1) {
    const bare = await startChild('./bare-koa.js')
    await delay(500)
    const bareMemory = await residentMegabytes(bare.process)
    await bare.stop()

    const began = performance.now()
    const service = await startServiceProcess()
    const took = performance.now() - began
    await delay(1_000)
    const memory = await residentMegabytes(service.child)
    await service.stop()
    await removeFolder(service.folder)

    const beganCrowded = performance.now()
    const full = await startServiceProcess({ environment: { SERVICE_PLUGINS_SOURCES: JSON.stringify(plugins) } })
    const tookCrowded = performance.now() - beganCrowded
    await full.stop()
    await removeFolder(full.folder)

    // The first round warms the disk's cache.
    if (round === 0) continue
    ready.push(took)
    idle.push(memory)
    bareReady.push(bare.startedMs)
    bareIdle.push(bareMemory)
    crowded.push(tookCrowded - took)
  }
  await removeFolder(pluginsFolder)
  const perPlugin = median(crowded) / morePlugins
  return [
    {
      what: 'start to ready',
      ours: median(ready),
      unit: 'ms',
      baseline: { name: 'bare koa', value: median(bareReady) },
      aim: { text: 'within 1,000 ms', met: median(ready) <= 1_000 },
    },
    {
      what: 'memory when idle',
      ours: median(idle),
      unit: 'MB',
      baseline: { name: 'bare koa', value: median(bareIdle) },
      aim: { text: 'under 130 MB', met: median(idle) < 130 },
    },
    {
      what: `start for each of ${morePlugins} more plugins`,
      ours: perPlugin,
      unit: 'ms',
      aim: { text: 'at most 3 ms', met: perPlugin <= 3 },
    },
  ]
}
