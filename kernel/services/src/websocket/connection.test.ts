import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { echoRoute, openSocket, openWebSocket, refusedWebSocket, testPrincipal } from '@agent-service/kernel-core/http/testing'
import { defineError } from '@agent-service/sdk'
import { expect } from 'chai'
import { openWebSocketBench, rawRoute, type WebSocketBench } from './testing/web-socket-bench.js'

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
  let bench: WebSocketBench
  afterEach(() => bench.server.close())

  const start = async (...given: Parameters<typeof openWebSocketBench>): Promise<string> => {
    bench = await openWebSocketBench(...given)
    return bench.url
  }

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
    await bench.ended(1)
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
    const session = bench.server.authenticator.grant('session', testPrincipal())
    const connection = await openWebSocket(url, { headers: { authorization: 'Bearer session' } })
    session.abort()
    expect(await connection.closed).to.deep.equal({ code: 1008, reason: 'credential_ended' })
    expect(String(reason)).to.contain('credential_ended')
    await bench.ended(1)
    expect(bench.server.authenticator.held()).to.equal(0)
    bench.server.authenticator.grant('short', testPrincipal({ expiresAt: Date.now() + 150 }))
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
    const url = await start(rawRoute({}), {}, { id: 'chess', acquire, stopping: stopping.signal })
    const connection = await openWebSocket(url)
    stopping.abort()
    expect(await connection.closed).to.deep.equal({ code: 1001, reason: 'stopping' })
    expect((await refusedWebSocket(url)).problem).to.include({ status: 503, code: 'route_stopping' })
    await bench.ended(1)
    expect(released).to.equal(1)
  })

  it('ends with 1012 when the service drains, which waits for its handler up to the limit', async () => {
    const url = await start(rawRoute({}))
    const connection = await openWebSocket(url)
    const drained = bench.server.server.drain(5_000)
    expect(await connection.closed).to.deep.equal({ code: 1012, reason: 'draining' })
    await drained
  })

  it('is destroyed if the client does not answer the close frame', async () => {
    const url = await start(rawRoute({}), { limits: { webSocketCloseMs: 60_000 } })
    const connection = await openWebSocket(url)
    connection.socket.pause()
    await bench.server.server.drain(50)
    await bench.server.server.close()
    connection.socket.resume()
    await connection.closed
  })

  it('is closed if no message was sent during its idle time, not counting pings', async () => {
    const url = await start(rawRoute({ maxIdleSeconds: 1 }))
    const connection = await openWebSocket(url)
    const timer = setInterval(() => connection.socket.ping(), 200)
    expect(await connection.closed).to.deep.equal({ code: 1008, reason: 'idle' })
    clearInterval(timer)
  })

  it('stays open during a slow large message, although no ping can be answered', async () => {
    await start(rawRoute({}), { limits: { webSocketPingMs: 300 } })
    const slow = await openSocket(bench.server.port)
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
    await start(rawRoute({ maxConnections: 1 }))
    for (let round = 0; round < 5; round += 1) {
      const socket = await openSocket(bench.server.port)
      socket.end(handshake)
      socket.resume()
      await once(socket, 'close')
    }
    const url = `ws://127.0.0.1:${bench.server.port}/api/raw`
    await bench.ended(5, 'request')
    const connection = await openWebSocket(url)
    connection.socket.terminate()
  })

  it('detects a peer that does not answer pings', async () => {
    const url = await start(rawRoute({}), { limits: { webSocketPingMs: 50 } })
    const answering = await openWebSocket(url)
    const silent = await openSocket(bench.server.port)
    silent.write(handshake)
    silent.resume()
    await once(silent, 'close')
    answering.socket.send('still here')
    expect(await answering.next()).to.equal('still here')
  })

  it('is closed when the handler ends: normally, with a code, or with an error', async () => {
    const url = await start(
      rawRoute({}, async ({ messages, close }) => {
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
    expect(bench.server.log.filter(({ level }) => level === 'error')).to.have.length(1)
  })

  it('is counted in the metrics', async () => {
    const url = await start(echoRoute({ auth: 'public' }))
    const connection = await openWebSocket(url)
    connection.socket.send('{"say":"x"}')
    await connection.next()
    const text = async () => (await bench.server.fetch('/metrics')).text()
    expect(await text()).to.contain('websocket_connections_open{operation="echo"} 1')
    connection.socket.close(1000)
    await bench.ended(1)
    await refusedWebSocket(url, { origin: 'https://evil.example' })
    const after = await text()
    expect(after).to.contain('websocket_connections_open{operation="echo"} 0')
    expect(after).to.contain('websocket_connections_ended_total{operation="echo",code="1000"} 1')
    expect(after).to.contain('websocket_messages_total{operation="echo",direction="in"} 1')
    expect(after).to.contain('websocket_messages_total{operation="echo",direction="out"} 1')
    expect(after).to.contain('websocket_refused_total{operation="echo",status="403"} 1')
  })

  it('does not count as waiting on a connection that proxies used before, and learns that the service drains', async () => {
    await start(rawRoute({}), { limits: { maxIdleConnections: 1 } })
    const ask = async (socket: Socket): Promise<Socket> => {
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
      for (let text = ''; !text.includes('{"status"'); ) text += String((await once(socket, 'data'))[0])
      return socket
    }
    const used = await ask(await openSocket(bench.server.port))
    const received: Buffer[] = []
    used.on('data', (chunk: Buffer) => received.push(chunk))
    const until = async (wanted: Buffer): Promise<void> => {
      while (!Buffer.concat(received).includes(wanted)) await once(used, 'data')
    }
    used.write(handshake)
    await until(Buffer.from('HTTP/1.1 101 Switching Protocols'))
    const first = await ask(await openSocket(bench.server.port))
    await ask(await openSocket(bench.server.port))
    await once(first.resume(), 'close')
    used.write(textFrame('here'))
    await until(Buffer.from('\x81\x04here', 'latin1'))
    const drained = bench.server.server.drain(10_000)
    await until(Buffer.from('\x88', 'latin1'))
    used.end()
    await drained
  })
})

/** A message of a client, masked with zeros. */
const textFrame = (text: string): Buffer => Buffer.concat([Buffer.from([0x81, 0x80 + text.length, 0, 0, 0, 0]), Buffer.from(text)])
