import type { Browser, CDPSession, Page } from 'playwright-core'

/** What a page holds after a garbage collection. */
export interface PageMemory {
  readonly heapMiB: number
  readonly nodes: number
  readonly listeners: number
}

/** Collects garbage, then measures. */
export async function measureMemory(session: CDPSession): Promise<PageMemory> {
  for (let round = 0; round < 2; round += 1) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { heapMiB: usedSize / 1024 / 1024, nodes, listeners: jsEventListeners }
}

/** Tasks of the page over 50 ms, and pauses between two frames. */
export interface TaskFigures {
  /** Durations of tasks over 50 ms. */
  readonly longTasks: readonly number[]
  /**
   * The most that a task of the page took of the processor, in milliseconds: what it took but for the
   * time in which the machine was busy with something else.
   */
  readonly longestTaskCpuMs: number
  readonly frames: number
  /** The longest time between two frames. */
  readonly longestFrameMs: number
}

/** Watches the tasks of a page until the returned function is called. */
export async function watchTasks(browser: Browser, page: Page): Promise<() => Promise<TaskFigures>> {
  await browser.startTracing(page, { categories: ['toplevel'] })
  await page.evaluate(`(() => {
    const seen = { longTasks: [], frames: 0, longestFrameMs: 0 }
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longTasks.push(duration)
    })
    observer.observe({ type: 'longtask' })
    let last
    let over = false
    const frame = (now) => {
      if (over) return
      if (last !== undefined) seen.longestFrameMs = Math.max(seen.longestFrameMs, now - last)
      seen.frames += 1
      last = now
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    window.endWatching = () => {
      over = true
      observer.disconnect()
      return seen
    }
  })()`)
  return async () => {
    const seen = (await page.evaluate('window.endWatching()')) as Omit<TaskFigures, 'longestTaskCpuMs'>
    return { ...seen, longestTaskCpuMs: longestTaskIn(JSON.parse((await browser.stopTracing()).toString('utf8')) as Trace) }
  }
}

interface Trace {
  readonly traceEvents: readonly {
    readonly name: string
    readonly pid: number
    readonly tid: number
    /** Microseconds of the thread’s processor time. */
    readonly tdur?: number
    readonly args: { readonly name?: string }
  }[]
}

function longestTaskIn({ traceEvents }: Trace): number {
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const isMain = new Set(threads.map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith('RunTask') && isMain.has(`${pid} ${tid}`))
  if (tasks.length === 0) throw new Error('The trace has no tasks of the page.')
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1_000
}
