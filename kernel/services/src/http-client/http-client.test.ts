import { createServer as createSecureServer } from 'node:https'
import { createServer as createNetServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import type { ServiceError } from '@agent-service/sdk'
import type { HttpClient, HttpClientRequest } from '@agent-service/sdk/services/http-client'
import { expect } from 'chai'
import { acceptedEncodings } from './decode-body.js'
import { collectOpened, listenOn, openTestClient, startTestServer } from './testing/open-test-client.js'
import { testCertificate, testKey } from './testing/test-certificate.js'

const signal = new AbortController().signal
const local = { allowHttp: true, allowPrivate: true } as const
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const ask = (client: HttpClient, url: string, more: Partial<HttpClientRequest> = {}) =>
  client.request({ url, ...local, ...more }, { signal: new AbortController().signal })
const failureOf = (promise: Promise<unknown>): Promise<ServiceError> =>
  promise.then(
    () => expect.fail('It was expected to fail.'),
    (error: ServiceError) => error,
  )

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

  describe('redirects', () => {
    it('keeps credentials within an origin, and removes them and unknown headers for another one', async () => {
      const other = await startTestServer(opened, (_, response) => response.end('there'))
      const server = await startTestServer(opened, ({ url }, response) => {
        const location = url === '/one' ? '/two' : `http://127.0.0.1:${other.port}/three`
        response.writeHead(302, { location }).end('moved')
      })
      const headers = { authorization: 'Bearer secret', cookie: 'a=b', 'x-api-key': 'secret', accept: 'text/plain' }
      const answer = await ask(openTestClient(opened), `http://127.0.0.1:${server.port}/one`, { headers })
      expect([text(answer.body), answer.redirects, answer.url]).to.deep.equal(['there', 2, `http://127.0.0.1:${other.port}/three`])
      expect(server.seen.map((seen) => seen.headers.authorization)).to.deep.equal(['Bearer secret', 'Bearer secret'])
      const [last] = other.seen
      expect([last?.headers.authorization, last?.headers.cookie, last?.headers['x-api-key']]).to.deep.equal([
        undefined,
        undefined,
        undefined,
      ])
      expect(last?.headers.accept).to.equal('text/plain')
    })

    it('does not send credentials again on the way back to the first origin', async () => {
      const ports: number[] = []
      const other = await startTestServer(opened, (_, response) =>
        response.writeHead(302, { location: `http://127.0.0.1:${ports[0]}/back` }).end(),
      )
      const server = await startTestServer(opened, ({ url }, response) => {
        if (url === '/back') response.end('back')
        else response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end()
      })
      ports.push(server.port)
      await ask(openTestClient(opened), `http://127.0.0.1:${server.port}/`, { headers: { authorization: 'Bearer secret' } })
      expect(server.seen.map((seen) => seen.headers.authorization)).to.deep.equal(['Bearer secret', undefined])
    })

    const traps = [
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00:ec2::254]/',
      'http://metadata.example/',
      'http://10.0.0.1/',
      'http://0x0a000001/',
      'http://rebound.example/',
      'http://[64:ff9b::a9fe:a9fe]/',
      '//192.168.0.1/',
      'http://8.8.8.8:22/',
    ]
    for (const location of traps) {
      it(`checks every hop: refuses one to ${location}`, async () => {
        const names = { 'metadata.example': ['169.254.169.254'], 'rebound.example': ['10.0.0.1'] }
        const server = await startTestServer(opened, (_, response) => response.writeHead(307, { location }).end())
        const error = await failureOf(ask(openTestClient(opened, { names }), `http://127.0.0.1:${server.port}/`))
        expect(error.code).to.equal('http_address_refused')
      })
    }

    it('refuses hops with an invalid URL, with credentials or to another scheme', async () => {
      for (const location of [
        'http://user:word@127.0.0.1/',
        'file:///etc/passwd',
        'gopher://127.0.0.1/',
        'http://:99999/',
        'javascript:1',
      ]) {
        const server = await startTestServer(opened, (_, response) => response.writeHead(301, { location }).end())
        const error = await failureOf(ask(openTestClient(opened), `http://127.0.0.1:${server.port}/`))
        expect(error.code, location).to.be.oneOf(['http_redirect_refused', 'http_address_refused'])
        expect(error.message).to.not.contain('word')
      }
    })

    it('ends a loop, refuses redirects, or returns the redirect itself, as requested', async () => {
      const server = await startTestServer(opened, (_, response) => response.writeHead(302, { location: '/again' }).end('moved'))
      const client = openTestClient(opened)
      const url = `http://127.0.0.1:${server.port}/`
      expect((await failureOf(ask(client, url, { maxRedirects: 3 }))).message).to.contain('more than 3')
      expect(server.seen).to.have.length(4)
      expect((await failureOf(ask(client, url, { redirect: 'refuse' }))).code).to.equal('http_redirect_refused')
      const answer = await ask(client, url, { redirect: 'return' })
      expect([answer.status, answer.headers['location'], text(answer.body)]).to.deep.equal([302, '/again', 'moved'])
    })

    it('turns a POST into a GET as browsers do, keeps it with 307, and sends no body to another origin', async () => {
      const other = await startTestServer(opened, (_, response) => response.end())
      const server = await startTestServer(opened, ({ url }, response) => {
        const status = Number(url?.slice(1))
        if (Number.isNaN(status)) response.end('end')
        else response.writeHead(status, { location: status === 308 ? `http://127.0.0.1:${other.port}/` : '/end' }).end()
      })
      const client = openTestClient(opened)
      const send = (status: number) =>
        ask(client, `http://127.0.0.1:${server.port}/${status}`, {
          method: 'POST',
          body: 'x=1',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      for (const status of [301, 302, 303]) await send(status)
      await send(307)
      const ends = server.seen
        .filter(({ path }) => path === '/end')
        .map(({ method, body, headers }) => [method, body, headers['content-type']])
      const form = 'application/x-www-form-urlencoded'
      expect(ends).to.deep.equal([...Array.from({ length: 3 }, () => ['GET', '', undefined]), ['POST', 'x=1', form]])
      expect((await failureOf(send(308))).message).to.contain('another origin')
      expect(other.connections).to.equal(0)
    })
  })

  describe('bodies', () => {
    const page = 'An ordinary page. '.repeat(200)
    const encodings: readonly (readonly [string, Buffer])[] = [
      ['gzip', gzipSync(page)],
      ['x-gzip', gzipSync(page)],
      ['deflate', deflateSync(page)],
      ['deflate', deflateRawSync(page)],
      ['br', brotliCompressSync(page)],
      ['identity', Buffer.from(page)],
    ]
    for (const [encoding, bytes] of encodings) {
      it(`reads ${encoding} in any chunks, and refuses it if it is cut off`, async () => {
        const server = await startTestServer(opened, async ({ url }, response) => {
          response.writeHead(200, { 'content-encoding': encoding })
          const whole = url === '/cut' ? bytes.subarray(0, bytes.length - 9) : bytes
          for (let at = 0; at < whole.length; at += 7) response.write(whole.subarray(at, at + 7))
          response.end()
        })
        const client = openTestClient(opened)
        expect(text((await ask(client, `http://127.0.0.1:${server.port}/`)).body)).to.equal(page)
        if (encoding === 'identity') return
        expect((await failureOf(ask(client, `http://127.0.0.1:${server.port}/cut`))).code).to.equal('http_response_invalid')
      })
    }

    const bombs: readonly (readonly [string, (size: number) => Buffer])[] = [
      ['gzip', (size) => gzipSync(Buffer.alloc(size))],
      ['deflate', (size) => deflateSync(Buffer.alloc(size))],
      ['br', (size) => brotliCompressSync(Buffer.alloc(size))],
    ]
    for (const [encoding, make] of bombs) {
      it(`ends a bomb of ${encoding} at its limit, and at its ratio before that`, async () => {
        const bomb = make(48 * 1024 * 1024)
        const server = await startTestServer(opened, (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb))
        const client = openTestClient(opened)
        const url = `http://127.0.0.1:${server.port}/`
        const large = await failureOf(ask(client, url, { limits: { maxBodyBytes: 500_000 } }))
        expect([large.code, large.message]).to.deep.equal([
          'http_response_too_large',
          'The answer of “127.0.0.1” is too large: its decompressed body is larger than 500000 bytes.',
        ])
        const swollen = await failureOf(ask(client, url, { limits: { maxBodyBytes: 60 * 1024 * 1024 } }))
        expect(swollen.message).to.contain('expands to more than 250 times')
      })
    }

    it('ends a plain body that is too large, and accepts one of exactly the limit', async () => {
      const server = await startTestServer(opened, (_, response) => response.end(Buffer.alloc(100_000)))
      const client = openTestClient(opened)
      const url = `http://127.0.0.1:${server.port}/`
      expect((await ask(client, url, { limits: { maxBodyBytes: 100_000 } })).body).to.have.length(100_000)
      expect((await failureOf(ask(client, url, { limits: { maxBodyBytes: 99_999 } }))).code).to.equal('http_response_too_large')
    })

    it('refuses encodings that it did not request, and stacked ones', async () => {
      for (const encoding of ['compress', 'gzip, gzip', 'br, gzip']) {
        const server = await startTestServer(opened, (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end('x'))
        expect((await failureOf(ask(openTestClient(opened), `http://127.0.0.1:${server.port}/`))).code).to.equal('http_response_invalid')
      }
    })

    it('accepts a response without a body, encoded or not', async () => {
      const server = await startTestServer(opened, ({ method }, response) =>
        response.writeHead(method === 'HEAD' ? 200 : 204, { 'content-encoding': 'gzip' }).end(),
      )
      const client = openTestClient(opened)
      for (const method of ['HEAD', 'GET'])
        expect((await ask(client, `http://127.0.0.1:${server.port}/`, { method })).body).to.have.length(0)
    })

    it('passes on a stream as it arrives, and releases the connection when the reader leaves', async () => {
      const closed: Promise<void>[] = []
      const server = await startTestServer(opened, (_, response) => {
        closed.push(new Promise((resolve) => response.once('close', () => resolve())))
        response.write('first')
      })
      const client = openTestClient(opened)
      const request = { url: `http://127.0.0.1:${server.port}/`, ...local }
      const { body, status } = await client.stream(request, { signal })
      expect(status).to.equal(200)
      for await (const piece of body) {
        expect(text(piece)).to.equal('first')
        break
      }
      await closed[0]
      const unread = await client.stream(request, { signal })
      await unread.close()
      await unread.close()
      await closed[1]
    })
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

  describe('servers that break HTTP', () => {
    const serve = async (answer: (socket: Socket) => void): Promise<string> => {
      const server = createNetServer((socket) => {
        opened.add(() => void socket.destroy())
        socket.on('error', () => undefined).once('data', () => answer(socket))
      })
      return `http://127.0.0.1:${await listenOn(opened, server)}/`
    }

    it('ends a flood of headers, of any kind', async () => {
      const one = await serve((socket) => socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(100_000)}\r\n\r\n`))
      const many = await serve((socket) => socket.write(`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(20_000)}\r\n`))
      for (const url of [one, many]) {
        const { code } = await failureOf(ask(openTestClient(opened), url))
        expect(code).to.be.oneOf(['http_response_too_large', 'http_response_invalid'])
      }
    })

    it('ends a flood of interim answers with the time for the headers', async () => {
      const url = await serve((socket) => {
        const more = (): void => {
          if (!socket.destroyed) socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(50), () => setImmediate(more))
        }
        more()
      })
      expect((await failureOf(ask(openTestClient(opened), url, { limits: { headersMs: 200 } }))).code).to.equal('http_request_timeout')
    })

    it('reports responses that are not HTTP, closed connections, and bodies that are too short', async () => {
      const nonsense = await serve((socket) => socket.end('220 mail.example ESMTP\r\n'))
      const gone = await serve((socket) => socket.destroy())
      const short = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'))
      const client = openTestClient(opened)
      expect((await failureOf(ask(client, nonsense))).code).to.equal('http_response_invalid')
      expect((await failureOf(ask(client, gone))).message).to.contain('it closed the connection')
      expect((await failureOf(ask(client, short))).code).to.be.oneOf(['http_connection_failed', 'http_response_invalid'])
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
