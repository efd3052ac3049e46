import { echoRoute, openWebSocket } from '@agent-service/kernel-core/http/testing'
import type { WebSocketMessage } from '@agent-service/sdk/contracts/websocket-route'
import { expect } from 'chai'
import { openWebSocketBench, rawRoute, type WebSocketBench } from './testing/web-socket-bench.js'

describe('the messages of a WebSocket', () => {
  let bench: WebSocketBench
  afterEach(() => bench.server.close())

  const start = async (...given: Parameters<typeof openWebSocketBench>): Promise<string> => {
    bench = await openWebSocketBench(...given)
    return bench.url
  }

  it('close it with 1009 if one is too large, also in fragments', async () => {
    const url = await start(rawRoute({ maxMessageBytes: 1_000 }))
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

  it('close it if they are not JSON, do not match the schema, or are binary', async () => {
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

  it('close it with 1007 if their text is not UTF-8', async () => {
    const url = await start(rawRoute({}))
    const connection = await openWebSocket(url)
    connection.socket.send(Buffer.from([0xff, 0xfe]), { binary: false })
    expect((await connection.closed).code).to.equal(1007)
  })

  it('close it with 1008 if they are a flood, of pings too', async () => {
    let handled = 0
    const url = await start(
      rawRoute({ maxMessagesPerSecond: 20 }, async ({ messages }) => {
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

  it('close it if the client does not read them, with bounded memory', async () => {
    const chunk = Buffer.alloc(64 * 1024)
    let sent = 0
    let failure: unknown
    let finish: () => void = () => undefined
    const over = new Promise<void>((resolve) => {
      finish = resolve
    })
    const url = await start(
      rawRoute({ maxOutstandingBytes: 256 * 1024 }, async ({ send }) => {
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
    await bench.server.close()
    connection.socket.terminate()
  })

  it('close it if a handler sends them faster than the client reads, without waiting', async () => {
    const outcome: { results?: readonly PromiseSettledResult<void>[] } = {}
    let finish: () => void = () => undefined
    const over = new Promise<void>((resolve) => {
      finish = resolve
    })
    const url = await start(
      rawRoute({ maxOutstandingBytes: 1024 * 1024 }, async ({ send }) => {
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

  it('are read from the socket only as fast as the handler reads them', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const url = await start(
      rawRoute({ maxMessageBytes: 1024 * 1024, maxMessagesPerSecond: 10_000 }, async ({ messages, send }) => {
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
    for (let round = 0; round < 20; round += 1) metrics = await (await bench.server.fetch('/metrics')).text()
    const taken = Number(/websocket_messages_total\{operation="rawEcho",direction="in"\} (\d+)/.exec(metrics)?.[1])
    expect(taken).to.be.within(1, 20)
    release()
    expect(await connection.next()).to.equal(String(24 * 1024 * 1024))
    expect(await connection.closed).to.deep.equal({ code: 1000, reason: '' })
  })

  it('end without an error when the client disconnects, and no more can be sent', async () => {
    let outcome: unknown
    let finish: () => void = () => undefined
    const over = new Promise<void>((resolve) => {
      finish = resolve
    })
    const url = await start(
      rawRoute({}, async ({ messages, send }) => {
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

  it('are refused if the route does not have their kind', async () => {
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

  it('are sent only as the route declares them, if responses are checked', async () => {
    const url = await start(echoRoute({ auth: 'public', handle: ({ send }) => send({ kind: 'json', json: { said: 7 } }) }))
    expect((await (await openWebSocket(url)).closed).code).to.equal(1011)
    expect(bench.server.answerCheck.violations).to.deep.equal([{ operationId: 'echo', status: 101, problem: '/said must be a string' }])
  })

  it('reach the handler as plain data and callbacks, which a bridge can transfer', async () => {
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
})
