import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'

/** What Ctrl-C does in a conversation: it stops the answer first, then the program. */
export interface Interruption {
  /**
   * Does a piece of work during which the first Ctrl-C stops the run, and the second one leaves.
   */
  during<Result>(work: () => Promise<Result>): Promise<Result>
  /** Names the run of the work. It is stopped at once if Ctrl-C was pressed before. */
  runs(runId: string): void
  /** Aborted when the person leaves. */
  readonly left: AbortSignal
  /** Resolves when the person leaves. */
  readonly leaving: Promise<void>
  /** Resolves when Ctrl-C is no longer taken over, after the signal was aborted. */
  readonly ended: Promise<void>
}

/** Takes over Ctrl-C until the signal is aborted. */
export function createInterruption(
  context: Pick<CommandContext, 'request' | 'warn' | 'interrupts' | 'signal'>,
  until: AbortSignal,
): Interruption {
  const { request, warn, interrupts, signal } = context
  const left = new AbortController()
  const leaving = new Promise<void>((resolve) => left.signal.addEventListener('abort', () => resolve(), { once: true }))
  let current: { runId?: string; stopping: boolean } | undefined

  /** Not awaited: a second Ctrl-C must be heard although the service does not answer. */
  const cancel = (runId: string): void => {
    request('POST', `/api/runs/${runId}/cancel`).catch(async (error: unknown) => {
      if (!until.aborted) await warn(`The answer could not be stopped: ${error instanceof Error ? error.message : String(error)}`)
    })
  }
  const listen = async (): Promise<void> => {
    for await (const _ of interrupts({ signal: until })) {
      if (current === undefined || current.stopping) left.abort(new DOMException('The conversation was interrupted.', 'AbortError'))
      else {
        current.stopping = true
        if (current.runId !== undefined) cancel(current.runId)
      }
    }
  }
  return {
    async during(work) {
      current = { stopping: false }
      try {
        return await work()
      } finally {
        current = undefined
      }
    },
    runs(runId) {
      if (current === undefined) return
      current.runId = runId
      if (current.stopping) cancel(runId)
    },
    left: left.signal,
    leaving,
    ended: listen().catch((error: unknown) => {
      if (!until.aborted && !signal.aborted) throw error
    }),
  }
}
