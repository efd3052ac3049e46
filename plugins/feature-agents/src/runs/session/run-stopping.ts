import { abortable } from '@agent-service/sdk/async'
import type { RunSession, StopCause } from './run-session.js'

/** How long a run may take without a pause unless its agent sets a limit, in seconds. */
export const maxSeconds = 4 * 3_600

/** How long this run may take without a pause, in milliseconds. */
export const maxMs = ({ agent }: Pick<RunSession, 'agent'>): number => (agent.limits.max_run_secs ?? maxSeconds) * 1_000

/** The abort message for each cause of a stop. */
export const stopReasons: Readonly<Record<Exclude<StopCause, 'park'>, string>> = {
  cancel: 'The run was cancelled.',
  overdue: 'The run took too long.',
}

/** Resolves when `ended` resolves or the signal is aborted, whichever is first. */
export async function endedOrAborted(ended: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  await abortable(ended, signal).catch((error: unknown) => {
    if (!signal?.aborted) throw error
  })
}
