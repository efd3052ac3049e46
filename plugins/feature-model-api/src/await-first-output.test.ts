import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { createTestClock } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { awaitFirstOutput } from './await-first-output.js'

const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
const finished: InferenceEvent = { type: 'response.finished', content: [{ type: 'text', text: 'Yes' }], stop_reason: 'stop', usage }

describe('the first output of a stream', () => {
  it('is not waited for longer than proxies wait, and nothing is added to what comes then', async () => {
    const clock = createTestClock()
    let answer: (event: InferenceEvent) => void = () => undefined
    let isOver = false
    async function* inference(): AsyncGenerator<InferenceEvent> {
      try {
        yield await new Promise<InferenceEvent>((resolve) => {
          answer = resolve
        })
      } finally {
        isOver = true
      }
    }
    const begun = awaitFirstOutput(inference(), clock)
    await clock.advance(15_000)
    const output = (await begun)[Symbol.asyncIterator]()
    const first = output.next()
    await clock.advance(60_000)
    answer(finished)
    expect((await first).value).to.equal(finished)
    await output.return?.()
    expect(isOver).to.equal(true)
  })
})
