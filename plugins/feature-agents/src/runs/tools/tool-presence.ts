import { onAbort } from '@agent-service/sdk/async'
import { agentRunHooks } from '@agent-service/sdk/contracts/agent-run-hook'
import { tools } from '@agent-service/sdk/contracts/tool'
import { toolSources } from '@agent-service/sdk/contracts/tool-source'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { endedOrAborted } from '../session/run-stopping.js'

/**
 * Plugins start in parallel, and requests are served as soon as their plugin has started. So in the
 * first seconds a run waits until the tools of its agent are available.
 */
export interface ToolPresence {
  /** Whether a run with these tools need not wait. */
  isSettled(names: readonly string[]): boolean
  /**
   * Resolves when all of them are available, all plugins have started, the time limit is over, or
   * the given signal is aborted.
   */
  until(names: readonly string[], signal?: AbortSignal): Promise<void>
}

/** The time limit counts from now on, for all runs. */
export function createToolPresence(dependencies: {
  readonly contributions: Contributions
  readonly clock: Clock
  readonly withinMs: number
  /**
   * Whether a tool that an agent names is available. Default: whether a plugin contributes a tool
   * of this name.
   */
  readonly isThere?: (name: string) => boolean
}): ToolPresence {
  const { contributions, clock, withinMs, isThere } = dependencies
  const deadline = clock.monotonic() + withinMs
  let started = false
  void contributions.settled().then(() => {
    started = true
  })

  let guarded = false
  // No run begins before the hooks that may veto or mask it: only the start of their plugin limits
  // this wait.
  const hooksStarted = contributions.settled(agentRunHooks).then(() => {
    guarded = true
  })

  const areThere = (names: readonly string[]): boolean => {
    if (isThere) return names.every(isThere)
    const present = new Set(contributions.list(tools).map((tool) => tool.key))
    return names.every((name) => present.has(name))
  }
  const isSettled = (names: readonly string[]): boolean => started || (guarded && (clock.monotonic() >= deadline || areThere(names)))

  return {
    isSettled,
    async until(names, signal) {
      if (signal?.aborted || isSettled(names)) return
      if (!guarded) await endedOrAborted(hooksStarted, signal)
      if (signal?.aborted || isSettled(names)) return
      await new Promise<void>((resolve) => {
        const end = (): void => {
          for (const stop of listening) void stop()
          void stopTimer()
          forget()
          resolve()
        }
        const look = (): void => {
          if (areThere(names)) end()
        }
        const listening = [contributions.onChange(tools, look), contributions.onChange(toolSources, look)]
        const stopTimer = clock.after(deadline - clock.monotonic(), end)
        const forget = onAbort(signal, end)
        void contributions.settled().then(end)
      })
    },
  }
}
