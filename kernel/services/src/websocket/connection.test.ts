import { once } from 'node:events'
import { setImmediate, setTimeout } from 'node:timers/promises'
import {
  echoRoute,
  openSocket,
  openWebSocket,
  rawEchoRoute,
  refusedWebSocket,
  startTestServer,
  type TestServer,
  testPrincipal,
} from '@agent-service/kernel-core/http/testing'
import { defineError } from '@agent-service/sdk'
import type { WebSocketConnection, WebSocketLimits, WebSocketMessage, WebSocketRoute } from '@agent-service/sdk/contracts/websocket-route'
import { expect } from 'chai'
import { createHttpMetrics } from '../metrics/index.js'
import { openWebSockets } from './index.js'

const teapotError = defineError<Readonly<Record<never, never>>>({
  code: 'teapot',
  status: 418,
  title: 'Teapot',
  message: () => 'No coffee.',
})

const handshake = [
  'GET /api/raw HTTP/1.1',
  'Host: localhost',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  '',
  '',
].join('\r\n')

describe('an open WebSocket', () => {
  let server: TestServer
  afterEach(() => server.close())

  const start = async (
    route: WebSocketRoute,
    options: Parameters<typeof startTestServer>[0] = {},
    owner: Parameters<TestServer['table']['addWebSocket']>[1] = { id: 'kernel' },
  ): Promise<string> => {
    server = await startTestServer({ webSockets: openWebSockets, metrics: createHttpMetrics, ...options })
    server.authenticator.grant('ada', testPrincipal())
    server.authenticator.grant('bob', testPrincipal({ userId: '0190a0a0-0000-7000-8000-000000000002' }))
    server.table.addWebSocket(route, owner)
    return `ws://127.0.0.1:${server.port}${route.path}`
  }
  /** Waits until so many connections have ended. */
  const ended = async (count: number, line = 'websocket'): Promise<void> => {
    while (server.log.filter(({ message }) => message === line).length < count) await setImmediate()
    await setImmediate()
  }
  const raw = (limits: WebSocketLimits, handle?: (connection: WebSocketConnection) => Promise<void>): WebSocketRoute =>
    rawEchoRoute({ limits, ...(handle && { handle }) })

  it('is closed with 1009 for a message that is too large, also in fragments', async () => {
    const url = await start(raw({ maxMessageBytes: 1_000 }))
    const whole = await openWebSocket(url)
    whole.socket.send('x'.repeat(1_001))
    expect((await whole.closed).code).to.equal(1009)
    const parts = await openWebSocket(url)
    parts.socket.send('x'.repeat(600), { fin: false })
    parts.socket.send('x'.repeat(600), { fin: true })
    expect((await parts.closed).code).to.equal(1009)
    const fits = await openWebSocket(url)
    fits.socket.send('x'.repeat(1_000))
    expect(await fits.next()).to.have.length(1_000)
  })

  it('is closed for messages that are not JSON, do not match the schema, or are binary', async () => {
    const url = await start(echoRoute({ auth: 'public' }))
    const cases: readonly (readonly [string | Buffer, number, string | RegExp])[] = [
      ['{"say":', 1007, 'malformed_json'],
      [`${'['.repeat(101)}${']'.repeat(101)}`, 1007, 'malformed_json'],
      ['{"say":7}', 1008, /^invalid_message: \/say must be/],
      ['{"say":"hi","more":1}', 1008, /^invalid_message: \/more/],
      [Buffer.from([1, 2]), 1003, 'unsupported_data'],
    ]
    for (const [data, code, reason] of cases) {
      const connection = await openWebSocket(url)
      connection.socket.send(data)
      const closed = await connection.closed
      expect(closed.code, String(data)).to.equal(code)
      if (typeof reason === 'string') expect(closed.reason).to.equal(reason)
      else expect(closed.reason).to.match(reason)
    }
  })

  it('is closed with 1007 for text that is not UTF-8', async () => {
    const url = await start(raw({}))
    const connection = await openWebSocket(url)
    connection.socket.send(Buffer.from([0xff, 0xfe]), { binary: false })
    expect((await connection.closed).code).to.equal(1007)
  })

  it('is closed with 1008 for a flood of messages or pings', async () => {
    let handled = 0
    const url = await start(
      raw({ maxMessagesPerSecond: 20 }, async ({ messages }) => {
        for await (const _ of messages) handled += 1
      }),
    )
    for (const flood of ['send', 'ping', 'pong'] as const) {
      const connection = await openWebSocket(url)
      connection.socket.on('error', () => undefined)
      for (let count = 0; count < 2_000; count += 1) connection.socket[flood]('x')
      expect(await connection.closed).to.deep.equal({ code: 1008, reason: 'rate_limited' })
    }
    expect(handled).to.be.within(1, 40)
  })

  it('is closed for a client that does not read, with bounded memory', async () => {
    const chunk = Buffer.alloc(64 * 1024)
    let sent = 0
    let failure: unknown
    let finish: () => void = () => undefined
    const over = new Promise<void>((resolve) => {
      finish = resolve
    })
    const url = await start(
      raw({ maxOutstandingBytes: 256 * 1024 }, async ({ send }) => {
        try {
          for (;;) {
            await send({ kind: 'binary', bytes: chunk })
            sent += chunk.byteLength
          }
        } catch (error) {
          failure = error
        }
        finish()
      }),
      { limits: { maxStalledMs: 200, webSocketCloseMs: 50 } },
    )
    const connection = await openWebSocket(url)
    connection.socket.pause()
    await over
    expect(failure).to.include({ code: 'connection_closed' })
    expect(String(failure)).to.contain('slow_reader')
    // Only the buffers of the operating system.
    expect(sent).to.be.below(32 * 1024 * 1024)
    await server.close()
    connection.socket.terminate()
  })

  it('is closed if a handler sends faster than the client reads without waiting', async () => {
    const outcome: { results?: readonly PromiseSettledResult<void>[] } = {}
    let finish: () => void = () => undefined
    const over = new Promise<void>((resolve) => {
      finish = resolve
    })
    const url = await start(
      raw({ maxOutstandingBytes: 1024 * 1024 }, async ({ send }) => {
        const bytes = Buffer.alloc(256 * 1024)
        outcome.results = await Promise.allSettled(Array.from({ length: 200 }, () => send({ kind: 'binary', bytes })))
        finish()
      }),
      { limits: { webSocketCloseMs: 50 } },
    )
    const connection = await openWebSocket(url)
    connection.socket.pause()
    await over
    const failed = outcome.results?.filter(({ status }) => status === 'rejected') ?? []
    expect(failed.length).to.be.above(190)
    connection.socket.terminate()
  })

  it('reads no more from the socket than the handler reads', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const url = await start(
      raw({ maxMessageBytes: 1024 * 1024, maxMessagesPerSecond: 10_000 }, async ({ messages, send }) => {
        let bytes = 0
        await held
        for await (const message of messages) {
          if (message.kind !== 'binary') break
          bytes += message.bytes.byteLength
        }
        await send({ kind: 'text', text: String(bytes) })
      }),
    )
    const connection = await openWebSocket(url)
    const message = Buffer.alloc(1024 * 1024)
    for (let count = 0; count < 24; count += 1) connection.socket.send(message)
    connection.socket.send('end')
    let metrics = ''
    for (let round = 0; round < 20; round += 1) metrics = await (await server.fetch('/metrics')).text()
    const taken = Number(/websocket_messages_total\{operation="rawEcho",direction="in"\} (\d+)/.exec(metrics)?.[1])
    expect(taken).to.be.within(1, 20)
    release()
    expect(await connection.next()).to.equal(String(24 * 1024 * 1024))
    expect(await connection.closed).to.deep.equal({ code: 1000, reason: '' })
  })

  it('is limited for each principal and in total', async () => {
    const url = await start(echoRoute({ limits: { maxConnectionsPerPrincipal: 2, maxConnections: 3 } }))
    const as = (token: string) => ({ authorization: `Bearer ${token}` })
    const first = await openWebSocket(url, { headers: as('ada') })
    await openWebSocket(url, { headers: as('ada') })
    const third = await refusedWebSocket(url, as('ada'))
    expect(third.problem).to.include({ status: 429, code: 'too_many_connections' })
    expect(third.headers).to.have.property('retry-after', '5')
    await openWebSocket(url, { headers: as('bob') })
    expect((await refusedWebSocket(url, as('bob'))).problem).to.include({ status: 503, code: 'connections_exhausted' })
    first.socket.close()
    await ended(1)
    const again = await openWebSocket(url, { headers: as('ada') })
    again.socket.send('{"say":"x"}')
    expect(await again.next()).to.equal('{"said":"x"}')
  })

  it('ends with its credential, and aborts the signal of its handler', async () => {
    let reason: unknown
    const url = await start(
      echoRoute({
        async handle({ signal }) {
          await once(signal, 'abort')
          reason = signal.reason
        },
      }),
    )
    const session = server.authenticator.grant('session', testPrincipal())
    const connection = await openWebSocket(url, { headers: { authorization: 'Bearer session' } })
    session.abort()
    expect(await connection.closed).to.deep.equal({ code: 1008, reason: 'credential_ended' })
    expect(String(reason)).to.contain('credential_ended')
    await ended(1)
    expect(server.authenticator.held()).to.equal(0)
    server.authenticator.grant('short', testPrincipal({ expiresAt: Date.now() + 150 }))
    const expiring = await openWebSocket(`${url}?token=short`)
    expect(await expiring.closed).to.deep.equal({ code: 1008, reason: 'credential_ended' })
  })

  it('ends with 1001 when its owner is about to stop, and no new one begins', async () => {
    const stopping = new AbortController()
    let released = 0
    const acquire = () => ({
      signal: new AbortController().signal,
      release: () => {
        released += 1
      },
    })
    const url = await start(raw({}), {}, { id: 'chess', acquire, stopping: stopping.signal })
    const connection = await openWebSocket(url)
    stopping.abort()
    expect(await connection.closed).to.deep.equal({ code: 1001, reason: 'stopping' })
    expect((await refusedWebSocket(url)).problem).to.include({ status: 503, code: 'route_stopping' })
    await ended(1)
    expect(released).to.equal(1)
  })

  it('ends with 1012 when the service drains, which waits for its handler up to the limit', async () => {
    const url = await start(raw({}))
    const connection = await openWebSocket(url)
    const drained = server.server.drain(5_000)
    expect(await connection.closed).to.deep.equal({ code: 1012, reason: 'draining' })
    await drained
  })

  it('is destroyed if the client does not answer the close frame', async () => {
    const url = await start(raw({}), { limits: { webSocketCloseMs: 60_000 } })
    const connection = await openWebSocket(url)
    connection.socket.pause()
    await server.server.drain(50)
    await server.server.close()
    connection.socket.resume()
    await connection.closed
  })

  it('is closed if no message was sent during its idle time, not counting pings', async () => {
    const url = await start(raw({ maxIdleSeconds: 1 }))
    const connection = await openWebSocket(url)
    const timer = setInterval(() => connection.socket.ping(), 200)
    expect(await connection.closed).to.deep.equal({ code: 1008, reason: 'idle' })
    clearInterval(timer)
  })

  it('stays open during a slow large message, although no ping can be answered', async () => {
    await start(raw({}), { limits: { webSocketPingMs: 300 } })
    const slow = await openSocket(server.port)
    let answer = ''
    slow.on('data', (chunk) => {
      answer += String(chunk)
    })
    slow.write(handshake)
    await once(slow, 'data')
    const text = 'slowly but surely'
    slow.write(Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]))
    for (const character of text) {
      slow.write(character)
      await setTimeout(40)
    }
    while (!answer.includes(text)) await once(slow, 'data')
    slow.destroy()
  })

  it('stops counting if the client ends its side before it is answered', async () => {
    await start(raw({ maxConnections: 1 }))
    for (let round = 0; round < 5; round += 1) {
      const socket = await openSocket(server.port)
      socket.end(handshake)
      socket.resume()
      await once(socket, 'close')
    }
    const url = `ws://127.0.0.1:${server.port}/api/raw`
    await ended(5, 'request')
    const connection = await openWebSocket(url)
    connection.socket.terminate()
  })

  it('detects a peer that does not answer pings', async () => {
    const url = await start(raw({}), { limits: { webSocketPingMs: 50 } })
    const answering = await openWebSocket(url)
    const silent = await openSocket(server.port)
    silent.write(handshake)
    silent.resume()
    await once(silent, 'close')
    answering.socket.send('still here')
    expect(await answering.next()).to.equal('still here')
  })

  it('is closed when the handler ends: normally, with a code, or with an error', async () => {
    const url = await start(
      raw({}, async ({ messages, close }) => {
        for await (const message of messages) {
          const text = message.kind === 'text' ? message.text : ''
          if (text === 'return') return
          if (text === 'code') await close(4001, 'enough')
          if (text === 'wrong code') await close(1006).catch((error: unknown) => close(1011, String(error).slice(0, 20)))
          if (text === 'teapot') throw teapotError.create({})
          if (text === 'throw') throw new Error('secret words')
        }
      }),
    )
    const cases = [
      ['return', 1000, ''],
      ['code', 4001, 'enough'],
      ['wrong code', 1011, 'RangeError: The clos'],
      ['teapot', 1008, 'teapot'],
      ['throw', 1011, 'internal_error'],
    ] as const
    for (const [text, code, reason] of cases) {
      const connection = await openWebSocket(url)
      connection.socket.send(text)
      expect(await connection.closed, text).to.deep.equal({ code, reason })
    }
    expect(server.log.filter(({ level }) => level === 'error')).to.have.length(1)
  })

  it('ends the messages without an error when the client disconnects, and refuses to send', async () => {
    let outcome: unknown
    let finish: () => void = () => undefined
    const over = new Promise<void>((resolve) => {
      finish = resolve
    })
    const url = await start(
      raw({}, async ({ messages, send }) => {
        for await (const _ of messages);
        outcome = await send({ kind: 'text', text: 'late' }).catch((error: unknown) => error)
        finish()
      }),
    )
    const connection = await openWebSocket(url)
    connection.socket.terminate()
    await over
    expect(outcome).to.include({ code: 'connection_closed' })
  })

  it('refuses messages of a kind that the route does not have', async () => {
    const url = await start(
      echoRoute({
        auth: 'public',
        async handle({ send }) {
          const outcome = await send({ kind: 'text', text: 'x' }).catch((error: unknown) => error)
          await send({ kind: 'json', json: { said: String(outcome) } })
        },
      }),
    )
    expect(await (await openWebSocket(url)).next()).to.contain('TypeError')
  })

  it('sends only messages that its route declares, if responses are checked', async () => {
    const url = await start(echoRoute({ auth: 'public', handle: ({ send }) => send({ kind: 'json', json: { said: 7 } }) }))
    expect((await (await openWebSocket(url)).closed).code).to.equal(1011)
    expect(server.answerCheck.violations).to.deep.equal([{ operationId: 'echo', status: 101, problem: '/said must be a string' }])
  })

  it('passes plain data and callbacks to the handler, which a bridge can transfer', async () => {
    const url = await start(
      echoRoute({
        path: '/api/echo/{room}',
        async handle(connection) {
          const carried = structuredClone(connection.request)
          const messages = (async function* (): AsyncGenerator<WebSocketMessage> {
            for await (const message of connection.messages) yield structuredClone(message)
          })()
          await echoRoute().handle({
            ...connection,
            request: carried,
            messages,
            send: (message) => connection.send(structuredClone(message)),
          })
        },
      }),
    )
    const connection = await openWebSocket(url.replace('{room}', 'blue'), { headers: { authorization: 'Bearer ada', cookie: 'x=1' } })
    connection.socket.send('{"say":"over"}')
    expect(await connection.next()).to.equal('{"said":"over"}')
  })

  it('is counted in the metrics', async () => {
    const url = await start(echoRoute({ auth: 'public' }))
    const connection = await openWebSocket(url)
    connection.socket.send('{"say":"x"}')
    await connection.next()
    const text = async () => (await server.fetch('/metrics')).text()
    expect(await text()).to.contain('websocket_connections_open{operation="echo"} 1')
    connection.socket.close(1000)
    await ended(1)
    await refusedWebSocket(url, { origin: 'https://evil.example' })
    const after = await text()
    expect(after).to.contain('websocket_connections_open{operation="echo"} 0')
    expect(after).to.contain('websocket_connections_ended_total{operation="echo",code="1000"} 1')
    expect(after).to.contain('websocket_messages_total{operation="echo",direction="in"} 1')
    expect(after).to.contain('websocket_messages_total{operation="echo",direction="out"} 1')
    expect(after).to.contain('websocket_refused_total{operation="echo",status="403"} 1')
  })
})
