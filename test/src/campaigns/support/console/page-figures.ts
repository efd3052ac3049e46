import type { CDPSession, Page } from 'playwright-core'

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
  readonly frames: number
  /** The longest time between two frames. */
  readonly longestFrameMs: number
}

/** Watches the tasks of a page until the returned function is called. */
export async function watchTasks(page: Page): Promise<() => Promise<TaskFigures>> {
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
  return async () => (await page.evaluate('window.endWatching()')) as TaskFigures
}
