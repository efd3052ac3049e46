import { inspect } from 'node:util'
import type { JsonObject } from '@agent-service/sdk'
import type { ModelConnection, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { bytesOf, outcomeOf, type Replay, type ReplayServer, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter, messagesRequest } from './test-support/adapter.js'
import { message, wireError } from './test-support/wire.js'

const json = (value: JsonObject, status = 200, headers: Readonly<Record<string, string>> = {}): Replay => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  pieces: [bytesOf(JSON.stringify(value))],
})

describe('the address and the credentials of a messages request', () => {
  const adapter = createTestAdapter()
  let answer: (body: string) => Replay
  let server: ReplayServer
  beforeEach(async () => {
    answer = () => json(message([{ type: 'text', text: 'Hi' }], 'end_turn'))
    server = await startReplayServer(({ body }) => answer(body))
  })
  afterEach(() => server.close())

  const call = (connection: Partial<ModelConnection>, changes: Partial<ModelRequest> = {}) => {
    const request = messagesRequest(server.baseUrl, changes)
    return outcomeOf(adapter, { ...request, connection: { ...request.connection, ...connection } })
  }

  it('is one address, with or without the version part or a slash in base_url', async () => {
    const root = server.baseUrl.replace(/\/v1$/, '')
    for (const baseUrl of [root, `${root}/`, `${root}/v1`, `${root}/v1/`]) await call({ baseUrl })
    await call({ baseUrl: `${root}/coding` })
    expect(server.seen.map(({ url }) => url)).to.deep.equal([...Array.from({ length: 4 }, () => '/v1/messages'), '/coding/v1/messages'])
  })

  it('sends the key in the vendor’s header, and the version of the protocol', async () => {
    await call({ apiKey: 'sk-ant-api03-abc' })
    expect(server.seen[0]?.headers).to.include({ 'x-api-key': 'sk-ant-api03-abc', 'anthropic-version': '2023-06-01' })
    expect(server.seen[0]?.headers).to.not.have.any.keys('authorization', 'anthropic-beta')
  })

  it('sends tokens of signed-in people, and keys of some brands, as a bearer', async () => {
    await call({ apiKey: 'sk-ant-oat01-abc', quirks: { headers: { 'Anthropic-Beta': 'fine-2025' } } })
    await call({ apiKey: 'key-1', quirks: { auth: 'bearer' } })
    await call({ apiKey: 'Bearer key-2' })
    await call({ apiKey: 'key-3', quirks: { auth: 'none' } })
    expect(server.seen.map(({ headers }) => headers['authorization'])).to.deep.equal([
      'Bearer sk-ant-oat01-abc',
      'Bearer key-1',
      'Bearer key-2',
      undefined,
    ])
    expect(server.seen[0]?.headers['anthropic-beta']).to.equal('fine-2025,oauth-2025-04-20')
    for (const { headers } of server.seen) expect(headers).to.not.have.property('x-api-key')
  })

  it('keeps the key out of errors, even if the vendor repeats it', async () => {
    const apiKey = 'odd-key-that-must-not-be-seen'
    answer = () => json(wireError('authentication_error', `invalid x-api-key: ${apiKey}`), 401, { 'request-id': 'req_1' })
    const { error } = await call({ apiKey })
    expect(error?.details).to.include({
      failure: 'authentication',
      retryable: false,
      providerCode: 'authentication_error',
      providerRequestId: 'req_1',
    })
    expect(inspect(error, { depth: 10, showHidden: true })).to.not.contain(apiKey)
  })

  it('retries with temperature alone when a model refuses it together with top_p, and remembers that', async () => {
    answer = (body) =>
      body.includes('top_p')
        ? json(
            wireError('invalid_request_error', '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'),
            400,
          )
        : json(message([{ type: 'text', text: 'Hi' }], 'end_turn'))
    const settings = { temperature: 0.5, top_p: 0.9 }
    expect((await call({}, { settings })).text).to.equal('Hi')
    expect((await call({}, { settings })).text).to.equal('Hi')
    expect(server.seen.map(({ body }) => body.includes('top_p'))).to.deep.equal([true, false, false])
    expect((await call({}, { settings: { top_p: 0.9 } })).error?.details['failure']).to.equal('bad_request')
  })

  const refusals: readonly (readonly [string, Replay, JsonObject])[] = [
    [
      'a prompt that is too long',
      json(wireError('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'), 400),
      { failure: 'context_overflow', retryable: false },
    ],
    [
      'a prompt that leaves no room for the answer',
      json(wireError('invalid_request_error', 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'), 400),
      { failure: 'context_overflow', retryable: false },
    ],
    [
      'a body that is too large',
      json(wireError('request_too_large', 'Request exceeds the maximum size'), 413),
      { failure: 'context_overflow', retryable: false },
    ],
    [
      'no money',
      json(wireError('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'), 400),
      { failure: 'quota_exceeded', retryable: false },
    ],
    ['no money, by its status', json(wireError('billing_error', 'Pay first'), 402), { failure: 'quota_exceeded', retryable: false }],
    [
      'a spending limit',
      json(
        wireError('invalid_request_error', 'You have reached your specified API usage limits. You will regain access on 2026-01-01.'),
        400,
      ),
      { failure: 'quota_exceeded', retryable: false },
    ],
    [
      'a rate limit',
      json(wireError('rate_limit_error', 'This request would exceed your rate limit of 50,000 input tokens per minute'), 429, {
        'retry-after': '12',
      }),
      { failure: 'rate_limited', retryable: true, retryAfterMs: 12_000 },
    ],
    [
      'an overload that a retry does not fix',
      json(wireError('overloaded_error', 'Overloaded'), 529, { 'x-should-retry': 'false' }),
      { failure: 'overloaded', retryable: false },
    ],
    ['an unknown model', json(wireError('not_found_error', 'model: claude-x'), 404), { failure: 'model_not_found', retryable: false }],
    [
      'a filter',
      json(wireError('invalid_request_error', 'Output blocked by content filtering policy'), 400),
      { failure: 'content_filtered', retryable: false },
    ],
    [
      'a missing permission',
      json(wireError('permission_error', 'Your API key does not have permission'), 403),
      { failure: 'authentication', retryable: false },
    ],
    [
      'changed thinking',
      json(
        wireError('invalid_request_error', 'messages.1.content.0: `thinking` blocks in the latest assistant message cannot be modified'),
        400,
      ),
      { failure: 'bad_request', retryable: false },
    ],
  ]
  for (const [what, replay, details] of refusals) {
    it(`tells ${what}`, async () => {
      answer = () => replay
      const { error, events } = await call({})
      expect(events).to.deep.equal([])
      expect(error?.details).to.include(details)
      expect(server.seen).to.have.length(1)
    })
  }

  it('reads the vendor’s rate limits from the headers', async () => {
    const reset = new Date(Date.now() + 30_000).toISOString()
    answer = () =>
      json(message([], 'end_turn'), 200, {
        'anthropic-ratelimit-requests-limit': '50',
        'anthropic-ratelimit-requests-remaining': '49',
        'anthropic-ratelimit-input-tokens-remaining': '1000',
        'anthropic-ratelimit-input-tokens-reset': reset,
      })
    const { events } = await call({})
    const limits = events[0]?.type === 'response.started' ? (events[0].rate_limits ?? []) : []
    expect(limits[0]).to.deep.equal({ unit: 'requests', limit: 50, remaining: 49 })
    expect(limits[1]).to.include({ unit: 'input_tokens', remaining: 1_000 })
    expect(limits[1]?.reset_ms).to.be.within(20_000, 30_000)
  })
})
