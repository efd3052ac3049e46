import type { Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import type { ConversationEvent } from '@agent-service/sdk/services/agents'
import type { Runs } from '@agent-service/sdk/services/runs'

/** How long a run may take to stop, in milliseconds. */
const maxCancelMs = 15_000

/** Counts the requests that follow each run. */
export interface RunFollowers {
  /** A request follows a run. The result ends that, and returns whether it was the last one. */
  follow(runId: string): () => boolean
}

export function createRunFollowers(): RunFollowers {
  const counts = new Map<string, number>()
  return {
    follow(runId) {
      counts.set(runId, (counts.get(runId) ?? 0) + 1)
      return () => {
        const left = (counts.get(runId) ?? 1) - 1
        if (left > 0) counts.set(runId, left)
        else counts.delete(runId)
        return left === 0
      }
    },
  }
}

/** What cancelling a run depends on. */
export interface CancelDependencies {
  readonly runs: Pick<Runs, 'get' | 'cancel'>
  readonly followers: RunFollowers
  readonly userId: string
  readonly log: Logger
  /** Called with the end of a cancellation, which never rejects. */
  onCancel(done: Promise<void>): void
}

/**
 * Cancels the run of a turn if the client disconnects before the last event and no retry follows
 * it: the protocols cannot resume an answer. A run that waits for a person stays, because it is
 * answered elsewhere.
 */
export async function* cancelOnDisconnect(
  events: AsyncIterable<ConversationEvent>,
  dependencies: CancelDependencies,
): AsyncGenerator<ConversationEvent, void, undefined> {
  const { followers, onCancel } = dependencies
  let runId: string | undefined
  let isOver = false
  let unfollow: () => boolean = () => false
  try {
    for await (const event of events) {
      if (event.type === 'run') {
        runId = event.runId
        unfollow = followers.follow(runId)
      }
      if (event.type === 'finished' || event.type === 'failed') isOver = true
      yield event
    }
    isOver = true
  } finally {
    const isLast = unfollow()
    if (isLast && !isOver && runId !== undefined) onCancel(cancel(dependencies, runId))
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
