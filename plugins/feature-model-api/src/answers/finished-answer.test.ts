import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { createTestClock } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { finishedAnswer, maxRetryingSeconds } from './finished-answer.js'

const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
const finished: InferenceEvent = { type: 'response.finished', content: [{ type: 'text', text: 'Yes' }], stop_reason: 'stop', usage }
const retrying: InferenceEvent = { type: 'attempt.retrying', attempt: 1, delay_ms: 5, failure: 'overloaded', reason: 'The model is busy.' }

describe('an answer in one piece', () => {
  const clock = createTestClock()
  /** Events that then never end by themselves. */
  const hanging = (...events: readonly InferenceEvent[]) =>
    async function* (signal: AbortSignal): AsyncGenerator<InferenceEvent> {
      yield* events
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
    }
  const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => expect.fail('It was expected to fail.'),
      (error: unknown) => error,
    )

  it('ends in time if it is tried again, and names the newest failure', async () => {
    const ended = failureOf(finishedAnswer(hanging(retrying), { signal: new AbortController().signal, clock }))
    // The failed attempt is reported.
    await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(maxRetryingSeconds * 1_000)
    const error = (await ended) as { readonly code: string; readonly status: number; readonly message: string }
    expect([error.code, error.status]).to.deep.equal(['answer_overdue', 503])
    expect(error.message).to.contain('within 240 seconds').and.contain('The model is busy.')
  })

  it('takes as long as it takes without a failed attempt', async () => {
    const leaving = new AbortController()
    let isOver = false
    const ended = failureOf(finishedAnswer(hanging({ type: 'response.started' }), { signal: leaving.signal, clock })).then((error) => {
      isOver = true
      return error
    })
    await clock.advance(3_000_000)
    expect(isOver).to.equal(false)
    const gone = new Error('gone')
    leaving.abort(gone)
    expect(await ended).to.equal(gone)
  })

  it('is the answer of a later attempt', async () => {
    const answer = await finishedAnswer(
      async function* () {
        yield retrying
        yield finished
      },
      { signal: new AbortController().signal, clock },
    )
    expect(answer).to.equal(finished)
    await clock.advance(maxRetryingSeconds * 1_000)
  })
})
