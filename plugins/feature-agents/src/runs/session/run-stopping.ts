import { abortable } from '@agent-service/sdk/async'
import type { RunSession, StopCause } from './run-session.js'

/** How long a run may go on at a stretch where its agent does not say, in seconds. */
export const maxSeconds = 4 * 3_600

/** How long this run may go on at a stretch, in milliseconds. */
export const maxMs = ({ agent }: Pick<RunSession, 'agent'>): number => (agent.limits.max_run_secs ?? maxSeconds) * 1_000

/** What a run's signal says when it is stopped. */
export const stopReasons: Readonly<Record<Exclude<StopCause, 'park'>, string>> = {
  cancel: 'The run was cancelled.',
  overdue: 'The run has gone on for too long.',
}

/** Resolves when something has ended, as a run, or the signal is aborted, whichever is first. */
export async function endedOrAborted(ended: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  await abortable(ended, signal).catch((error: unknown) => {
    if (!signal?.aborted) throw error
  })
}
