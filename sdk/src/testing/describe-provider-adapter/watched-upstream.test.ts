import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { ModelRequest } from '../../contracts/provider-adapter/request.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { createTinyAdapter, tinyWire } from '../describe-provider-faults/tiny-adapter.test.js'
import { describeProviderAdapter, type ProviderUpstream } from './index.js'
import { startRecordingProxy } from './support/recording-proxy.js'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function startServer(answer: Answer): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** An upstream that shows no bodies. */
async function startBlindUpstream(): Promise<ProviderUpstream> {
  let calls = 0
  const server = await startServer((request, response) => {
    calls += 1
    request.resume()
    response.writeHead(200, { 'content-type': tinyWire.contentType })
    response.write(tinyWire.text)
    response.end(tinyWire.end)
  })
  return {
    connection: { handle: 'tiny', brand: 'tiny', baseUrl: server.url, apiKey: 'key-of-the-suite', quirks: {} },
    protocol: 'tiny',
    model: 'tiny-1',
    expected: { text: 'Hello, world' },
    calls: () => calls,
    idle: () => Promise.resolve(),
    close: () => server.close(),
  }
}

/** Runs the suite against the tiny adapter; returns the titles of the failed tests on conversations, and the notes. */
async function resultsOf(upstream: () => Promise<ProviderUpstream>, sent: (request: ModelRequest) => unknown) {
  const runner = createCollectingRunner()
  describeProviderAdapter({
    name: 'tiny',
    runner,
    scenarios: ['text'],
    create: () => createTinyAdapter({ bodyOf: sent }),
    upstream,
  })
  const results = await runner.run({ testLimitMs: 10_000 })
  const failed = results.flatMap(({ title, error }) =>
    error !== undefined && title.includes('conversations') ? [title.split(' › ')[2]] : [],
  )
  return { failed, notes: runner.notes }
}

describe('what describeProviderAdapter sees of an upstream that shows no bodies', () => {
  it('is everything where the upstream has a URL', async () => {
    const whole = await resultsOf(startBlindUpstream, ({ messages }) => ({ messages }))
    expect(whole.failed).to.deep.equal([])
    expect(whole.notes.filter((line) => line.includes('“bodies”'))).to.deep.equal([])
    const short = await resultsOf(startBlindUpstream, ({ messages }) => ({ messages: messages.slice(-3) }))
    expect(short.failed).to.include('of many messages: every part of each, whole, once and in order, streamed or not')
  })

  it('is nothing where it has none, and the suite says so', async () => {
    const { failed, notes } = await resultsOf(
      async () => {
        const upstream = await startBlindUpstream()
        const { baseUrl } = upstream.connection
        return { ...upstream, connection: { ...upstream.connection, baseUrl: '', quirks: { at: baseUrl } } }
      },
      () => ({}),
    )
    expect(failed).to.deep.equal([])
    expect(notes.filter((line) => line.includes('“bodies”'))).to.have.length(1)
    expect(notes.join('\n')).to.include('tool results reach the upstream')
  })
})

describe('the proxy before an upstream', () => {
  it('passes on method, path, headers, status and bytes, and keeps the bodies', async () => {
    const server = await startServer((request, response) => {
      response.writeHead(418, { 'x-path': request.url, 'x-key': request.headers['authorization'] })
      request.pipe(response)
    })
    const proxy = await startRecordingProxy(server.url)
    const answer = await fetch(`${proxy.baseUrl}/chat?a=1`, {
      method: 'POST',
      headers: { authorization: 'Bearer thyme' },
      body: 'Grüße 🌿',
    })
    expect([answer.status, answer.headers.get('x-path'), answer.headers.get('x-key')]).to.deep.equal([418, '/v1/chat?a=1', 'Bearer thyme'])
    expect(await answer.text()).to.equal('Grüße 🌿')
    expect(proxy.bodies()).to.deep.equal(['Grüße 🌿'])
    await proxy.close()
    await server.close()
  })

  it('breaks a connection where the upstream broke it', async () => {
    const server = await startServer((_, response) => void response.writeHead(200).write('begun', () => response.destroy()))
    const proxy = await startRecordingProxy(server.url)
    const whole = fetch(proxy.baseUrl).then((answer) => answer.text())
    expect(await whole.catch((error: unknown) => error)).to.be.instanceOf(Error)
    await proxy.close()
    await server.close()
  })

  it('ends the request of a caller that left', async () => {
    const arrivals = new EventEmitter()
    const left = once(arrivals, 'left')
    const server = await startServer((_, response) => {
      response.on('close', () => arrivals.emit('left'))
      response.writeHead(200).write('begun')
    })
    const proxy = await startRecordingProxy(server.url)
    const controller = new AbortController()
    await fetch(proxy.baseUrl, { signal: controller.signal })
    controller.abort()
    await left
    await proxy.close()
    await server.close()
  })
})
