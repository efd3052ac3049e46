import { createControlledClock } from '@agent-service/kernel/testing'
import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { expect } from 'chai'
import { type AnswerMask, createAnswerMask } from '../../points/hooks/answer-mask.js'
import { queuedRun } from '../../test-support/queued-run.js'
import { createRecordedEvents } from '../../test-support/recorded-events.js'
import type { RunLog } from '../log/run-log.js'
import type { TransitionEvent } from '../log/transition.js'
import type { RunSession } from '../session/run-session.js'
import { createDeltaThrottle } from '../streaming/delta-throttle.js'
import { createLiveMessage } from '../streaming/live-message.js'
import { readModelStream } from './model-stream.js'

const run = queuedRun('0190a000-0000-7000-8000-000000000000', 'u', { chat_id: 'c', agent_id: 'a', status: 'running', step_count: 2 })
const finished = (content: Extract<InferenceEvent, { type: 'response.finished' }>['content']): InferenceEvent => ({
  type: 'response.finished',
  content,
  stop_reason: 'stop',
  usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
})

const listen = async (given: readonly InferenceEvent[], turn = 0, mask?: AnswerMask, isNews = async () => true) => {
  const told: TransitionEvent[] = []
  const log: RunLog = {
    append: async (current, transition) => {
      const changed = { ...current, ...transition.run?.('2026-01-01T00:00:00.000Z', current) }
      told.push(...(transition.events?.(changed) ?? []))
      return changed
    },
    begin: async (_transaction, current) => current,
    current: async (stored) => stored,
    read: async () => [],
  }
  const throttle = createDeltaThrottle(createControlledClock())
  const live = createLiveMessage({
    ids: { messageId: 'm', chatId: 'c', runId: run.id, userId: 'u' },
    events: createRecordedEvents(),
    throttle,
    callId: String,
  })
  const session: Pick<RunSession, 'run' | 'steps' | 'signal'> = { run, steps: [], signal: new AbortController().signal }
  const stream = (async function* () {
    yield* given
  })()
  const answer = await readModelStream({ session: session as RunSession, log, live, turn, stream, mask, isNews }).catch(
    (error: unknown) => error,
  )
  return { told, live, answer, run: session.run }
}

describe('following an inference', () => {
  it('voids the text that an attempt had shown, and nothing if it had shown none', async () => {
    const retrying: InferenceEvent = { type: 'attempt.retrying', attempt: 1, delay_ms: 5, failure: 'transport', reason: 'Reset.' }
    const { told, live } = await listen([
      retrying,
      { type: 'text.delta', part: 0, text: 'old' },
      retrying,
      { type: 'text.delta', part: 0, text: 'new' },
      finished([{ type: 'text', text: 'new' }]),
    ])
    expect(told.map(({ name, data }) => [name, data['void']])).to.deep.equal([
      ['run.retrying', undefined],
      ['run.retrying', { message_id: 'm', part: 0, offset: 0 }],
    ])
    expect(live.content()).to.deep.equal([{ type: 'text', text: 'new' }])
  })

  it('streams and returns what hooks mask, with what they held back, and without data about the text as it was', async () => {
    const place = { userId: 'u', agentId: 'a', chatId: 'c', runId: 'r', turn: 3 }
    const asked: string[] = []
    const hooks: Parameters<typeof createAnswerMask>[0] = {
      answerMasks: () => ['one'],
      maskAnswer: async ({ kind, attempt, part, texts }, _signal, declined) => {
        asked.push(`${kind} ${attempt} ${part}`)
        if (part === 1) declined.add('one')
        return texts.map((text) => (kind === 'piece' ? text.replace('sec', '') : text.replace('secret', '***')))
      },
    }
    const opaque = { vendor: 'v', data: 'signed' }
    const content = [
      { type: 'text', text: 'a secret', opaque } as const,
      { type: 'reasoning', text: 'plain', opaque } as const,
      { type: 'reasoning', text: '' } as const,
    ]
    const given: readonly InferenceEvent[] = [
      { type: 'text.delta', part: 0, text: 'old' },
      { type: 'attempt.retrying', attempt: 1, delay_ms: 5, failure: 'transport', reason: 'Reset.' },
      { type: 'text.delta', part: 0, text: 'a sec' },
      { type: 'reasoning.delta', part: 1, text: 'pla' },
      { type: 'reasoning.delta', part: 1, text: 'in' },
      finished(content),
    ]
    const { live, answer } = await listen(given, 3, createAnswerMask(hooks, place, new AbortController().signal))
    expect(asked).to.deep.equal(['piece 0 0', 'piece 1 0', 'piece 1 1', 'whole 1 0'])
    expect(live.content()).to.deep.equal([
      { type: 'text', text: 'a ***' },
      { type: 'reasoning', text: 'plain' },
    ])
    expect(answer).to.have.deep.property('content', [{ type: 'text', text: 'a ***' }, content[1], content[2]])
  })

  it('reports what the vendor refused, and stores it with the answer', async () => {
    const reduced = { provider: 'work', model: 'one', left_out: 'parts', count: 2, reason: 'Too many pixels.' } as const
    const { told, answer } = await listen([{ type: 'request.reduced', ...reduced }, finished([{ type: 'text', text: 'Hi' }])])
    expect(told).to.deep.equal([{ name: 'run.reduced', data: reduced }])
    expect(answer).to.have.deep.property('leftOut', [{ what: 'parts', count: 2, reason: 'Too many pixels.' }])
  })

  it('ends with the failure of an empty answer if the mask leaves nothing of it', async () => {
    const mask: AnswerMask = { piece: async () => '', whole: async () => [{ type: 'text', text: '' }], restart: () => undefined }
    const { answer } = await listen([finished([{ type: 'text', text: 'secret' }])], 0, mask)
    expect(answer).to.include({ code: 'answer_empty' })
  })

  it('reports once that the model takes no tools, and stores it with each answer', async () => {
    const reduced = { provider: 'work', model: 'one', left_out: 'tools', count: 3, reason: 'No tools here.' } as const
    const event: InferenceEvent = { type: 'request.reduced', ...reduced }
    const given = [event, event, finished([{ type: 'text', text: 'Hi' }])]
    const first = await listen(given)
    expect(first.told).to.deep.equal([{ name: 'run.reduced', data: reduced }])
    const later = await listen(given, 0, undefined, async () => false)
    expect(later.told).to.deep.equal([])
    for (const { answer } of [first, later])
      expect(answer).to.have.deep.property('leftOut', [{ what: 'tools', count: 3, reason: 'No tools here.' }])
  })

  it('stores nothing of what a model refused that another one answers for', async () => {
    const { answer } = await listen([
      { type: 'request.reduced', provider: 'work', model: 'one', left_out: 'tools', count: 3, reason: 'No tools here.' },
      {
        type: 'attempt.fallback',
        ...{
          attempt: 1,
          provider: 'work',
          model: 'one',
          next: { provider: 'spare', model: 'two' },
          failure: 'overloaded',
          reason: 'Busy.',
        },
      },
      finished([{ type: 'text', text: 'Hi' }]),
    ])
    expect(answer).to.not.have.property('leftOut')
  })

  it('keeps with the run which attempt comes next, of how many, and when, until another model is asked', async () => {
    const retrying: InferenceEvent = {
      ...{ type: 'attempt.retrying', attempt: 2, max_attempts: 5, delay_ms: 1_500 },
      ...{ failure: 'overloaded', reason: 'Busy.' },
    }
    const waiting = await listen([retrying])
    const retry = { max_attempts: 5, failure: 'overloaded', reason: 'Busy.', delay_ms: 1_500, next_at: '2026-01-01T00:00:01.500Z' }
    expect(waiting.run.retry).to.deep.equal({ attempt: 3, ...retry })
    expect(waiting.told).to.deep.equal([{ name: 'run.retrying', data: { attempt: 2, ...retry } }])
    const next = { provider: 'spare', model: 'two' }
    const given = { attempt: 5, provider: 'work', model: 'one', failure: 'overloaded', reason: 'Busy.' }
    expect((await listen([retrying, { type: 'attempt.fallback', ...given, next }])).run.retry).to.equal(null)
  })

  it('voids the text of a failed model, and reports which one answers now', async () => {
    const fallback: InferenceEvent = {
      type: 'attempt.fallback',
      attempt: 1,
      provider: 'work',
      model: 'one',
      next: { provider: 'spare', model: 'two' },
      failure: 'timeout',
      reason: 'Nothing came.',
    }
    const { told, live } = await listen([
      { type: 'text.delta', part: 0, text: 'old and long' },
      fallback,
      { type: 'attempt.delayed', delay_ms: 5, provider: 'spare', model: 'two' },
      { type: 'text.delta', part: 0, text: 'new' },
      finished([{ type: 'text', text: 'new' }]),
    ])
    expect(told).to.deep.equal([
      {
        name: 'run.fallback',
        data: {
          reason: 'model_failed',
          failure: 'timeout',
          detail: 'Nothing came.',
          wanted: 'work/one',
          used: 'spare/two',
          void: { message_id: 'm', part: 0, offset: 0 },
        },
      },
      {
        name: 'run.retrying',
        data: {
          delay_ms: 5,
          next_at: '2026-01-01T00:00:00.005Z',
          failure: 'rate_limited',
          reason: 'The vendor reported that its limit is used up for now.',
        },
      },
    ])
    expect(live.content()).to.deep.equal([{ type: 'text', text: 'new' }])
  })

  it('gives an answer what it says of the model that answered in place of another', async () => {
    const fallback = { reason: 'model_failed', wanted: 'work/one', used: 'spare/two', failure: 'timeout', detail: 'Nothing came.' } as const
    const answered = finished([{ type: 'text', text: 'new' }])
    expect((await listen([{ ...answered, fallback } as InferenceEvent])).answer).to.have.deep.property('fallback', fallback)
    expect((await listen([answered])).answer).to.not.have.property('fallback')
  })

  it('reports once that a model group was replaced', async () => {
    const replaced: InferenceEvent = { type: 'group.substituted', wanted: 'fast', used: 'primary' }
    const { told } = await listen([replaced, finished([])])
    expect(told).to.deep.equal([{ name: 'run.fallback', data: { reason: 'model_group_unknown', wanted: 'fast', used: 'primary' } }])
    expect((await listen([replaced, finished([])], 1)).told).to.deep.equal([])
  })

  it('gives calls ids of the service that are the same the second time', async () => {
    const call = { type: 'tool_call' as const, call_id: 'vendor', name: 'look', arguments: { a: '\ud83d' } }
    const [one, two] = [await listen([finished([call])]), await listen([finished([call])])]
    expect(one.answer).to.deep.equal(two.answer)
    const [part] = (one.answer as { readonly content: readonly Record<string, unknown>[] }).content
    expect(part).to.deep.include({ provider_call_id: 'vendor', arguments: { a: '\ufffd' } })
    expect(part?.['call_id']).to.match(/^[0-9a-f-]{36}$/)
  })

  it('refuses an answer that breaks off, grows too long or asks for too many calls', async () => {
    expect((await listen([{ type: 'text.delta', part: 0, text: 'half' }])).answer).to.include({ code: 'answer_broken' })
    expect((await listen([{ type: 'text.delta', part: 0, text: 'x'.repeat(1_300_001) }])).answer).to.include({ code: 'answer_too_long' })
    expect((await listen([finished([{ type: 'text', text: 'ü'.repeat(4_000_000) }])])).answer).to.include({ code: 'answer_too_long' })
    const call = { type: 'tool_call' as const, call_id: 'v', name: 'look', arguments: {} }
    expect((await listen([finished(Array.from({ length: 129 }, () => call))])).answer).to.include({ code: 'answer_too_long' })
  })
})
