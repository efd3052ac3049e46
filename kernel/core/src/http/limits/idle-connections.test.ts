import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Type } from '@agent-service/sdk'
import { defineRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { openSocket, parseAnswer, type RawAnswer } from '../testing/raw-request.js'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'

const head = (target: string, client = '') =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${client === '' ? '' : `X-Forwarded-For: ${client}\r\n`}\r\n`

/** Reads one response with a `Content-Length`. */
async function readAnswer(socket: Socket): Promise<RawAnswer> {
  let text = ''
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    text += chunk.toString()
    const answer = parseAnswer(text)
    if (text.includes('\r\n\r\n') && answer.body.length >= Number(answer.headers['content-length'])) return answer
  }
}

describe('connections that wait for their next request', () => {
  let server: TestServer
  const start = async (options: Parameters<typeof startTestServer>[0]) => {
    server = await startTestServer(options)
  }
  afterEach(() => server.close())

  const ask = async (socket: Socket, client?: string) => {
    socket.write(head('/healthz', client))
    return readAnswer(socket)
  }
  const askedOnce = async (client?: string) => {
    const socket = await openSocket(server.port)
    expect((await ask(socket, client)).status).to.equal(200)
    return socket
  }
  const closed = (socket: Socket) => (socket.destroyed ? Promise.resolve() : once(socket.resume(), 'close'))

  it('are told how long they may wait', async () => {
    await start({ settings: { keep_alive_timeout_secs: 620 } })
    const answer = await ask(await openSocket(server.port))
    expect(answer.headers).to.include({ connection: 'keep-alive', 'keep-alive': 'timeout=620' })
  })

  it('are closed when that is over', async () => {
    await start({ settings: { keep_alive_timeout_secs: 0.1 } })
    await closed(await askedOnce())
  })

  it('outlive the limit for the head of a request, which still ends those that send nothing', async () => {
    await start({ limits: { headersTimeoutMs: 100 } })
    const waiting = await askedOnce()
    const silent = await openSocket(server.port)
    expect((await readAnswer(silent)).status).to.equal(408)
    expect((await ask(waiting)).status).to.equal(200)
    waiting.write('GET /healthz HTTP/1.1\r\nHost: ')
    expect((await readAnswer(waiting)).status).to.equal(408)
  })

  it('give way beyond the number of one network, longest waiting first, and not to others', async () => {
    await start({ settings: { trusted_proxies: '127.0.0.1' }, limits: { maxIdleOfNetwork: 2 } })
    const other = await askedOnce('192.0.2.9')
    const first = await askedOnce('2001:db8::1')
    const second = await askedOnce('2001:db8::2')
    await ask(first, '2001:db8::3')
    const third = await askedOnce('2001:db8::4')
    await closed(second)
    for (const socket of [other, first, third]) expect((await ask(socket, '192.0.2.9')).status).to.equal(200)
  })

  it('give way beyond the total, longest waiting first', async () => {
    await start({ settings: { trusted_proxies: '127.0.0.1' }, limits: { maxIdleConnections: 2 } })
    const [first, second, third] = [await askedOnce('192.0.2.1'), await askedOnce('192.0.2.2'), await askedOnce('192.0.2.3')]
    await closed(first)
    for (const socket of [second, third]) expect((await ask(socket)).status).to.equal(200)
  })

  const gatedStream = () => {
    let open: () => void = () => undefined
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const route = defineRoute({
      method: 'GET',
      path: '/api/bytes',
      operationId: 'bytes',
      summary: 'For tests',
      auth: 'public',
      answers: { 200: { description: 'Bytes.', contentType: 'application/octet-stream' } },
      handle: async () => ({
        status: 200,
        kind: 'stream',
        contentType: 'application/octet-stream',
        stream: (async function* () {
          yield Buffer.from('first')
          await opened
          yield Buffer.from('last')
        })(),
      }),
    })
    return { route, open: () => open() }
  }

  it('are never those with a request under way', async () => {
    const { route, open } = gatedStream()
    await start({ routes: [route], limits: { maxIdleConnections: 1 } })
    const busy = await openSocket(server.port)
    busy.write(head('/api/bytes') + head('/healthz'))
    await once(busy, 'data')
    const first = await askedOnce()
    const second = await askedOnce()
    await closed(first)
    expect((await ask(second)).status).to.equal(200)
    const chunks: Buffer[] = []
    busy.on('data', (chunk) => chunks.push(chunk))
    open()
    while (!Buffer.concat(chunks).includes('{"status"')) await once(busy, 'data')
    expect(Buffer.concat(chunks).toString()).to.contain('last').and.contain('HTTP/1.1 200 OK')
  })

  it('are closed at once when the service drains, and so is each of the others after its answer', async () => {
    const { route, open } = gatedStream()
    await start({ routes: [route] })
    const waiting = await askedOnce()
    const busy = await openSocket(server.port)
    busy.write(head('/api/bytes'))
    await once(busy, 'data')
    const another = await openSocket(server.port)
    another.write(head('/api/bytes'))
    const drained = server.server.drain(10_000)
    await closed(waiting)
    another.on('data', () => undefined)
    open()
    await Promise.all([closed(busy), closed(another), drained])
  })

  it('are asked to close with an answer while the service drains', async () => {
    const { route, open } = gatedStream()
    const last = defineRoute({
      method: 'GET',
      path: '/api/last',
      operationId: 'last',
      summary: 'For tests',
      auth: 'public',
      answers: { 200: { description: 'It.', schema: Type.Object({}) } },
      handle: async () => {
        open()
        return ok({})
      },
    })
    await start({ routes: [route, last] })
    const busy = await openSocket(server.port)
    busy.write(head('/api/bytes'))
    await once(busy, 'data')
    const drained = server.server.drain(10_000)
    const chunks: Buffer[] = []
    busy.on('data', (chunk) => chunks.push(chunk))
    busy.write(head('/api/last'))
    await Promise.all([once(busy, 'close'), drained])
    const [, second = ''] = Buffer.concat(chunks).toString().split('HTTP/1.1 ')
    expect(second).to.match(/^200 OK/)
    expect(parseAnswer(`HTTP/1.1 ${second}`).headers).to.include({ connection: 'close' })
  })
})
