import type { JsonObject } from '@agent-service/sdk'
import {
  bytesOf,
  type CallOutcome,
  outcomeOf,
  type Replay,
  type ReplayServer,
  requestTo,
  startReplayServer,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'
import { delta, done, json, streamOf } from './test-support/wire.js'

describe('answers of providers behind the router', () => {
  const adapter = createTestAdapter()
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const outcome = (deltas: readonly JsonObject[], finish = 'stop'): Promise<CallOutcome> => {
    replay = { pieces: streamOf(deltas, finish) }
    return outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'huggingface' }))
  }

  for (const field of ['reasoning', 'reasoning_content']) {
    it(`reasoning in ${field} is reasoning`, async () => {
      const { finished } = await outcome([{ [field]: 'Let me ' }, { [field]: 'think.' }, { content: 'Yes' }])
      expect(finished?.content).to.deep.equal([
        { type: 'reasoning', text: 'Let me think.' },
        { type: 'text', text: 'Yes' },
      ])
    })
  }

  it('reasoning between tags at the beginning of the text is reasoning, also when a limit ends it', async () => {
    const { finished } = await outcome([{ content: '<think>' }, { content: '\nHm </th' }], 'length')
    expect(finished?.content).to.deep.equal([{ type: 'reasoning', text: 'Hm </th' }])
    expect(finished?.stop_reason).to.equal('length')
  })

  it('a text that only looks like the beginning of a tag is text', async () => {
    const { finished, text } = await outcome([{ content: '<th' }])
    expect(finished?.content).to.deep.equal([{ type: 'text', text: '<th' }])
    expect(text).to.equal('<th')
  })

  it('a limit inside the arguments leaves no call', async () => {
    const { finished } = await outcome(
      [{ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '{"x": "ha' } }] }],
      'length',
    )
    expect(finished?.content).to.deep.equal([])
  })

  it('usage that never comes is estimated', async () => {
    replay = { pieces: [delta({ content: 'Hello there' }), delta({}, 'eos_token'), done] }
    const { finished } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'huggingface' }))
    expect(finished?.usage).to.include({ estimated: true, output_tokens: 3 })
  })

  for (const [raw, reason] of [
    ['stop', 'stop'],
    ['eos_token', 'stop'],
    ['stop_sequence', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'stop'],
  ] as const) {
    it(`an answer without calls that ends with ${raw} has the reason ${reason}`, async () => {
      expect((await outcome([{ content: 'Hi' }], raw)).finished).to.include({ stop_reason: reason, raw_stop_reason: raw })
    })
  }

  const refusals: readonly (readonly [number, JsonObject, string, boolean, number?])[] = [
    [401, { error: 'Invalid username or password.' }, 'authentication', false],
    [402, { error: 'You have exceeded your monthly included credits for Inference Providers.' }, 'quota_exceeded', false],
    [403, { error: { message: 'This authentication method does not have sufficient permissions' } }, 'authentication', false],
    [404, { error: 'Model x/y does not exist' }, 'model_not_found', false],
    [
      400,
      { error: { message: "The requested model 'x/y' is not supported by any provider you have enabled.", code: 'model_not_supported' } },
      'model_not_found',
      false,
    ],
    [
      422,
      { error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 9000', error_type: 'validation' },
      'context_overflow',
      false,
    ],
    [422, { error: 'Input validation error: `temperature` must be strictly positive', error_type: 'validation' }, 'bad_request', false],
    [429, { error: 'Model is overloaded', error_type: 'overloaded' }, 'overloaded', true],
    [429, { error: 'Too many requests' }, 'rate_limited', true],
    [503, { error: 'Model x/y is currently loading', estimated_time: 20 }, 'overloaded', true, 20_000],
    [500, { message: 'Internal error' }, 'overloaded', true],
  ]
  for (const [status, body, failure, retryable, retryAfterMs] of refusals) {
    it(`${status} ${JSON.stringify(body).slice(0, 90)} is ${failure}`, async () => {
      replay = { status, headers: json, pieces: [bytesOf(JSON.stringify(body))] }
      const { error } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'huggingface' }))
      expect(error?.details).to.include({ failure, retryable, httpStatus: status })
      expect(error?.details['retryAfterMs']).to.equal(retryAfterMs)
    })
  }
})
