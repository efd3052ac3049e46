import type { Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import type { ConversationEvent } from '@agent-service/sdk/services/agents'
import type { Runs } from '@agent-service/sdk/services/runs'

/** How long a run may take to stop, in milliseconds. */
const maxCancelMs = 15_000

/** What cancelling a run depends on. */
export interface CancelDependencies {
  readonly runs: Pick<Runs, 'get' | 'cancel'>
  readonly userId: string
  readonly log: Logger
}

/**
 * Cancels the run of a turn if the client disconnects before the last event: the protocols cannot
 * resume an answer. A run that waits for a person stays, because it is answered elsewhere.
 */
export async function* cancelOnDisconnect(
  events: AsyncIterable<ConversationEvent>,
  dependencies: CancelDependencies,
): AsyncGenerator<ConversationEvent, void, undefined> {
  let runId: string | undefined
  try {
    for await (const event of events) {
      if (event.type === 'run') runId = event.runId
      if (event.type === 'finished' || event.type === 'failed') runId = undefined
      yield event
    }
    runId = undefined
  } finally {
    if (runId !== undefined) void cancel(dependencies, runId)
  }
}

/** Never rejects. */
async function cancel({ runs, userId, log }: CancelDependencies, runId: string): Promise<void> {
  try {
    const { status } = await runs.get({ userId, runId })
    if (status !== 'waiting') await runs.cancel({ userId, runId }, { signal: signalWithin(maxCancelMs) })
  } catch (error) {
    log.warn('A run whose client disconnected could not be cancelled.', { run_id: runId, error })
  }
}
