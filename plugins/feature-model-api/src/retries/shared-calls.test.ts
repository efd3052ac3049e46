import type { InferenceEvent } from '@agent-service/sdk/services/inference'
import { createTestClock } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { answerOverdueError } from './errors.js'
import type { RequestIdentity } from './request-identity.js'
import { createSharedCalls } from './shared-calls.js'

const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
const finished = (text: string): InferenceEvent => ({
  type: 'response.finished',
  content: [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text },
    { type: 'tool_call', call_id: 'c', provider_call_id: 'c', name: 'weather', arguments: { place: 'Oslo' } },
  ],
  stop_reason: 'tool_calls',
  usage,
})
const first: RequestIdentity = { id: 'a', digest: 'd', isRetry: false, isChosen: false }
const retry: RequestIdentity = { ...first, isRetry: true }

describe('a call and its retries', () => {
  const clock = createTestClock()
  const setUp = () => {
    const shared = createSharedCalls({ clock })
    const started: AbortSignal[] = []
    let release: (end: InferenceEvent | Error) => void = () => undefined
    const end = new Promise<InferenceEvent | Error>((resolve) => {
      release = resolve
    })
    const open = (identity: RequestIdentity | undefined, signal = new AbortController().signal, text?: string) =>
      shared.open(identity, signal, async function* (own) {
        started.push(own)
        yield { type: 'text.delta', part: 0, text: 'Be' }
        const last = text === undefined ? await Promise.race([end, aborted(own)]) : finished(text)
        if (last instanceof Error) throw last
        yield last
      })
    return { shared, started, open, release }
  }
  const aborted = (signal: AbortSignal): Promise<Error> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason as Error), { once: true }))
  const read = async (events: AsyncIterable<InferenceEvent>): Promise<readonly InferenceEvent[]> => {
    const seen: InferenceEvent[] = []
    for await (const event of events) {
      seen.push(event)
      if (event.type === 'response.finished') break
    }
    return seen
  }
  const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => expect.fail('It was expected to fail.'),
      (error: unknown) => error,
    )

  it('are one inference while it is under way, and for two minutes after its end', async () => {
    const { started, open, release } = setUp()
    const one = read(open(first))
    const two = read(open(retry))
    release(finished('Bergen'))
    expect((await one).map(({ type }) => type)).to.deep.equal(['text.delta', 'response.finished'])
    expect(await two).to.deep.equal([
      { type: 'reasoning.delta', part: 0, text: 'Hm.' },
      { type: 'text.delta', part: 1, text: 'Bergen' },
      { type: 'tool_call.started', part: 2, provider_call_id: 'c', name: 'weather' },
      { type: 'tool_call.delta', part: 2, arguments_text: '{"place":"Oslo"}' },
      finished('Bergen'),
    ])
    await clock.advance(119_000)
    expect((await read(open(retry))).at(-1)).to.deep.equal(finished('Bergen'))
    expect(started).to.have.length(1)
    await clock.advance(2_000)
    expect((await read(open(retry, undefined, 'Again'))).at(-1)).to.deep.equal(finished('Again'))
    expect(started).to.have.length(2)
  })

  it('are different inferences without an identity, for another one, and for the same request anew', async () => {
    const { started, open } = setUp()
    for (const identity of [first, first, undefined, undefined, { ...retry, id: 'b' }]) await read(open(identity, undefined, 'x'))
    expect(started).to.have.length(5)
  })

  it('fail together, and the next retry begins anew', async () => {
    const { started, open, release } = setUp()
    const [one, two] = [failureOf(read(open(first))), failureOf(read(open(retry)))]
    const error = new Error('It broke.')
    release(error)
    expect(await Promise.all([one, two])).to.deep.equal([error, error])
    await read(open(retry, undefined, 'x'))
    expect(started).to.have.length(2)
  })

  it('end when the last of them leaves, and go on for a retry when the first one leaves', async () => {
    const { started, open, release } = setUp()
    const [one, two] = [new AbortController(), new AbortController()]
    const iterator = open(first, one.signal)[Symbol.asyncIterator]()
    await iterator.next()
    const waiting = read(open(retry, two.signal))
    one.abort(new Error('gone'))
    await iterator.return?.()
    expect(started[0]?.aborted).to.equal(false)
    release(finished('Bergen'))
    expect((await waiting).at(-1)).to.deep.equal(finished('Bergen'))
    const alone = new AbortController()
    const left = failureOf(read(open({ ...first, id: 'c' }, alone.signal, undefined)))
    alone.abort(new Error('gone'))
    release(finished('x'))
    await left.catch(() => undefined)
    expect(started[1]?.aborted).to.equal(true)
  })

  it('are given up together when the time of the first is over', async () => {
    const { started, open } = setUp()
    const over = new AbortController()
    const one = failureOf(read(open(first, over.signal)))
    const two = failureOf(read(open(retry)))
    await clock.advance(0)
    over.abort(answerOverdueError.create({ seconds: 240, reason: 'Busy.' }))
    expect(await one).to.include({ code: 'answer_overdue' })
    expect(await two).to.include({ code: 'answer_overdue' })
    expect(started[0]?.aborted).to.equal(true)
  })

  it('are refused if a chosen key has another body', async () => {
    const { open } = setUp()
    const chosen = { ...retry, isChosen: true }
    await read(open(chosen, undefined, 'x'))
    expect(() => open({ ...chosen, digest: 'other' })).to.throw('This Idempotency-Key was already used for another request')
  })

  it('take bounded memory: long answers and the oldest ones are not kept', async () => {
    const { started, open, shared } = setUp()
    await read(open(first, undefined, 'x'.repeat(1_000_001)))
    await read(open(retry, undefined, 'y'))
    expect(started).to.have.length(2)
    for (let index = 0; index < 1_000; index += 1) await read(open({ ...first, id: `n${index}` }, undefined, 'z'))
    await read(open(retry, undefined, 'y'))
    expect(started, 'the oldest is forgotten').to.have.length(1_003)
    for (let index = 0; index < 9; index += 1) await read(open({ ...first, id: `m${index}` }, undefined, 'z'.repeat(900_000)))
    await read(open({ ...retry, id: 'm0' }, undefined, 'z'))
    expect(started, 'more than 8 million characters are not kept').to.have.length(1_013)
    shared.clear()
    await read(open({ ...retry, id: 'm8' }, undefined, 'z'))
    expect(started).to.have.length(1_014)
  })
})
