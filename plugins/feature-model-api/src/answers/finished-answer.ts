import { onAbort } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { InferenceAnswer, InferenceEvent } from '@agent-service/sdk/services/inference'
import { callerError } from '../openai-error.js'
import { answerOverdueError } from '../retries/errors.js'
import type { StartAnswer } from './prepare-answer.js'

/**
 * How long an answer in one piece may be tried again, in seconds after the first failed attempt: the
 * client hears nothing meanwhile, and gives up itself after 10 minutes.
 */
export const maxRetryingSeconds = 240

/**
 * The complete answer of an inference, for a client that gets it in one piece. An inference that is
 * tried again ends in time. @throws the error for the caller of a failure, `answer_overdue`.
 */
export async function finishedAnswer(
  start: StartAnswer,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: Pick<Clock, 'after'> },
): Promise<InferenceAnswer> {
  const work = new AbortController()
  const stopListening = onAbort(signal, (reason) => work.abort(reason))
  let stopTimer: (() => unknown) | undefined
  let reason = ''
  try {
    for await (const event of start(work.signal)) {
      if (event.type === 'response.finished') return event
      const waits = waitOf(event)
      if (waits === undefined) continue
      reason = waits
      stopTimer ??= clock.after(maxRetryingSeconds * 1_000, () =>
        work.abort(answerOverdueError.create({ seconds: maxRetryingSeconds, reason })),
      )
    }
  } catch (error) {
    throw callerError(error)
  } finally {
    stopTimer?.()
    stopListening()
  }
  throw new Error('The inference ended without an answer.')
}

/** Why an inference takes longer, if it does. */
function waitOf(event: InferenceEvent): string | undefined {
  if (event.type === 'attempt.retrying' || event.type === 'attempt.fallback') return event.reason
  return event.type === 'attempt.delayed' ? 'The vendor’s rate limit is used up for now.' : undefined
}
