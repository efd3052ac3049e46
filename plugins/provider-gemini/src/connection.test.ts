import { inspect } from 'node:util'
import type { JsonObject } from '@agent-service/sdk'
import type { ModelConnection, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { bytesOf, outcomeOf, type Replay, type ReplayServer, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter, geminiRequest } from './test-support/adapter.js'
import { chunk, quotaFailure, wireError } from './test-support/wire.js'

const json = (value: unknown, status = 200): Replay => ({
  status,
  headers: { 'content-type': 'application/json' },
  pieces: [bytesOf(JSON.stringify(value))],
})
const retryInfo = (retryDelay: string): JsonObject => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay })

describe('the address and the credentials of a generate-content request', () => {
  const adapter = createTestAdapter()
  let answer: (body: string) => Replay
  let server: ReplayServer
  beforeEach(async () => {
    answer = () => json(chunk([{ text: 'Hi' }], { finishReason: 'STOP' }))
    server = await startReplayServer(({ body }) => answer(body))
  })
  afterEach(() => server.close())

  const call = (connection: Partial<ModelConnection>, changes: Partial<ModelRequest> = {}) => {
    const request = geminiRequest(server.baseUrl, changes)
    return outcomeOf(adapter, { ...request, connection: { ...request.connection, ...connection } })
  }
  const urls = (): readonly string[] => server.seen.map(({ url }) => url)

  it('is one address, with or without the version part or a slash in base_url', async () => {
    const root = server.baseUrl.replace(/\/v1$/, '')
    for (const base of ['', '/', '/v1beta', '/v1beta/', '/v1', '/v1alpha', '/v1/projects/p/locations/l/publishers/google'])
      await call({ baseUrl: `${root}${base}` }, { stream: false })
    const path = '/models/gemini-3-pro:generateContent'
    expect(urls()).to.deep.equal([
      ...Array.from({ length: 4 }, () => `/v1beta${path}`),
      `/v1${path}`,
      `/v1alpha${path}`,
      `/v1/projects/p/locations/l/publishers/google${path}`,
    ])
  })

  it('names the model once, with its collection, and cannot be redirected by the name', async () => {
    for (const model of ['models/gemini-3-pro', 'tunedModels/mine', 'a b/../c?x']) await call({}, { model, stream: false })
    expect(urls()).to.deep.equal([
      '/v1/models/gemini-3-pro:generateContent',
      '/v1/tunedModels/mine:generateContent',
      '/v1/models/a%20b%2F..%2Fc%3Fx:generateContent',
    ])
  })

  it('requests a stream by its address, which never contains the key', async () => {
    await call({ apiKey: 'AIza-abc' })
    expect(urls()).to.deep.equal(['/v1/models/gemini-3-pro:streamGenerateContent?alt=sse'])
    expect(server.seen[0]?.headers).to.include({ 'x-goog-api-key': 'AIza-abc' }).and.not.have.property('authorization')
  })

  it('sends cloud tokens, and keys of some brands, as a bearer', async () => {
    await call({ apiKey: 'ya29.abc' })
    await call({ apiKey: 'key-1', quirks: { auth: 'bearer', headers: { 'x-goog-user-project': 'p' } } })
    await call({ apiKey: 'Bearer key-2' })
    await call({ apiKey: 'key-3', quirks: { auth: 'none' } })
    expect(server.seen.map(({ headers }) => headers['authorization'])).to.deep.equal([
      'Bearer ya29.abc',
      'Bearer key-1',
      'Bearer key-2',
      undefined,
    ])
    expect(server.seen[1]?.headers['x-goog-user-project']).to.equal('p')
    for (const { headers } of server.seen) expect(headers).to.not.have.property('x-goog-api-key')
  })

  it('keeps the key out of errors, even if the vendor repeats it', async () => {
    const apiKey = 'odd-key-that-must-not-be-seen'
    answer = () => json(wireError(403, 'PERMISSION_DENIED', `Bad key ${apiKey} at https://x.example/?key=${apiKey}`), 403)
    const { error } = await call({ apiKey })
    expect(error?.details).to.include({ failure: 'authentication', retryable: false })
    expect(inspect(error, { depth: 10, showHidden: true })).to.not.contain(apiKey)
  })

  it('retries with the older schema form if an endpoint does not support JSON Schema, and remembers that', async () => {
    answer = (body) =>
      body.includes('parametersJsonSchema')
        ? json(
            wireError(
              400,
              'INVALID_ARGUMENT',
              'Invalid JSON payload received. Unknown name "parametersJsonSchema" at \'tools[0].function_declarations[0]\': Cannot find field.',
            ),
            400,
          )
        : json(chunk([{ text: 'Hi' }], { finishReason: 'STOP' }))
    const tools = [{ name: 'a', description: 'A.', parameters: { type: 'object', properties: { x: { type: 'string' } } } }]
    expect((await call({}, { tools })).text).to.equal('Hi')
    expect((await call({}, { tools })).text).to.equal('Hi')
    expect(server.seen.map(({ body }) => body.includes('parametersJsonSchema'))).to.deep.equal([true, false, false])
    expect(server.seen[2]?.body).to.contain('"parameters":{"type":"OBJECT","properties":{"x":{"type":"STRING"}}}')
  })

  const quota = 'You exceeded your current quota, please check your plan and billing details.'
  const refusals: readonly (readonly [string, Replay, JsonObject])[] = [
    [
      'a limit of the minute and its delay',
      json(
        wireError(429, 'RESOURCE_EXHAUSTED', quota, [quotaFailure('GenerateRequestsPerMinutePerProjectPerModel'), retryInfo('34.4s')]),
        429,
      ),
      { failure: 'rate_limited', retryable: true, retryAfterMs: 34_400 },
    ],
    [
      'a limit without details',
      json(wireError(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'), 429),
      { failure: 'rate_limited', retryable: true },
    ],
    [
      'a daily limit, which is not waited for',
      json(
        wireError(429, 'RESOURCE_EXHAUSTED', quota, [quotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), retryInfo('20s')]),
        429,
      ),
      { failure: 'quota_exceeded', retryable: false },
    ],
    [
      'a model that is not in the plan',
      json(wireError(429, 'RESOURCE_EXHAUSTED', `${quota} limit: 0, model: gemini-3-pro`), 429),
      { failure: 'quota_exceeded', retryable: false },
    ],
    [
      'no money',
      json(wireError(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'), 429),
      { failure: 'quota_exceeded', retryable: false },
    ],
    [
      'a bad key',
      json(
        wireError(400, 'INVALID_ARGUMENT', 'No', [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]),
        400,
      ),
      { failure: 'authentication', retryable: false },
    ],
    [
      'a prompt that is too long',
      json(
        wireError(400, 'INVALID_ARGUMENT', 'The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).'),
        400,
      ),
      { failure: 'context_overflow', retryable: false },
    ],
    [
      'an unknown model',
      json(wireError(404, 'NOT_FOUND', 'models/x is not found for API version v1beta'), 404),
      { failure: 'model_not_found', retryable: false },
    ],
    [
      'an overload, in a list',
      json([wireError(503, 'UNAVAILABLE', 'Overloaded')], 503),
      { failure: 'overloaded', retryable: true, reason: 'Overloaded' },
    ],
    [
      'a location that is not served',
      json(wireError(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'), 400),
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
})
