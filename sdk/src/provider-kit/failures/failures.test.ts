import { expect } from 'chai'
import { classifyFailure } from './classify.js'
import { readErrorText } from './error-body.js'
import { redactKeys } from './to-error.js'

const now = Date.parse('2026-01-01T00:00:00Z')
const classified = (status: number, body: string | object, headers: Readonly<Record<string, string>> = {}) =>
  classifyFailure({
    status,
    headers: new Headers(headers),
    body: readErrorText(typeof body === 'string' ? body : JSON.stringify(body)),
    now,
  })

describe('what a failed answer means', () => {
  const cases: readonly (readonly [string, number, string | object, string, boolean])[] = [
    ['a wrong key', 401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 'authentication', false],
    [
      'a wrong key with status 400',
      400,
      { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***' },
      'authentication',
      false,
    ],
    ['no permission', 403, { error: { message: 'Not allowed' } }, 'authentication', false],
    ['no balance', 402, { error: { message: 'Insufficient Balance' } }, 'quota_exceeded', false],
    [
      'a spent quota behind 429',
      429,
      { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } },
      'quota_exceeded',
      false,
    ],
    [
      'another brand’s spent quota',
      429,
      { error: { message: 'Suspended', type: 'exceeded_current_quota_error' } },
      'quota_exceeded',
      false,
    ],
    ['too many requests', 429, { error: { message: 'Slow down' } }, 'rate_limited', true],
    [
      'tokens per minute behind 413',
      413,
      { error: { message: 'Request too large on tokens per minute (TPM)', code: 'rate_limit_exceeded' } },
      'rate_limited',
      true,
    ],
    ['an overloaded engine behind 429', 429, { error: { message: 'Busy', type: 'engine_overloaded_error' } }, 'overloaded', true],
    ['a proxy at the edge', 522, '<html><head><style>x{}</style></head><body><h1>Timed out</h1></body></html>', 'overloaded', true],
    ['missing capacity', 498, '', 'overloaded', true],
    ['a time-out of the vendor', 408, '', 'overloaded', true],
    ['a long prompt by its code', 400, { error: { message: 'Too long', code: 'context_length_exceeded' } }, 'context_overflow', false],
    [
      'a long prompt by its words',
      400,
      { error: { message: "This model's maximum context length is 8192 tokens" } },
      'context_overflow',
      false,
    ],
    ['a long prompt by its type', 400, { error: { message: 'All', type: 'too_many_prompt_tokens', code: 400 } }, 'context_overflow', false],
    ['a long prompt without a body', 413, '', 'context_overflow', false],
    [
      'an unknown parameter',
      400,
      { error: { message: "Unsupported parameter: 'max_tokens'", code: 'unsupported_parameter' } },
      'bad_request',
      false,
    ],
    ['a validation list', 422, { detail: [{ loc: ['body', 'stream_options'], msg: 'extra fields' }] }, 'bad_request', false],
    ['an unknown model', 404, { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }, 'model_not_found', false],
    ['an unknown path', 404, '404 page not found', 'bad_request', false],
    ['a filter', 400, { error: { message: 'Filtered', code: 'content_filter' } }, 'content_filtered', false],
    [
      'a tool call that the vendor could not read',
      400,
      { error: { message: 'Failed', code: 'tool_use_failed' } },
      'invalid_response',
      true,
    ],
    ['an error in a stream that names a status', 200, { error: { message: 'Provider returned error', code: 502 } }, 'overloaded', true],
    ['a bad request in a stream', 200, { error: { message: 'No', type: 'invalid_request_error' } }, 'bad_request', false],
    ['an unknown error in a stream', 200, { error: { message: 'Oops' } }, 'overloaded', true],
  ]
  for (const [what, status, body, failure, retryable] of cases) {
    it(`${what} is ${failure}${retryable ? ', retryable' : ''}`, () => {
      expect(classified(status, body)).to.include({ failure, retryable })
    })
  }

  const google = (quotaId: string, message = 'You exceeded your current quota, please check your plan and billing details.') => [
    { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details: [{ violations: [{ quotaId }] }] } },
  ]
  const spent: readonly (readonly [string, number, string | object])[] = [
    ['Google, for the day', 429, google('GenerateRequestsPerDayPerProjectPerModel-FreeTier')],
    ['Google, without any', 429, google('GenerateRequestsPerMinutePerProject', 'Quota exceeded, limit: 0')],
    ['OpenAI', 429, { error: { message: 'Billing hard limit has been reached' } }],
    ['Anthropic', 400, { error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' } }],
    ['OpenRouter, of a key', 403, { error: { message: 'Key limit exceeded (total limit).', code: 403 } }],
    ['OpenRouter, of free models', 429, { error: { message: 'Rate limit exceeded: free-models-per-day.', code: 429 } }],
    ['Mistral', 429, { object: 'error', message: 'You have reached your monthly usage limit.' }],
    ['xAI', 429, { error: 'Your team has either used all available credits or reached its monthly spending limit.' }],
    ['xAI, of a new team', 403, { error: 'Your newly created team doesn’t have any credits yet.' }],
    ['Cohere’s trial keys', 429, { message: 'You are using a Trial key, which is limited to 1000 API calls / month.' }],
    ['Fireworks', 412, { error: { message: 'The account is suspended, possibly due to reaching the monthly spending limit.' } }],
    ['Kimi', 403, { error: { message: 'You’ve reached your usage limit for this billing cycle.' } }],
    ['Ollama', 429, { error: 'you’ve reached your weekly usage limit, upgrade to continue' }],
  ]
  for (const [whose, status, body] of spent) {
    it(`a quota or credit that is used up is known by what its vendor says: ${whose}`, () => {
      expect(classified(status, body)).to.include({ failure: 'quota_exceeded', retryable: false })
    })
  }

  const passing: readonly (readonly [string, object])[] = [
    ['Google', google('GenerateRequestsPerMinutePerProjectPerModel-FreeTier')],
    ['Google, of less than one a second', google('GenerateRequestsPerMinutePerProject', 'Quota exceeded, limit: 0.5')],
    ['a gateway, of calls at a time', { error: { message: 'Concurrent usage limit reached, please slow down.' } }],
    ['Cohere’s trial keys', { message: 'You are using a Trial key, which is limited to 20 API calls / minute.' }],
    ['OpenRouter’s free models', { error: { message: 'Rate limit exceeded: free-models-per-min.', code: 429 } }],
    ['a gateway, of free calls', { error: { message: '20 requests per minute without a card. Payment required for more.' } }],
    ['Groq', { error: { message: 'Rate limit reached on tokens per day (TPD). Please try again in 9s.', code: 'rate_limit_exceeded' } }],
  ]
  for (const [whose, body] of passing) {
    it(`a limit that passes soon is no used up quota: ${whose}`, () => {
      expect(classified(429, body)).to.include({ failure: 'rate_limited', retryable: true })
    })
  }

  it('a vendor that names a short wait does not mean money, whatever else it says', () => {
    const said = { error: { message: 'Payment required for a higher limit.' } }
    expect(classified(429, said, { 'retry-after': '20' })).to.include({ failure: 'rate_limited', retryable: true, retryAfterMs: 20_000 })
    expect(classified(429, said), 'no wait').to.include({ failure: 'quota_exceeded', retryable: false })
    expect(classified(429, said, { 'retry-after': '86400' }), 'a day').to.include({ failure: 'quota_exceeded', retryable: false })
    expect(classified(402, said, { 'retry-after': '20' }), 'its status says money').to.include({
      failure: 'quota_exceeded',
      retryable: false,
    })
    const spent = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }
    expect(classified(429, spent, { 'retry-after': '20' }), 'its code says money').to.include({
      failure: 'quota_exceeded',
      retryable: false,
    })
  })

  it('a vendor that says whether to retry is believed', () => {
    expect(classified(400, {}, { 'x-should-retry': 'true' }).retryable).to.equal(true)
    expect(classified(503, {}, { 'x-should-retry': 'false' }).retryable).to.equal(false)
  })

  it('a number that a vendor uses as its own code is no status', () => {
    const own = classified(200, { error: { code: 1302, message: 'Slow down' } })
    expect(own).to.include({ failure: 'overloaded', providerCode: '1302' }).and.to.not.have.property('httpStatus')
    expect(classified(200, { code: 0, message: 'No' }))
      .to.include({ providerCode: '0' })
      .and.to.not.have.property('httpStatus')
    const relayed = classified(200, { error: { code: 429, message: 'Slow down' } })
    expect(relayed).to.include({ failure: 'rate_limited', httpStatus: 429 }).and.to.not.have.property('providerCode')
    expect(classified(200, { error: { code: 1302, message: 'Slow down' }, code: 429 })).to.include({
      httpStatus: 429,
      providerCode: '1302',
    })
    expect(classified(400, { error: { code: 10_007, message: 'No' } })).to.include({ httpStatus: 400, providerCode: '10007' })
  })

  it('the id of the request is kept for the log', () => {
    expect(classified(500, '', { 'x-request-id': 'req_1' }).providerRequestId).to.equal('req_1')
  })
})

describe('the words of an error body', () => {
  const bodies: readonly (readonly [unknown, string])[] = [
    [{ error: { message: 'One' } }, 'One'],
    [{ error: 'Two', code: 'x' }, 'Two'],
    [{ message: 'Three', request_id: 'r' }, 'Three'],
    [{ object: 'error', message: { detail: [{ msg: 'Four' }] } }, '{"detail":[{"msg":"Four"}]}'],
    [{ detail: 'Five' }, 'Five'],
    [{ detail: [{ loc: ['body', 'model'], msg: 'Six' }] }, 'body.model: Six'],
    [{ errors: [{ message: 'Seven' }] }, 'Seven'],
    [[{ error: { message: 'Eight' } }], 'Eight'],
    [{ error: { message: 'Provider returned error', metadata: { raw: 'Nine' } } }, 'Provider returned error: Nine'],
    ['Ten', 'Ten'],
  ]
  for (const [body, words] of bodies) {
    it(`${JSON.stringify(body)}`, () => {
      expect(readErrorText(JSON.stringify(body)).message).to.equal(words)
    })
  }
  it('HTML without its markup, and nothing at all', () => {
    expect(readErrorText('<html><title>502</title><body>Bad  gateway</body>').message).to.equal('502 Bad gateway')
    expect(readErrorText('').message).to.equal('The answer has no body.')
  })
})

describe('when a vendor wants a retry', () => {
  const after = (headers: Readonly<Record<string, string>>, message = '') => classified(429, { error: { message } }, headers).retryAfterMs
  it('milliseconds, then seconds, then a date', () => {
    expect(after({ 'retry-after-ms': '1500', 'retry-after': '9' })).to.equal(1500)
    expect(after({ 'retry-after-ms': '0', 'retry-after': '9' })).to.equal(9000)
    expect(after({ 'retry-after-ms': '0' })).to.equal(undefined)
    expect(after({ 'retry-after': '2.5' })).to.equal(2500)
    expect(after({ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' })).to.equal(30_000)
    expect(after({ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' })).to.equal(0)
    expect(after({ 'retry-after': 'soon' })).to.equal(undefined)
  })
  it('hints in the text', () => {
    expect(after({}, 'Please try again in 1.5s.')).to.equal(1500)
    expect(after({}, 'Please try again in 7m12s.')).to.equal(432_000)
    expect(after({}, 'Please try again in 350ms')).to.equal(350)
    expect(after({}, 'Please retry after 20 seconds.')).to.equal(20_000)
    expect(classified(503, { error: 'Loading', estimated_time: 20.4 }).retryAfterMs).to.equal(20_400)
  })

  it('a member of the body that a family reads, behind the head and before the text', () => {
    const body = { ...readErrorText('{"error":{"message":"Please retry in 9s"}}'), retryAfterMs: 34_400 }
    expect(classifyFailure({ status: 429, headers: new Headers(), body, now }).retryAfterMs).to.equal(34_400)
    expect(classifyFailure({ status: 429, headers: new Headers({ 'retry-after': '2' }), body, now }).retryAfterMs).to.equal(2_000)
  })
})

describe('keys in the words of a vendor', () => {
  it('are removed: the own one, and anything that looks like one', () => {
    const text = redactKeys('bad odd!key, Bearer abc.def, sk-proj-ABCDEFGHIJKLMNOP and https://x/?key=zzz&a=1', ['odd!key'])
    expect(text).to.equal('bad [redacted], Bearer [redacted], [redacted] and https://x/?key=[redacted]&a=1')
  })

  it('are removed in base64 and hexadecimal, even in the middle of a longer text', () => {
    const key = 'a-key-of-some-length-0123456789'
    for (const before of ['', 'x', 'xy', 'Basic user:']) {
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const text = redactKeys(`You sent ${Buffer.from(`${before}${key}!`).toString(encoding)}.`, [key])
        expect(text, `${before} ${encoding}`).to.contain('[redacted]')
        for (const start of [0, 1, 2])
          expect(text).to.not.contain(
            Buffer.from(key.slice(start + 3, start + 18))
              .toString(encoding)
              .slice(4, 16),
          )
      }
    }
  })
})
