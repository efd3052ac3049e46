import { statfs } from 'node:fs/promises'
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { namedObject, type Static, Type } from '@agent-service/sdk'

/** How long the event loop is watched for one answer. */
const watchedMs = 100
const bytes = (description: string) => Type.Integer({ minimum: 0, description })

/** What the process and its machine are doing. */
export const processFiguresSchema = namedObject('ProcessFigures', {
  pid: Type.Integer(),
  node: Type.String({ examples: ['20.19.0'] }),
  platform: Type.String({ examples: ['linux x64'] }),
  started_at: Type.String({ description: 'When the process began.' }),
  resident_bytes: bytes('Memory of the process.'),
  heap_used_bytes: bytes('Of it, JavaScript objects.'),
  heap_limit_bytes: bytes('How large the heap may become.'),
  cpu_ms: Type.Integer({ minimum: 0, description: 'CPU time since the start.' }),
  event_loop: namedObject('EventLoopFigures', {
    utilization: Type.Number({ description: 'The share of a tenth of a second in which the event loop was busy, from 0 to 1.' }),
    delay_ms: Type.Number({ description: 'How late a timer of that time was.' }),
  }),
  processors: Type.Integer(),
  load: Type.Number({ description: 'The load of the machine over a minute; 0 where it is not known.' }),
  memory_bytes: bytes('Memory of the machine.'),
  memory_free_bytes: bytes('Of it, free.'),
})

export const diskFiguresSchema = namedObject('DiskFigures', {
  path: Type.String({ description: 'The data folder.' }),
  free_bytes: bytes('What is free for the service.'),
  total_bytes: bytes('The size of the file system.'),
})

export async function processFigures(signal: AbortSignal): Promise<Static<typeof processFiguresSchema>> {
  const before = performance.eventLoopUtilization()
  const from = performance.now()
  await pause(watchedMs, undefined, { signal })
  const late = performance.now() - from - watchedMs
  const { utilization } = performance.eventLoopUtilization(before)
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    pid: process.pid,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    started_at: new Date(performance.timeOrigin).toISOString(),
    resident_bytes: rss,
    heap_used_bytes: heapUsed,
    heap_limit_bytes: getHeapStatistics().heap_size_limit,
    cpu_ms: Math.round((user + system) / 1000),
    event_loop: { utilization: Math.min(1, Math.max(0, utilization)), delay_ms: Math.max(0, Math.round(late * 10) / 10) },
    processors: availableParallelism(),
    load: loadavg()[0] ?? 0,
    memory_bytes: totalmem(),
    memory_free_bytes: freemem(),
  }
}

/** Null if the file system does not answer. */
export async function diskFigures(path: string): Promise<Static<typeof diskFiguresSchema> | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(path)
    return { path, free_bytes: bavail * bsize, total_bytes: blocks * bsize }
  } catch {
    return null
  }
}
