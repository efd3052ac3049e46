import type { Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import type { ConversationEvent } from '@agent-service/sdk/services/agents'
import type { Runs } from '@agent-service/sdk/services/runs'

/** How long a run may take to stop, in milliseconds. */
const cancelWithinMs = 15_000

/** What ending a run needs. */
export interface EndingDependencies {
  readonly runs: Pick<Runs, 'get' | 'cancel'>
  readonly userId: string
  readonly log: Logger
}

/**
 * The turn of an agent, whose run is cancelled where the client goes away before the last event: the protocols have no way back to an answer. A run that
 * waits for a person stays, for it is answered elsewhere.
 */
export async function* endedWithListener(
  events: AsyncIterable<ConversationEvent>,
  dependencies: EndingDependencies,
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
async function cancel({ runs, userId, log }: EndingDependencies, runId: string): Promise<void> {
  try {
    const { status } = await runs.get({ userId, runId })
    if (status !== 'waiting') await runs.cancel({ userId, runId }, { signal: signalWithin(cancelWithinMs) })
  } catch (error) {
    log.warn('A run whose client is gone could not be ended.', { run_id: runId, error })
  }
}
