import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { expectProblem } from './support/expect-problem.js'
import { type HostileTarget, startHostileTarget } from './support/hostile-target.js'
import { openSocket, readToEnd, requestBytes, sendBytes } from './support/raw-http.js'

/** Writes a byte every 40 ms until the connection is closed. */
function trickle(socket: Socket, byte: string): void {
  const timer = setInterval(() => {
    if (socket.writable) socket.write(byte)
  }, 40)
  socket.once('close', () => clearInterval(timer))
}

describe('slow clients and floods', function () {
  this.timeout(30_000)
  let target: HostileTarget
  let untouched: unknown

  before(async () => {
    target = await startHostileTarget({
      httpLimits: { headersTimeoutMs: 500, maxBodyIdleMs: 400, maxJsonArrivalMs: 900, maxTotalBodyBytes: 4 * 1024 * 1024 },
    })
    untouched = await target.state()
  })
  after(() => target?.close())
  afterEach(async () => {
    expect(await target.state()).to.deep.equal(untouched)
  })

  const post = (lines: string): string =>
    `POST /api/chats HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${target.ada.token}\r\nContent-Type: application/json\r\n${lines}\r\n\r\n`
  const openRequests = async (): Promise<number> => {
    const answer = await target.send('/metrics')
    return Number(/^http_requests_open (\d+)$/m.exec(answer.body)?.[1])
  }

  it('closes connections whose head never ends, however slowly it grows', async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(target.url)))
    const answers = sockets.map((socket) => readToEnd(socket, 5_000))
    for (const socket of sockets) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
      trickle(socket, 'x')
    }
    // Meanwhile others are served.
    expect((await target.send('/api/chats', { token: target.ada.token })).status).to.equal(200)
    for (const answer of await Promise.all(answers)) {
      expect([answer.status, expectProblem(answer, 'a slow head').code]).to.deep.equal([408, 'request_timeout'])
    }
  })

  it('closes connections that send nothing', async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(target.url)))
    const answers = await Promise.all(sockets.map((socket) => readToEnd(socket, 5_000)))
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([408]))
  })

  it('ends bodies that stop, and bodies that arrive too slowly', async () => {
    for (const byte of ['', ' ']) {
      const socket = await openSocket(target.url)
      const answer = readToEnd(socket, 5_000)
      socket.write(`${post('Content-Length: 1000')}{"title":`)
      if (byte !== '') trickle(socket, byte)
      expect([(await answer).status, expectProblem(await answer, 'a slow body').code]).to.deep.equal([408, 'request_timeout'])
    }
  })

  it('does not reserve memory for a hundred slow bodies, and accepts others again at once', async () => {
    const body = `{"title":"${'x'.repeat(200_000)}`
    const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(target.url)))
    const answers = sockets.map((socket) => readToEnd(socket, 10_000))
    for (const socket of sockets) socket.write(`${post('Content-Length: 900000')}${body}`)
    const seen = (await Promise.all(answers)).map((answer) => (answer.status === 0 ? 'reset' : expectProblem(answer, 'many bodies').code))
    expect(new Set(seen)).to.include('limit_reached').and.include('request_timeout')
    expect(seen.filter((code) => !['limit_reached', 'overloaded', 'request_timeout', 'reset'].includes(code))).to.deep.equal([])
    await target.refuses('/api/chats', { method: 'POST', body: `{"unknown":"${'x'.repeat(900_000)}"}` }, 422, 'invalid_request')
    expect(await openRequests()).to.equal(1)
  })

  it('refuses too many and too large headers', async () => {
    const flood = (count: number, value: string) =>
      requestBytes('/healthz', { headers: Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, value])) })
    for (const bytes of [flood(1, 'v'.repeat(17_000)), flood(20_000, 'v'), flood(100, 'v'.repeat(1_000))]) {
      const answer = await sendBytes(target.url, bytes)
      // Where more was sent than is read, the connection may be reset before the answer is taken.
      if (answer.status !== 0) expect([answer.status, expectProblem(answer, 'a flood').code]).to.deep.equal([431, 'headers_too_large'])
    }
    expect((await sendBytes(target.url, flood(1_500, ''))).status).to.be.oneOf([200, 431])
    const long = await target.send(`/api/chats?cursor=${'x'.repeat(20_000)}`, { token: target.ada.token })
    expect([long.status, expectProblem(long, 'a long target').code]).to.deep.equal([431, 'headers_too_large'])
  })

  it('answers input that is not HTTP', async () => {
    for (const bytes of [
      '\u0000\u0001\u0002\u0003\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000\u0001',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\nHost: a\n\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nBad Header: 1\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\n folded: 1\r\n\r\n',
      'POST /api/chats HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n',
    ]) {
      const answer = await sendBytes(target.url, bytes, { limitMs: 5_000 })
      expect([answer.status, expectProblem(answer, JSON.stringify(bytes)).code], JSON.stringify(bytes)).to.deep.equal([
        400,
        'invalid_request_head',
      ])
    }
  })

  it('ignores unknown expectations', async () => {
    const answer = await target.send('/api/version', { headers: { expect: 'something-else' } })
    expect([answer.status, answer.headers['content-type']]).to.deep.equal([200, 'application/json'])
  })

  it('answers pipelined requests of one connection in order', async () => {
    const socket = await openSocket(target.url)
    const one = `GET /api/version HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const bad = `GET /api/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n`
    socket.write(`${`${one}${bad}`.repeat(200)}${requestBytes('/healthz').toString()}`)
    const { text } = await readToEnd(socket)
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
    expect(statuses).to.deep.equal([...Array.from({ length: 200 }, () => ['200', '404']).flat(), '200'])
  })

  it('keeps serving after a thousand connections that were opened and dropped', async () => {
    for (let round = 0; round < 10; round += 1) {
      const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(target.url)))
      for (const [index, socket] of sockets.entries()) {
        if (index % 2 === 0) socket.write('GET /api/chats HTTP/1.1\r\nHost: localhost\r\n')
        socket.resetAndDestroy()
      }
    }
    const socket = await openSocket(target.url)
    socket.write(requestBytes('/healthz'))
    expect(String((await once(socket, 'data'))[0])).to.contain('200 OK')
    socket.destroy()
    expect(await openRequests()).to.equal(1)
  })
})
