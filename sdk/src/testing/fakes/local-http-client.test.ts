import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { HttpClientRequest } from '../../services/http-client.js'
import { createLocalHttpClient } from './local-http-client.js'

describe('the HTTP client that reaches servers of a test', () => {
  const { signal } = new AbortController()
  let server: Server
  let answer: RequestListener
  let address = ''

  beforeEach(async () => {
    server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const ask = (request: Partial<HttpClientRequest> = {}, within = signal) =>
    createLocalHttpClient({ 'vault.example': address }).request({ url: 'https://vault.example/items?a=1', ...request }, { signal: within })
  const codeOf = async (request: Partial<HttpClientRequest>): Promise<unknown> => {
    try {
      return (await ask(request)).status
    } catch (error) {
      return (error as { readonly code?: unknown }).code
    }
  }

  it('sends a request to the server of its host, and gives the answer', async () => {
    answer = async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      response.writeHead(201, { 'x-seen': `${request.method} ${request.url} ${request.headers['x-token']} ${body}` }).end('done')
    }
    const { status, headers, url, body } = await ask({ method: 'POST', headers: { 'X-Token': 't' }, body: 'text' })
    expect([status, headers['x-seen'], url]).to.deep.equal([201, 'POST /items?a=1 t text', 'https://vault.example/items?a=1'])
    expect(Buffer.from(body).toString()).to.equal('done')
  })

  it('refuses what the service refuses', async () => {
    answer = (_, response) => response.end()
    expect(await codeOf({ url: 'nothing' })).to.equal('http_request_invalid')
    expect(await codeOf({ url: 'http://vault.example/' })).to.equal('http_request_invalid')
    expect(await codeOf({ url: 'https://user:word@vault.example/' })).to.equal('http_request_invalid')
    expect(await codeOf({ url: 'https://127.0.0.1/' })).to.equal('http_address_refused')
    expect(await codeOf({ url: address, allowHttp: true })).to.equal('http_address_refused')
    expect(await codeOf({ url: 'https://elsewhere.example/' })).to.equal('http_address_refused')
    expect(await codeOf({ url: address, allowHttp: true, allowPrivate: true })).to.equal(200)
  })

  it('follows no redirect', async () => {
    answer = (_, response) => response.writeHead(307, { location: 'https://vault.example/other' }).end()
    expect(await codeOf({ redirect: 'return' })).to.equal(307)
    expect(await codeOf({ redirect: 'refuse' })).to.equal('http_redirect_refused')
    const error = await ask().catch((reason: unknown) => reason)
    expect(String(error)).to.match(/redirect: "refuse" or "return"/)
  })

  it('has the limits of the body and of the time, and tells a broken connection', async () => {
    answer = (_, response) => response.end('12345')
    expect(await codeOf({ limits: { maxBodyBytes: 5 } })).to.equal(200)
    expect(await codeOf({ limits: { maxBodyBytes: 4 } })).to.equal('http_response_too_large')
    answer = (request) => request.socket.destroy()
    expect(await codeOf({})).to.equal('http_connection_failed')
    answer = () => undefined
    expect(await codeOf({ limits: { totalMs: 20 } })).to.equal('http_request_timeout')
  })

  it('rejects with the reason of an abort', async () => {
    const controller = new AbortController()
    const reason = new Error('stopped by the test')
    answer = () => controller.abort(reason)
    expect(await ask({}, controller.signal).catch((error: unknown) => error)).to.equal(reason)
    expect(await ask({}, AbortSignal.abort(reason)).catch((error: unknown) => error)).to.equal(reason)
  })
})
