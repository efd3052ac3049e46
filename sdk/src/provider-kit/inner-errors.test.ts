import { expect } from 'chai'
import type { JsonObject } from '../core/json.js'
import { bytesOf, type CallOutcome } from '../testing/replay/index.js'
import { singleBytes, testCalls } from './test-call.test.js'

const half = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Half' }, finish_reason: null }] })}\n\n`
const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`
const done = 'data: [DONE]\n\n'
const overflow = 'the request exceeds the available context size; make it larger'

interface Form {
  readonly name: string
  /** A stream in which the words stand. */
  body(words: string): string
}

/** Every form of an error inside a stream, in which only the words say what it means. */
const forms: readonly Form[] = [
  { name: 'a field of its own', body: (words) => `error: ${JSON.stringify({ code: 400, message: words, type: 'x' })}\n\n${done}` },
  { name: 'a field of its own, as text', body: (words) => `error: ${words}\n\n${done}` },
  {
    name: 'a field of its own, over several lines',
    body: (words) => `error: ${JSON.stringify({ message: words }, null, 2)}\n\n${done}`,
  },
  { name: 'an event error with an object', body: (words) => `event: error\ndata: ${JSON.stringify({ message: words })}\n\n` },
  { name: 'an event error with text', body: (words) => `event: error\ndata: ${words}\n\n` },
  { name: 'error as text', body: (words) => event({ error: words }) + done },
  { name: 'error as an object', body: (words) => event({ error: { message: words } }) + done },
  { name: 'error over several data lines', body: (words) => `data: {"error":\ndata: {"message":\ndata: ${JSON.stringify(words)}}}\n\n` },
  { name: 'type error', body: (words) => event({ type: 'error', message: words }) },
  { name: 'type error with an object', body: (words) => event({ type: 'error', error: { type: 'x', message: words } }) },
  { name: 'object error', body: (words) => event({ object: 'error', message: words, code: null }) },
  { name: 'message and code', body: (words) => event({ message: words, code: 'x' }) + done },
  { name: 'message alone', body: (words) => event({ message: words }) + done },
  { name: 'msg and code', body: (words) => event({ code: 5001, msg: words, data: null }) },
  { name: 'detail', body: (words) => event({ detail: words }) + done },
  { name: 'a list of details', body: (words) => event({ detail: [{ loc: ['body'], msg: words }] }) },
  { name: 'errors', body: (words) => event({ success: false, errors: [{ code: 7, message: words }] }) },
  { name: 'error_msg', body: (words) => event({ error_code: 7, error_msg: words }) },
  { name: 'a problem that has only a title', body: (words) => event({ type: 'about:blank', title: words }) },
  { name: 'base_resp', body: (words) => event({ choices: null, base_resp: { status_code: 9999, status_msg: words } }) },
  { name: 'a line of JSON between events', body: (words) => `${JSON.stringify({ error: { message: words } })}\n` },
  { name: 'JSON over several lines between events', body: (words) => `${JSON.stringify({ error: { message: words } }, null, 2)}\n` },
  { name: 'a line of text', body: (words) => `${words}\n` },
  { name: 'a line of text without its end', body: (words) => words },
  { name: 'a text as data', body: (words) => `data: ${words}\n\n${done}` },
  { name: 'a page', body: (words) => `<html>\n<head><title>Oops</title></head>\n<body><p>${words}</p></body>\n</html>\n` },
]

const meanings: readonly (readonly [words: string, failure: string, retryable: boolean])[] = [
  [overflow, 'context_overflow', false],
  ['insufficient balance, please recharge', 'quota_exceeded', false],
  ['Incorrect API key provided', 'authentication', false],
  ['The output was blocked by the content filter', 'content_filtered', false],
  ['Rate limit reached, slow down', 'rate_limited', true],
]

const kindsOf = ({ error }: CallOutcome) => ({ failure: error?.details['failure'], retryable: error?.details['retryable'] })

describe('errors inside an answer with status 200', () => {
  const calls = testCalls()
  const streamOf = (body: string, more = {}) => calls.outcomeOfBody(body, 'text/event-stream', more)

  for (const { name, body } of forms) {
    it(`${name}: the words and what they mean, before any text and after it`, async () => {
      for (const [words, failure, retryable] of meanings) {
        for (const before of ['', half]) {
          for (const pieces of [[bytesOf(before + body(words))], singleBytes(before + body(words))]) {
            const outcome = await streamOf('', { pieces })
            expect(outcome.finished).to.equal(undefined)
            expect(outcome.text).to.equal(before === '' ? '' : 'Half')
            expect(outcome.error?.details['reason']).to.contain(words)
            expect(kindsOf(outcome), words).to.deep.equal({ failure, retryable })
          }
        }
      }
    })
  }

  const documents: readonly (readonly [name: string, document: JsonObject])[] = [
    ['error as text', { error: overflow }],
    ['error as an object', { error: { message: overflow } }],
    ['message and code', { message: overflow, code: 'x' }],
    ['message alone', { message: overflow }],
    ['detail', { detail: overflow }],
    ['choices that are null', { choices: null, message: overflow }],
    ['choices that are empty', { id: 'x', choices: [], msg: overflow }],
    ['object error', { object: 'error', message: overflow }],
    ['error and message', { statusCode: 400, error: 'Bad Request', message: overflow }],
  ]
  for (const [name, document] of documents) {
    it(`in one piece or a line, ${name}`, async () => {
      for (const body of [JSON.stringify(document), `${JSON.stringify(document)}\n`, JSON.stringify(document, null, 2)]) {
        for (const type of ['application/json', 'text/event-stream', 'application/x-ndjson']) {
          const outcome = await calls.outcomeOfBody(body, type)
          expect(outcome.error?.details['reason']).to.contain(overflow)
          expect(kindsOf(outcome)).to.deep.equal({ failure: 'context_overflow', retryable: false })
        }
      }
    })
  }

  for (const [code, failure, retryable] of [
    [1000, 'overloaded', true],
    [1002, 'rate_limited', true],
    [1004, 'authentication', false],
    [1008, 'quota_exceeded', false],
    [1013, 'overloaded', true],
    [1026, 'content_filtered', false],
    [1027, 'content_filtered', false],
    [1039, 'rate_limited', true],
    [2013, 'bad_request', false],
    [2049, 'authentication', false],
    [2056, 'quota_exceeded', false],
  ] as const) {
    it(`base_resp ${code} is ${failure}`, async () => {
      const document = { id: '0', choices: null, usage: { total_tokens: 0 }, base_resp: { status_code: code, status_msg: 'odd words' } }
      for (const [body, type] of [
        [event(document), 'text/event-stream'],
        [JSON.stringify(document), 'application/json'],
      ] as const) {
        const outcome = await calls.outcomeOfBody(body, type)
        expect(kindsOf(outcome)).to.deep.equal({ failure, retryable })
        expect(outcome.error?.details).to.include({ reason: 'odd words', providerCode: String(code) })
      }
    })
  }

  it('a base_resp that reports success, an empty error, and a message beside content are no errors', async () => {
    const choices = [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }]
    const stop = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], base_resp: { status_code: 0, status_msg: '' } })
    for (const more of [
      { base_resp: { status_code: 0, status_msg: 'success' } },
      { error: { message: '', code: null } },
      { message: 'ok' },
      { error: null },
    ]) {
      const outcome = await streamOf(event({ choices, ...more }) + stop + done)
      expect(outcome.error?.message).to.equal(undefined)
      expect(outcome.text).to.equal('Hi')
    }
  })

  it('a status in the words counts where there is no other', async () => {
    for (const [words, failure, retryable] of [
      ['bad response status code 502', 'overloaded', true],
      ['Error code: 401 - no', 'authentication', false],
      ['upstream answered HTTP 429', 'rate_limited', true],
    ] as const)
      expect(kindsOf(await streamOf(event({ error: { message: words } })))).to.deep.equal({ failure, retryable })
  })

  it('what cannot succeed is not tried again, by its code', async () => {
    for (const [code, failure] of [
      ['invalid_request_error', 'bad_request'],
      ['InvalidParameter', 'bad_request'],
      ['insufficient_user_quota', 'quota_exceeded'],
      ['Arrearage', 'quota_exceeded'],
      ['DataInspectionFailed', 'content_filtered'],
      ['model_not_found', 'model_not_found'],
    ] as const)
      expect(kindsOf(await streamOf(event({ error: { message: 'odd words', code } })))).to.deep.equal({ failure, retryable: false })
  })

  it('a field error keeps the code and the status in it', async () => {
    const { error } = await streamOf(`error: ${JSON.stringify({ code: 400, message: overflow, type: 'invalid_request_error' })}\n\n${done}`)
    expect(error?.details).to.include({ reason: overflow, httpStatus: 400, providerCode: 'invalid_request_error' })
  })

  it('a refusal that is framed as a stream is read like one in JSON', async () => {
    for (const body of [
      event({ error: { message: 'odd words', code: 'insufficient_quota' } }),
      'event: error\ndata: {"code":"insufficient_quota",\ndata: "message":"odd words"}\n\n',
    ]) {
      const outcome = await streamOf(body, { status: 429 })
      expect(outcome.error?.details).to.include({ failure: 'quota_exceeded', retryable: false, reason: 'odd words' })
    }
  })

  it('words before a connection that stays open are told when the time is over, and an error at once', async () => {
    const timeouts = { connectMs: 5_000, firstTokenMs: 60, idleMs: 60, totalMs: 20_000 }
    calls.answer({ pieces: [bytesOf(event({ message: 'insufficient balance' }))], end: 'hold' })
    expect((await calls.outcome({ timeouts })).error?.details).to.include({ failure: 'quota_exceeded', reason: 'insufficient balance' })
    const long = { ...timeouts, firstTokenMs: 600_000, idleMs: 600_000, totalMs: 600_000 }
    for (const [body, type] of [
      ['{"error":"insufficient balance"}\n', 'application/json'],
      [event({ message: 'insufficient balance', code: 'x' }), 'text/event-stream'],
      [`${half}error: insufficient balance\n`, 'text/event-stream'],
    ] as const) {
      calls.answer({ headers: { 'content-type': type }, pieces: [bytesOf(body)], end: 'hold' })
      expect((await calls.outcome({ timeouts: long })).error?.details).to.include({ failure: 'quota_exceeded', retryable: false })
    }
  })

  it('data that is a bare value, a quoted end, and a document before the events change nothing', async () => {
    const stop = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    for (const body of [
      `data: null\n\ndata: 1\n\ndata: "ping"\n\n${half}${stop}data: "[DONE]"\n\n`,
      `{"status":"queued"}\n\n${half}${stop}`,
    ]) {
      const outcome = await streamOf(body)
      expect(outcome.error?.message).to.equal(undefined)
      expect(outcome.text).to.equal('Half')
    }
  })

  it('text between the events of a whole answer is ignored', async () => {
    const stop = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    const outcome = await streamOf(`${half}some words\nserver: x\n\n${stop}${done}`)
    expect(outcome.error).to.equal(undefined)
    expect(outcome.finished?.content).to.deep.equal([{ type: 'text', text: 'Half' }])
  })
})
