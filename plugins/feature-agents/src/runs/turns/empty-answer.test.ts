import type { StopReason } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { expect } from 'chai'
import { nonEmptyAnswer } from './empty-answer.js'

const usage = { input_tokens: 10, cached_input_tokens: 1, output_tokens: 2, reasoning_tokens: 1 }
const answer = (text: string, stop_reason: StopReason = 'stop'): readonly InferenceEvent[] => [
  { type: 'attempt.started', attempt: 3, provider: 'fake', model: 'm', fallback: 0 },
  { type: 'response.started' },
  ...(text === '' ? [] : [{ type: 'text.delta' as const, part: 0, text }]),
  { type: 'response.finished', content: text === '' ? [] : [{ type: 'text', text }], stop_reason, usage },
]

/** What came of the answers, given one after the other, and how it ended. */
async function outcomeOf(answers: readonly (readonly InferenceEvent[])[], { mayRetract = true } = {}) {
  let asked = 0
  const ask = async function* (): AsyncGenerator<InferenceEvent, void, undefined> {
    yield* answers[asked++] ?? expect.fail('asked too often')
  }
  const events: InferenceEvent[] = []
  let code: unknown
  try {
    for await (const event of nonEmptyAnswer(ask, { mayRetract })) events.push(event)
  } catch (error) {
    code = (error as { readonly code: unknown }).code
  }
  return { asked, code, events }
}

describe('an answer that says nothing', () => {
  it('is asked for once more, and both calls count', async () => {
    const { asked, code, events } = await outcomeOf([answer(' \n'), answer('Noon.')])
    expect([asked, code]).to.deep.equal([2, undefined])
    expect(events.filter(({ type }) => type === 'attempt.retrying')).to.deep.equal([
      { type: 'attempt.retrying', attempt: 3, delay_ms: 0, failure: 'answer_empty', reason: 'The model returned an empty answer.' },
    ])
    expect(events.filter(({ type }) => type === 'response.finished')).to.have.length(1)
    expect(events.at(-1)).to.deep.include({
      usage: { input_tokens: 20, cached_input_tokens: 2, output_tokens: 4, reasoning_tokens: 2 },
    })
  })

  it('is a failure the second time, with the reason of the second answer', async () => {
    expect(await outcomeOf([answer(''), answer('')])).to.include({ asked: 2, code: 'answer_empty' })
    expect(await outcomeOf([answer(''), answer('', 'length')])).to.include({ asked: 2, code: 'answer_cut' })
    for (const stop of ['tool_calls', 'other'] as const)
      expect(await outcomeOf([answer('', stop), answer('', stop)])).to.include({ asked: 2, code: 'answer_empty' })
  })

  it('is not asked for again where that cannot help', async () => {
    expect(await outcomeOf([answer('', 'length')])).to.include({ asked: 1, code: 'answer_cut' })
    for (const stop of ['content_filter', 'refusal'] as const)
      expect(await outcomeOf([answer('', stop)])).to.include({ asked: 1, code: 'answer_withheld' })
  })

  it('is not asked for again if something was shown that cannot be retracted', async () => {
    expect(await outcomeOf([answer(' ')], { mayRetract: false })).to.include({ asked: 1, code: 'answer_empty' })
    expect(await outcomeOf([answer(''), answer('Noon.')], { mayRetract: false })).to.include({ asked: 2, code: undefined })
  })
})
