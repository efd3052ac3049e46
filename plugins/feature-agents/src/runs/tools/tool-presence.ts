import { tools } from '@agent-service/sdk/contracts/tool'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'

/** Plugins start side by side, and answer requests as soon as they have started: in the first seconds a run waits until the tools of its agent are there. */
export interface ToolPresence {
  /** Whether there is nothing to wait for. */
  isSettled(names: readonly string[]): boolean
  /** Resolves when all of them are there, when all plugins have started, when the time for it is over, or when a signal that is given is aborted. */
  until(names: readonly string[], signal?: AbortSignal): Promise<void>
}

/** The time counts from now on, for all who wait. */
export function createToolPresence(dependencies: {
  readonly contributions: Contributions
  readonly clock: Clock
  readonly withinMs: number
}): ToolPresence {
  const { contributions, clock, withinMs } = dependencies
  const deadline = clock.monotonic() + withinMs
  let started = false
  void contributions.settled().then(() => {
    started = true
  })

  const areThere = (names: readonly string[]): boolean => {
    const present = new Set(contributions.list(tools).map((tool) => tool.key))
    return names.every((name) => present.has(name))
  }
  const isSettled = (names: readonly string[]): boolean => started || clock.monotonic() >= deadline || areThere(names)

  return {
    isSettled,
    until(names, signal) {
      if (signal?.aborted || isSettled(names)) return Promise.resolve()
      const left = deadline - clock.monotonic()
      return new Promise((resolve) => {
        const end = (): void => {
          void stopListening()
          void stopTimer()
          signal?.removeEventListener('abort', end)
          resolve()
        }
        const stopListening = contributions.onChange(tools, () => {
          if (areThere(names)) end()
        })
        const stopTimer = clock.after(left, end)
        signal?.addEventListener('abort', end, { once: true })
        void contributions.settled().then(end)
      })
    },
  }
}
