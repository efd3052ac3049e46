import { untilAborted } from '@agent-service/sdk/async'
import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { answerBrokenError, answerEmptyError } from '../../common/errors.js'
import { saysSomething } from '../../common/says-something.js'
import { wellFormed } from '../../common/well-formed.js'
import type { AnswerMask } from '../../points/hooks/answer-mask.js'
import type { LeftOut } from '../../store/chats/message.js'
import type { Run } from '../../store/runs/run.js'
import type { RunLog } from '../log/run-log.js'
import type { Transition, TransitionEvent } from '../log/transition.js'
import { type Answer, keepable } from '../log/turn-records.js'
import { advance, type RunSession } from '../session/run-session.js'
import type { LiveMessage } from '../streaming/live-message.js'
import { checkAnswer, checkGrowth, withFittingPictures } from './answer-limits.js'

/**
 * Reads a model's stream to its end and grows the message with it. Ends at once when the session is
 * stopped, whatever the provider does.
 * @throws what the inference throws, `answer_broken` if it ends without an answer, `answer_empty` if
 * nothing of it remains, `answer_too_long`.
 */
export async function readModelStream(options: {
  readonly session: RunSession
  readonly log: RunLog
  readonly live: LiveMessage
  readonly turn: number
  readonly stream: AsyncIterable<InferenceEvent>
  /** Masks text and reasoning before anything else has them. Default: nothing is masked. */
  readonly mask?: AnswerMask | undefined
  /** Whether the person does not know yet that the model takes no tools. Default: it is. */
  readonly isNews?: () => Promise<boolean>
}): Promise<Answer> {
  const { session, log, live, turn, stream, mask, isNews } = options
  const emit = (event: TransitionEvent, run: Partial<Run> = {}): Promise<void> =>
    advance(session, log, { steps: [], run: () => run, events: () => [event] })
  let provider = ''
  let model = ''
  const leftOut: LeftOut[] = []
  for await (const event of untilAborted(stream, session.signal)) {
    switch (event.type) {
      case 'attempt.started':
        if (event.fallback === 0) session.fallback = undefined
        provider = event.provider
        model = event.model
        break
      case 'attempt.delayed':
        await advance(session, log, retryingTransition({ ...event, failure: 'rate_limited', reason: limitUsedUp }))
        break
      case 'attempt.retrying':
        await advance(session, log, retryingTransition(event, voided(live, mask)))
        break
      case 'attempt.fallback': {
        const { failure, reason, next } = event
        // The next model may take what this one refused.
        leftOut.length = 0
        const wanted = `${event.provider}/${event.model}`
        const used = `${next.provider}/${next.model}`
        session.fallback = { ...(session.fallback ?? { reason: 'model_failed', wanted, failure, detail: wellFormed(reason) }), used }
        await emit(
          { name: 'run.fallback', data: { reason: 'model_failed', failure, detail: reason, wanted, used, ...voided(live, mask) } },
          { retry: null },
        )
        break
      }
      case 'group.substituted':
        // Once for each run: further events would be the same.
        if (turn === 0)
          await emit({ name: 'run.fallback', data: { reason: 'model_group_unknown', wanted: event.wanted, used: event.used } })
        break
      case 'request.reduced': {
        const { type: _, ...reduced } = event
        if (event.left_out === 'tools' && leftOut.some(({ what }) => what === 'tools')) break
        leftOut.push({ what: event.left_out, count: event.count, reason: wellFormed(event.reason) })
        if (event.left_out === 'parts' || (await isNews?.()) !== false) await emit({ name: 'run.reduced', data: reduced })
        break
      }
      case 'text.delta':
        live.append('text', event.part, mask ? await mask.piece(event.part, event.text) : event.text)
        break
      case 'reasoning.delta':
        live.append('reasoning', event.part, mask ? await mask.piece(event.part, event.text) : event.text)
        break
      case 'tool_call.started':
        live.startCall(event.part, event.name)
        break
      case 'tool_call.delta':
        live.appendArguments(event.part, event.arguments_text)
        break
      case 'response.finished': {
        const kept = keepable({ runId: session.run.id, turn }, withFittingPictures(event.content))
        const content = mask ? await mask.whole(kept) : kept
        if (mask)
          for (const [index, part] of content.entries())
            if (part.type === 'text' || part.type === 'reasoning') live.complete(part.type, index, part.text)
        if (!content.some(saysSomething)) throw answerEmptyError.create({})
        checkAnswer({ content })
        const { fallback } = event
        return {
          ...{ content, stopReason: event.stop_reason, usage: event.usage, provider, model },
          ...(leftOut.length > 0 && { leftOut }),
          ...(fallback && { fallback }),
        }
      }
      case 'response.started':
        break
    }
    checkGrowth(live)
  }
  throw answerBrokenError.create({})
}

const limitUsedUp = 'The vendor reported that its limit is used up for now.'

/** A model call is made again after a wait, which the stored run tells too. `attempt`: the one that failed. */
function retryingTransition(
  asked: {
    readonly attempt?: number
    readonly max_attempts?: number
    readonly delay_ms: number
    readonly failure: string
    readonly reason: string
  },
  retracted: Voided = {},
): Transition {
  const { attempt, max_attempts, delay_ms, failure } = asked
  const reason = wellFormed(asked.reason)
  const next = { ...(attempt !== undefined && { attempt: attempt + 1 }), ...(max_attempts !== undefined && { max_attempts }) }
  return {
    steps: [],
    run: (now) => ({ retry: { ...next, failure, reason, delay_ms, next_at: new Date(Date.parse(now) + delay_ms).toISOString() } }),
    events: ({ retry }) => [{ name: 'run.retrying', data: { ...retry, ...(attempt !== undefined && { attempt }), ...retracted } }],
  }
}

interface Voided {
  readonly void?: { readonly message_id: string; readonly part: number; readonly offset: number }
}

/** Retracts the text of a failed attempt; the result is empty if there was none. */
function voided(live: LiveMessage, mask: AnswerMask | undefined): Voided {
  const shown = live.length() > 0
  live.reset()
  mask?.restart()
  return shown ? { void: { message_id: live.messageId, part: 0, offset: 0 } } : {}
}
