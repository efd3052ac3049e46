import { onAbort } from '@agent-service/sdk/async'
import { agentRunHooks } from '@agent-service/sdk/contracts/agent-run-hook'
import { tools } from '@agent-service/sdk/contracts/tool'
import { toolSources } from '@agent-service/sdk/contracts/tool-source'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { endedOrAborted } from '../session/run-stopping.js'

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
  /** Whether what an agent names is there. Default: where a plugin contributes a tool of this name. */
  readonly isThere?: (name: string) => boolean
}): ToolPresence {
  const { contributions, clock, withinMs, isThere } = dependencies
  const deadline = clock.monotonic() + withinMs
  let started = false
  void contributions.settled().then(() => {
    started = true
  })

  let guarded = false
  // What a hook is to veto or to mask does not begin before it is there: no time limit but that of its plugin's start.
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
