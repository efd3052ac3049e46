import type { ServiceError } from '@agent-service/sdk'
import type { ModelUsage, StopReason } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { answerCutError, answerEmptyError, answerWithheldError } from '../../common/errors.js'
import { saysSomething } from '../../common/says-something.js'

type Finished = Extract<InferenceEvent, { readonly type: 'response.finished' }>

/**
 * The events of an answer that says something. An empty one is no success, after results of tools neither: models stop so by mistake, and
 * only rarely a second time. So the model is asked once more when it stopped of its own accord, unless reasoning or text was shown that cannot be
 * retracted. The usage of both calls counts.
 * @throws `answer_empty`, `answer_cut`, `answer_withheld` with the reason of the last call; what the inference throws.
 */
export async function* nonEmptyAnswer(
  ask: () => AsyncIterable<InferenceEvent>,
  { mayRetract }: { readonly mayRetract: boolean },
): AsyncGenerator<InferenceEvent, void, undefined> {
  let first: Finished | undefined
  for (;;) {
    let attempt = 1
    let isShown = false
    let empty: Finished | undefined
    for await (const event of ask()) {
      if (event.type === 'attempt.started') attempt = event.attempt
      if (event.type === 'text.delta' || event.type === 'reasoning.delta') isShown = true
      const finished = event.type === 'response.finished' ? event : undefined
      if (finished && !finished.content.some(saysSomething)) empty = finished
      else yield finished && first ? { ...finished, usage: sumOf(first.usage, finished.usage) } : event
    }
    if (!empty) return
    const failure = failureOf(empty.stop_reason)
    if (first || !answerEmptyError.isInstance(failure) || (isShown && !mayRetract)) throw failure
    first = empty
    yield { type: 'attempt.retrying', attempt, delay_ms: 0, failure: failure.code, reason: 'The model returned an empty answer.' }
  }
}

function failureOf(stopReason: StopReason): ServiceError {
  if (stopReason === 'length') return answerCutError.create({})
  if (stopReason === 'content_filter') return answerWithheldError.create({ by: 'filter' })
  return stopReason === 'refusal' ? answerWithheldError.create({ by: 'model' }) : answerEmptyError.create({})
}

const sumOf = (one: ModelUsage, other: ModelUsage): ModelUsage => ({
  ...other,
  input_tokens: one.input_tokens + other.input_tokens,
  cached_input_tokens: one.cached_input_tokens + other.cached_input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  reasoning_tokens: one.reasoning_tokens + other.reasoning_tokens,
})
