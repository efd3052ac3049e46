import type { Logger } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import type { EndReason, ProcessUsage } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Clock } from '@agent-service/sdk/services/clock'
import { createCpuWindow } from './cpu-window.js'
import { decideEnds, type TreeUsage, type UsageLimits } from './decide-ends.js'

/** How often trees are measured: near a limit, and otherwise. */
const shortPauseMs = 250
const longPauseMs = 1_000
/** From which part of a limit on a tree is watched closely. */
const nearPart = 0.5
const measureLimitMs = 5_000

/** Ends trees that take more than their limits. */
export interface Governor {
  /** Something runs now. Measuring goes on until nothing does any more. */
  watch(): void
}

/** What the governor needs. */
export interface GovernorDependencies {
  readonly clock: Clock
  readonly log: Logger
  readonly limits: UsageLimits
  readonly processors: number
  readonly signal: AbortSignal
  /** The ids of what runs and is not ending, the oldest first. */
  readonly running: () => readonly string[]
  readonly measure: (signal: AbortSignal) => Promise<readonly ProcessUsage[]>
  readonly end: (id: string, reason: EndReason) => void
  /** Called with each reading. */
  readonly onMeasured: (usage: readonly ProcessUsage[]) => void
}

export function createGovernor(dependencies: GovernorDependencies): Governor {
  const { clock, log, limits, processors, signal, running, measure, end, onMeasured } = dependencies
  let isWatching = false

  const watchAll = async (): Promise<void> => {
    const cpu = createCpuWindow(processors)
    let pause = shortPauseMs
    while (running().length > 0) {
      await clock.wait(pause, { signal })
      const usage = await withTimeLimit(measure, { limitMs: measureLimitMs, signal, clock, what: 'The measuring of the sandbox' }).catch(
        (error: unknown) => {
          if (!signal.aborted) log.warn('The processes of the sandbox could not be measured; the service will try again.', { error })
          return undefined
        },
      )
      if (usage === undefined) continue
      onMeasured(usage)
      cpu.add(clock.monotonic(), usage)
      const ids = new Map(running().map((id, index) => [id, index]))
      const trees = usage
        .filter(({ id }) => ids.has(id))
        .sort((one, other) => (ids.get(one.id) ?? 0) - (ids.get(other.id) ?? 0))
        .map(({ id, principal, memoryBytes }): TreeUsage => ({ id, principal, memoryBytes, cpu: cpu.shareOf(id) }))
      for (const { id, reason } of decideEnds(trees, limits)) {
        log.info('A process of the sandbox is ended.', { id, reason })
        end(id, reason)
      }
      pause = isNear(trees, limits) ? shortPauseMs : longPauseMs
    }
    isWatching = false
  }
  return {
    watch() {
      if (isWatching || signal.aborted) return
      isWatching = true
      watchAll().catch((error: unknown) => {
        isWatching = false
        if (!signal.aborted) log.error('The limits of the sandbox are not watched until the next process starts.', { error })
      })
    },
  }
}

/** Whether the trees take so much together that one of them may soon be over a limit. */
function isNear(trees: readonly TreeUsage[], limits: UsageLimits): boolean {
  const cpu = trees.reduce((sum, tree) => sum + tree.cpu, 0)
  const memoryBytes = trees.reduce((sum, tree) => sum + tree.memoryBytes, 0)
  return (
    cpu > Math.min(limits.cpu, limits.totalCpu) * nearPart || memoryBytes > Math.min(limits.memoryBytes, limits.totalMemoryBytes) * nearPart
  )
}
