import { inspect } from 'node:util'
import { bytesOf, outcomeOf, type Replay, type ReplayServer, requestTo, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createTestAdapter } from './test-support/adapter.js'

const key = 'odd-key-that-must-not-be-seen'
const hello = bytesOf('data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n')
const timeouts = { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, totalMs: 5_000 }

describe('the edges of a call', () => {
  const adapter = createTestAdapter()
  let answer: (body: string) => Replay = () => ({ pieces: [] })
  let server: ReplayServer
  beforeEach(async () => {
    server = await startReplayServer(({ body }) => answer(body))
  })
  afterEach(() => server.close())

  it('an abort in the middle throws its reason and closes the connection', async () => {
    answer = () => ({ pieces: [hello], end: 'hold' })
    const controller = new AbortController()
    const reason = new Error('The user pressed stop.')
    let thrown: unknown
    try {
      for await (const event of adapter.call(requestTo(server.baseUrl), { signal: controller.signal })) {
        if (event.type === 'text.delta') controller.abort(reason)
      }
    } catch (error) {
      thrown = error
    }
    expect(thrown).to.equal(reason)
    await server.seen[0]?.aborted
  })

  it('an abort before the answer and before the call throws its reason', async () => {
    answer = () => ({ pieces: [], end: 'hold' })
    const reason = new Error('stop')
    const controller = new AbortController()
    const running = adapter.call(requestTo(server.baseUrl), { signal: controller.signal })[Symbol.asyncIterator]().next()
    controller.abort(reason)
    await running.then(
      () => expect.fail('the call continued'),
      (error: unknown) => expect(error).to.equal(reason),
    )
    await adapter
      .call(requestTo(server.baseUrl), { signal: controller.signal })
      [Symbol.asyncIterator]()
      .next()
      .then(
        () => expect.fail('the call began'),
        (error: unknown) => expect(error).to.equal(reason),
      )
  })

  it('leaving the iteration closes the connection', async () => {
    answer = () => ({ pieces: [hello], end: 'hold' })
    for await (const event of adapter.call(requestTo(server.baseUrl), { signal: new AbortController().signal })) {
      if (event.type === 'text.delta') break
    }
    await server.seen[0]?.aborted
  })

  it('a missing first token, although the connection is kept alive', async () => {
    answer = () => ({ pieces: [bytesOf(': PROCESSING\n\n')], end: 'hold' })
    const { error } = await outcomeOf(adapter, requestTo(server.baseUrl, { timeouts: { ...timeouts, firstTokenMs: 60 } }))
    expect(error?.details).to.include({ failure: 'timeout', retryable: true })
    expect(error?.details['reason']).to.equal('No part of an answer came for more than 60 ms.')
    await server.seen[0]?.aborted
  })

  it('a pause in the answer keeps the content before it', async () => {
    answer = () => ({ pieces: [hello], end: 'hold' })
    const { error, text } = await outcomeOf(adapter, requestTo(server.baseUrl, { timeouts: { ...timeouts, idleMs: 60 } }))
    expect(text).to.equal('Hello')
    expect(error?.details['reason']).to.equal('The answer paused for more than 60 ms.')
  })

  it('a slow reader does not count as a pause of the vendor', async () => {
    answer = () => ({ pieces: [hello, bytesOf('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')] })
    const types: string[] = []
    for await (const event of adapter.call(requestTo(server.baseUrl, { timeouts: { ...timeouts, idleMs: 40 } }), {
      signal: new AbortController().signal,
    })) {
      types.push(event.type)
      if (event.type === 'text.delta') await new Promise((resolve) => setTimeout(resolve, 120))
    }
    expect(types.at(-1)).to.equal('response.finished')
  })

  it('a call that takes too long in total', async () => {
    answer = () => ({ pieces: [hello], end: 'hold' })
    const { error } = await outcomeOf(adapter, requestTo(server.baseUrl, { timeouts: { ...timeouts, totalMs: 80 } }))
    expect(error?.details['reason']).to.equal('The call continued for more than 80 ms.')
  })

  it('an error in the middle of a stream, in each of its forms', async () => {
    const forms = [
      'data: {"error":{"message":"Capacity","code":503}}\n\n',
      'event: error\ndata: {"message":"Capacity","code":503}\n\n',
      'data: {"choices":[{"index":0,"delta":{},"error":{"message":"Capacity","code":503},"finish_reason":"error"}]}\n\n',
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"insufficient_system_resource"}]}\n\n',
    ]
    for (const form of forms) {
      answer = () => ({ pieces: [hello, bytesOf(form), bytesOf('data: [DONE]\n\n')] })
      const { error, text, finished } = await outcomeOf(adapter, requestTo(server.baseUrl))
      expect(finished).to.equal(undefined)
      expect(text).to.equal('Hello')
      expect(error?.details).to.include({ failure: 'overloaded', retryable: true })
    }
  })

  it('an event that is not JSON, a page instead of an answer, and an answer without choices', async () => {
    const page = { headers: { 'content-type': 'text/html' }, pieces: [bytesOf('<html>Hello</html>')] }
    const empty = { headers: { 'content-type': 'application/json' }, pieces: [bytesOf('{"id":"x"}')] }
    for (const replay of [{ pieces: [bytesOf('data: {oops\n\n')] }, page, empty]) {
      answer = () => replay
      const { error } = await outcomeOf(adapter, requestTo(server.baseUrl))
      expect(error?.details['failure']).to.equal('invalid_response')
    }
  })

  it('a refused connection is a retryable transport failure', async () => {
    await server.close()
    const { error } = await outcomeOf(adapter, requestTo(server.baseUrl))
    expect(error?.details).to.include({ failure: 'transport', retryable: true, providerCode: 'ECONNREFUSED' })
    server = await startReplayServer(() => ({ pieces: [] }))
  })

  it('an endpoint that refuses stream_options is asked again without it, and remembered', async () => {
    answer = (body) =>
      body.includes('stream_options')
        ? {
            status: 422,
            headers: { 'content-type': 'application/json' },
            pieces: [bytesOf('{"detail":[{"loc":["body","stream_options"],"msg":"extra"}]}')],
          }
        : { pieces: [hello, bytesOf('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n')] }
    expect((await outcomeOf(adapter, requestTo(server.baseUrl))).text).to.equal('Hello')
    expect((await outcomeOf(adapter, requestTo(server.baseUrl))).text).to.equal('Hello')
    expect(server.seen.map(({ body }) => body.includes('stream_options'))).to.deep.equal([true, false, false])
  })

  it('a redirect is not followed, so that the key stays with the address that was set', async () => {
    answer = () => ({ status: 307, headers: { location: 'http://elsewhere.example/v1' }, pieces: [] })
    const { error } = await outcomeOf(adapter, requestTo(server.baseUrl))
    expect(error?.details).to.include({ failure: 'bad_request', retryable: false, httpStatus: 307 })
    expect(server.seen).to.have.length(1)
  })

  it('an unrequested compressed answer is refused with the reason', async () => {
    answer = () => ({ headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, pieces: [bytesOf('x')] })
    const { error } = await outcomeOf(adapter, requestTo(server.baseUrl))
    expect(server.seen[0]?.headers['accept-encoding']).to.equal('identity')
    expect(error?.details).to.include({ failure: 'invalid_response', retryable: false })
    expect(error?.details['reason']).to.contain('compressed its answer (gzip)')
  })

  it('a user name in the address is refused before anything is sent', async () => {
    const { error } = await outcomeOf(adapter, requestTo(server.baseUrl.replace('//', `//somebody:${key}@`)))
    expect(error?.details).to.include({ failure: 'bad_request', reason: 'base_url contains a user name or password. Set api_key instead.' })
    expect(server.seen).to.have.length(0)
  })

  it('the key is sent as the brand requires, and appears in no error', async () => {
    answer = () => ({
      status: 401,
      headers: { 'content-type': 'application/json' },
      pieces: [bytesOf(JSON.stringify({ error: { message: `Wrong key ${key} (Bearer ${key})` } }))],
    })
    const connection = { ...requestTo(server.baseUrl).connection, apiKey: key }
    const { error } = await outcomeOf(adapter, requestTo(server.baseUrl, { connection }))
    expect(server.seen[0]?.headers['authorization']).to.equal(`Bearer ${key}`)
    expect(inspect(error, { depth: 10, showHidden: true })).to.not.contain(key)
    await outcomeOf(
      adapter,
      requestTo(server.baseUrl, {
        connection: { ...connection, quirks: { auth: 'api-key', path: '/d/{model}', query: { 'api-version': '1' } } },
      }),
    )
    expect(server.seen[1]?.headers).to.include({ 'api-key': key }).and.not.have.property('authorization')
    expect(server.seen[1]?.url).to.equal('/v1/d/model-1?api-version=1')
    const broken = await outcomeOf(adapter, requestTo(server.baseUrl, { connection: { ...connection, apiKey: `${key}\nx` } }))
    expect(broken.error?.details['failure']).to.equal('authentication')
    expect(inspect(broken.error, { depth: 10, showHidden: true })).to.not.contain(key)
  })

  it('a protocol that is not supported is refused', async () => {
    const { error } = await outcomeOf(adapter, requestTo(server.baseUrl, { protocol: 'made-up' }))
    expect(error?.details).to.include({ failure: 'bad_request', retryable: false })
  })
})
