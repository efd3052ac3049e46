import { tools } from '@agent-service/sdk/contracts/tool'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'

/** Plugins start side by side: a run that is taken up at the start waits until the tools of its agent are there. */
export interface ToolPresence {
  /** Resolves when all of them are there, when all plugins have started, when the time for it is over, or when the signal is aborted. */
  until(names: readonly string[], signal: AbortSignal): Promise<void>
}

/** The time counts from now on, for all who wait. */
export function createToolPresence(dependencies: {
  readonly contributions: Contributions
  readonly clock: Clock
  readonly withinMs: number
}): ToolPresence {
  const { contributions, clock, withinMs } = dependencies
  const deadline = clock.monotonic() + withinMs

  return {
    until(names, signal) {
      const complete = (): boolean => {
        const present = new Set(contributions.list(tools).map((tool) => tool.key))
        return names.every((name) => present.has(name))
      }
      const left = deadline - clock.monotonic()
      if (signal.aborted || left <= 0 || complete()) return Promise.resolve()
      return new Promise((resolve) => {
        const end = (): void => {
          void stopListening()
          void stopTimer()
          signal.removeEventListener('abort', end)
          resolve()
        }
        const stopListening = contributions.onChange(tools, () => {
          if (complete()) end()
        })
        const stopTimer = clock.after(left, end)
        signal.addEventListener('abort', end, { once: true })
        void contributions.settled().then(end)
      })
    },
  }
}
