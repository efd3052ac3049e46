import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { type ProviderAdapter, providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient, type ModelClient } from '@agent-service/sdk/provider-kit'
import { createTestContext, outcomeOf, requestTo } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'
import { createTestAdapter } from './test-support/adapter.js'
import { type Blackhole, startBlackhole } from './test-support/blackhole.js'

/** Advances the clock of the HTTP client's own limits only. */
const { tick } = createRequire(import.meta.url)('undici/lib/util/timers.js') as { tick(milliseconds: number): void }
/**
 * An hour for those limits, more than any that it has by default. The first step makes it take up
 * timers that were set just now.
 */
const anHourPasses = (): void => {
  tick(1)
  tick(3_600_000)
}
const timeouts = { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, totalMs: 15_000 }
const hello = 'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n'
const end = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

describe('a connection that does not open', () => {
  const adapter = createTestAdapter()
  let blackhole: Blackhole
  before(async () => {
    blackhole = await startBlackhole()
  })
  after(() => blackhole.close())

  it('ends after the connect timeout, as a retryable timeout', async () => {
    const { error } = await outcomeOf(adapter, requestTo(blackhole.baseUrl, { timeouts: { ...timeouts, connectMs: 100 } }))
    expect(error?.details).to.include({ failure: 'timeout', retryable: true, providerCode: 'UND_ERR_CONNECT_TIMEOUT' })
  })

  it('is waited for until that timeout, within the other limits', async () => {
    const patient = { connectMs: 60_000, firstTokenMs: 60_000, idleMs: 60_000, totalMs: 1_500 }
    const { error } = await outcomeOf(adapter, requestTo(blackhole.baseUrl, { timeouts: patient }))
    expect(error?.details).to.include({ failure: 'timeout', reason: 'The call continued for more than 1500 ms.' })
  })
})

describe('an answer that takes long', () => {
  const adapter = createTestAdapter()
  let server: Server
  let baseUrl = ''
  before(async () => {
    server = createServer((request) => request.resume())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  })
  after(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  const nextResponse = async (): Promise<ServerResponse> => ((await once(server, 'request')) as [unknown, ServerResponse])[1]

  it('is waited for as long as the limits of the call allow', async () => {
    const request = nextResponse()
    const events = adapter.call(requestTo(baseUrl, { timeouts }), { signal: new AbortController().signal })[Symbol.asyncIterator]()
    const started = events.next()
    const response = await request
    anHourPasses()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(hello)
    expect((await started).value).to.include({ type: 'response.started' })
    expect((await events.next()).value).to.include({ type: 'text.delta', text: 'Hello' })
    anHourPasses()
    response.end(end)
    expect((await events.next()).value).to.include({ type: 'response.finished', stop_reason: 'stop' })
    expect((await events.next()).done).to.equal(true)
  })

  it('is aborted if its headers do not come within the limit for the first token', async () => {
    const request = nextResponse()
    const running = outcomeOf(adapter, requestTo(baseUrl, { timeouts: { ...timeouts, firstTokenMs: 60 } }))
    const closed = once(await request, 'close')
    expect((await running).error?.details).to.include({
      failure: 'timeout',
      retryable: true,
      reason: 'No part of an answer came for more than 60 ms.',
    })
    await closed
  })
})

describe('the connections of the plugin', () => {
  let server: Server
  let baseUrl = ''
  /** One for each opened connection; resolves when it is closed. */
  let gone: Promise<unknown>[] = []
  beforeEach(async () => {
    gone = []
    server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(hello + end))
    })
    server.keepAliveTimeout = 60_000
    server.on('connection', (socket) => gone.push(once(socket, 'close')))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  })
  afterEach(() => {
    server.close()
    server.closeAllConnections()
  })

  it('stay open for the next calls, and are closed when the plugin stops', async () => {
    const test = createTestContext<unknown>({ config: {} })
    await plugin.setup(test.context)
    const [adapter] = test.contributed<ProviderAdapter>(providerAdapters)
    if (!adapter) throw new Error('The plugin contributed no adapter.')
    for (let call = 0; call < 6; call += 1) expect((await outcomeOf(adapter, requestTo(baseUrl))).text).to.equal('Hello')
    const opened = gone.length
    expect(opened).to.be.lessThan(6)
    await test.dispose()
    await Promise.all(gone)
    expect((await outcomeOf(adapter, requestTo(baseUrl))).error?.details).to.include({ failure: 'transport' })
    expect(gone).to.have.length(opened)
  })

  const answerOf = async (client: ModelClient, connectMs: number): Promise<string> => {
    const post = { url: new URL(baseUrl), headers: {}, body: '{}', signal: new AbortController().signal }
    const response = await client.post(post, connectMs)
    let text = ''
    for (let bytes = await response.read(); bytes; bytes = await response.read()) text += Buffer.from(bytes).toString()
    return text
  }

  it('are at most 1,024 to an endpoint; further calls wait for a free one', async () => {
    const most = 1_024
    const asked = most + 50
    const waiting: (() => void)[] = []
    let answerAtOnce = false
    const full = new Promise<void>((resolve) => {
      server.removeAllListeners('request')
      server.on('request', (request, response) => {
        const answer = (): void => void request.resume().on('end', () => response.end('{}'))
        if (answerAtOnce) answer()
        else if (waiting.push(answer) === most) resolve()
      })
    })
    const client = createModelClient()
    const running = Promise.all(Array.from({ length: asked }, () => answerOf(client, 5_000)))
    await full
    answerAtOnce = true
    for (const answer of waiting) answer()
    expect(await running).to.deep.equal(Array.from({ length: asked }, () => '{}'))
    expect(gone).to.have.length(most)
    await client.close()
  })

  it('are made for each connect timeout, a few at a time, and closed together, twice too', async () => {
    const client = createModelClient()
    for (let connectMs = 1_000; connectMs < 1_006; connectMs += 1) expect(await answerOf(client, connectMs)).to.equal(hello + end)
    expect(gone).to.have.length(6)
    // The two oldest have been given up; the others are still there.
    await Promise.all(gone.slice(0, 2))
    expect(await connectionsOf(server)).to.equal(4)
    await client.close()
    await client.close()
    await Promise.all(gone)
  })
})

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
