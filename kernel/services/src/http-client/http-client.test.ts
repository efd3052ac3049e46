import { createServer as createSecureServer } from 'node:https'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import type { HttpClientRequest } from '@agent-service/sdk/services/http-client'
import { expect } from 'chai'
import { acceptedEncodings } from './decode-body.js'
import { ask, failureOf, local, text } from './testing/ask.js'
import { collectOpened, openTestClient, startTestServer } from './testing/open-test-client.js'
import { testCertificate, testKey } from './testing/test-certificate.js'

const signal = new AbortController().signal

describe('the guarded HTTP client', () => {
  const opened = collectOpened()
  afterEach(() => opened.close())

  it('sends method, headers and body, and returns status, headers, URL and body', async () => {
    const server = await startTestServer(opened, (_, response) => response.writeHead(201, { 'X-Answer': ['a', 'b'] }).end('grün'))
    const client = openTestClient(opened)
    const answer = await ask(client, `http://127.0.0.1:${server.port}/a?b=c#d`, {
      method: 'POST',
      headers: { 'X-Asked': 'yes', 'Content-Type': 'text/plain' },
      body: 'Grüße',
    })
    expect([answer.status, answer.headers['x-answer'], text(answer.body), answer.url, answer.redirects]).to.deep.equal([
      201,
      'a, b',
      'grün',
      `http://127.0.0.1:${server.port}/a?b=c`,
      0,
    ])
    const [seen] = server.seen
    expect([seen?.method, seen?.path, seen?.headers['x-asked'], seen?.body]).to.deep.equal(['POST', '/a?b=c', 'yes', 'Grüße'])
    expect([seen?.headers['accept-encoding'], seen?.headers['user-agent']]).to.deep.equal([acceptedEncodings, 'agent-service'])
  })

  describe('addresses', () => {
    it('connects to no loopback address without permission, whatever its name', async () => {
      const server = await startTestServer(opened, (_, response) => response.end('secret'))
      const names = {
        'rebound.example': ['127.0.0.1'],
        'mapped.example': ['::ffff:127.0.0.1'],
        'six.example': ['::1'],
        'translated.example': ['64:ff9b::7f00:1'],
        'mixed.example': ['93.184.216.34', '127.0.0.1'],
        localhost: ['127.0.0.1'],
      }
      const client = openTestClient(opened, { names })
      for (const host of [...Object.keys(names), '127.0.0.1', '127.1', '[::ffff:7f00:1]', 'rebound.example.']) {
        const error = await failureOf(ask(client, `http://${host}:${server.port}/`, { allowPrivate: false }))
        expect(error.code, host).to.equal('http_address_refused')
        expect(error.message, host).to.not.contain('127.0.0.1:').and.not.contain('93.184')
      }
      expect(server.connections).to.equal(0)
    })

    it('resolves a name once for a connection and connects to the checked address', async () => {
      const granted = await startTestServer(opened, (_, response) => response.setHeader('connection', 'close').end('granted'))
      const other = await startTestServer(opened, (_, response) => response.end('other'), { address: '127.0.0.2' })
      let turn = 0
      const names = { 'flips.example': () => (turn++ % 2 === 0 ? ['127.0.0.1'] : ['127.0.0.2']) }
      const client = openTestClient(opened, { names, targets: ['*', '127.0.0.1'] })
      expect(text((await ask(client, `http://flips.example:${granted.port}/`)).body)).to.equal('granted')
      expect(client.lookups).to.have.length(1)
      const refused = await failureOf(ask(client, `http://flips.example:${other.port}/`))
      expect([refused.code, other.connections]).to.deep.equal(['http_address_refused', 0])
    })

    it('does not reuse a connection that was opened with more permissions', async () => {
      const server = await startTestServer(opened, (_, response) => response.end('ok'))
      const client = openTestClient(opened, { names: { 'inner.example': ['127.0.0.1'] } })
      const url = `http://inner.example:${server.port}/`
      expect((await ask(client, url)).status).to.equal(200)
      expect((await failureOf(ask(client, url, { allowPrivate: false }))).code).to.equal('http_address_refused')
      expect(server.seen).to.have.length(1)
    })

    it('reports a name without an address', async () => {
      const client = openTestClient(opened)
      const error = await failureOf(ask(client, 'https://absent.example/'))
      expect([error.code, error.message]).to.deep.equal([
        'http_connection_failed',
        'The connection to “absent.example” failed: the name cannot be resolved.',
      ])
    })
  })

  describe('requests', () => {
    const refused: readonly (readonly [string, Partial<HttpClientRequest>, RegExp])[] = [
      ['an address without a scheme', { url: 'example.com' }, /absolute/],
      ['a user name in the address', { url: 'https://user@example.com/' }, /user name or password/],
      ['a password in the address', { url: 'https://:word@example.com/' }, /user name or password/],
      ['an endless address', { url: `https://example.com/${'a'.repeat(20_000)}` }, /longer/],
      ['a method that is not known', { method: 'CONNECT' }, /CONNECT/],
      ['a body with GET', { body: 'x' }, /cannot have a body/],
      ['a line break in a header', { headers: { 'x-a': 'b\r\nHost: evil' } }, /“x-a” has characters/],
      ['a line break in the name of a header', { headers: { 'x-a\r\nb': 'c' } }, /has characters/],
      ['a host of its own', { headers: { HOST: 'inner' } }, /set by the client/],
      ['a length of its own', { headers: { 'content-length': '0' } }, /set by the client/],
      ['a coding of its own', { headers: { 'Transfer-Encoding': 'chunked' } }, /set by the client/],
      ['a limit that is none', { limits: { totalMs: Number.NaN } }, /totalMs/],
      ['more than it holds', { limits: { maxBodyBytes: 65 * 1024 * 1024 } }, /maxBodyBytes/],
      ['endless redirects', { maxRedirects: 21 }, /maxRedirects/],
    ]
    for (const [what, request, message] of refused) {
      it(`refuses ${what}, without the value in the error`, async () => {
        const error = await failureOf(openTestClient(opened).request({ url: 'https://example.com/', ...request }, { signal }))
        expect([error.code, error.status]).to.deep.equal(['http_request_invalid', 400])
        expect(error.message).to.match(message).and.not.contain('evil').and.not.contain('word@')
      })
    }
  })

  describe('time', () => {
    it('limits the wait for the headers, a pause, and the whole request', async () => {
      const server = await startTestServer(opened, ({ url }, response) => {
        if (url === '/silent') return
        response.write('a')
        if (url === '/endless') {
          const timer = setInterval(() => response.write('b'), 5)
          response.once('close', () => clearInterval(timer))
        }
      })
      const client = openTestClient(opened)
      const url = `http://127.0.0.1:${server.port}`
      const failing = [
        failureOf(ask(client, `${url}/silent`, { limits: { headersMs: 60 } })),
        failureOf(ask(client, `${url}/pauses`, { limits: { idleMs: 60 } })),
        failureOf(ask(client, `${url}/endless`, { limits: { totalMs: 120 } })),
      ]
      const messages = (await Promise.all(failing)).map(({ code, message }) => `${code} ${message}`)
      expect(messages[0]).to.contain('http_request_timeout').and.contain('the head of the response')
      expect(messages[1]).to.contain('http_request_timeout').and.contain('a pause in the response')
      expect(messages[2]).to.contain('http_request_timeout').and.contain('the whole request')
    })

    it('uses the given clock, and releases the turn of a stream that is not read', async () => {
      const clock = createControlledClock()
      const server = await startTestServer(opened, (_, response) => void response.write('a'))
      const client = openTestClient(opened, { clock })
      const request = { url: `http://127.0.0.1:${server.port}/`, ...local }
      const streams = await Promise.all(Array.from({ length: 8 }, () => client.stream(request, { signal })))
      const ninth = client.stream(request, { signal })
      await clock.advance(60_000)
      const { body } = await failedOrOpen(ninth)
      await body?.[Symbol.asyncIterator]().return?.()
      for (const stream of streams) {
        const error = await failureOf(stream.body[Symbol.asyncIterator]().next())
        expect(error.code).to.equal('http_request_timeout')
      }
    })

    it('throws the reason of the signal at once, before, while connecting and in the body', async () => {
      const server = await startTestServer(opened, ({ url }, response) => {
        if (url === '/body') response.write('a')
        controllers[url ?? '']?.abort(reason)
      })
      const reason = new Error('left')
      const controllers: Record<string, AbortController> = { '/head': new AbortController(), '/body': new AbortController() }
      const client = openTestClient(opened)
      for (const [path, controller] of Object.entries(controllers)) {
        const request = { url: `http://127.0.0.1:${server.port}${path}`, ...local }
        expect(await failureOf(client.request(request, { signal: controller.signal }))).to.equal(reason)
      }
      const before = client.request({ url: `http://127.0.0.1:${server.port}/`, ...local }, { signal: AbortSignal.abort(reason) })
      expect(await failureOf(before)).to.equal(reason)
    })
  })

  describe('TLS', () => {
    const secure = () =>
      startTestServer(opened, (_, response) => response.end('secure'), {
        server: (handler) => createSecureServer({ key: testKey, cert: testCertificate }, handler),
      })
    const names = { 'secure.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] }

    it('refuses a certificate of an unknown authority, and one for another name', async () => {
      const server = await secure()
      const error = await failureOf(ask(openTestClient(opened, { names }), `https://secure.test:${server.port}/`))
      expect([error.code, error.message.includes('certificate')]).to.deep.equal(['http_connection_failed', true])
      const trusting = openTestClient(opened, { names, trusted: [testCertificate] })
      expect(text((await ask(trusting, `https://secure.test.:${server.port}/`)).body)).to.equal('secure')
      expect((await failureOf(ask(trusting, `https://other.test:${server.port}/`))).message).to.contain('certificate')
      expect(server.seen).to.have.length(1)
    })
  })

  it('limits the active and the waiting requests to one origin', async () => {
    const answers: (() => void)[] = []
    let atOnce = 0
    const server = await startTestServer(opened, (_, response) => {
      atOnce = Math.max(
        atOnce,
        answers.push(() => response.end('ok')),
      )
    })
    const client = openTestClient(opened)
    const url = `http://127.0.0.1:${server.port}/`
    const wanted = Array.from({ length: 72 }, () => ask(client, url))
    const refused = await failureOf(ask(client, url))
    expect(refused.code).to.equal('http_client_busy')
    const all = Promise.all(wanted)
    let isDone = false
    void all.then(() => {
      isDone = true
    })
    while (!isDone) {
      for (const answer of answers.splice(0)) answer()
      await new Promise(setImmediate)
    }
    expect(await all).to.have.length(72)
    expect(atOnce).to.be.at.most(8)
  })

  it('ends active requests when its plugin stops', async () => {
    const own = collectOpened()
    const server = await startTestServer(opened, (_, response) => void response.write('a'))
    const client = openTestClient(own)
    const { body } = await client.stream({ url: `http://127.0.0.1:${server.port}/`, ...local }, { signal })
    const read = failureOf(collect(body))
    await own.close()
    expect((await read).code).to.equal('http_connection_failed')
    expect((await failureOf(ask(client, `http://127.0.0.1:${server.port}/`))).message).to.contain('has stopped')
  })
})

async function collect(body: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return pieces
}

const failedOrOpen = (
  stream: Promise<{ readonly body: AsyncIterable<Uint8Array> }>,
): Promise<{ readonly body?: AsyncIterable<Uint8Array> }> => stream.catch(() => ({}))
