import { connect, type Socket } from 'node:net'
import { Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { openSocket } from '../testing/raw-request.js'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'
import { createFrontDoor, type DoorLimits, type FrontDoor } from './front-door.js'

const who = (name: string): HttpRoute =>
  defineRoute({
    method: 'GET',
    path: '/api/who',
    operationId: 'who',
    summary: 'For tests',
    auth: 'public',
    actors: actorKinds,
    answers: { 200: { description: 'The server and the client.', schema: Type.Unknown() } },
    handle: async ({ loopback }) => ok({ name, loopback }),
  })

const ask = 'GET /api/who HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer person\r\n\r\n'

/** Everything that a connection brings. */
function listenTo(socket: Socket): () => string {
  let all = ''
  socket.on('data', (chunk) => {
    all += chunk.toString()
  })
  return () => all
}

describe('a door between two servers', () => {
  let door: FrontDoor
  const servers: TestServer[] = []
  const sockets: Socket[] = []

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    for (const server of servers.splice(0)) await server.close()
    await door.end()
  })

  const start = async (name: string, options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> => {
    const server = await startTestServer({ door, routes: [who(name)], ...options })
    servers.push(server)
    return server
  }
  const first = (limits: Partial<DoorLimits> = {}): Promise<TestServer> => {
    door = createFrontDoor(limits)
    return start('first')
  }
  const leave = async (server: TestServer): Promise<void> => {
    await server.server.drain(1_000, { restarting: true })
    await server.close()
  }
  const open = async (port: number): Promise<Socket> => {
    const socket = await openSocket(port)
    sockets.push(socket)
    return socket
  }
  const nameAt = async (server: TestServer): Promise<unknown> =>
    ((await (await server.fetch('/api/who')).json()) as { readonly name: unknown }).name

  it('lets requests wait for the next server until that is ready, and refuses none', async () => {
    const before = await first()
    expect(await nameAt(before)).to.equal('first')
    await leave(before)
    let answered = 0
    const asked = Array.from({ length: 20 }, async () => {
      const name = await nameAt(before)
      answered += 1
      return name
    })
    const next = await start('next', { starting: true, admitsWhenReady: true })
    expect([next.port, answered]).to.deep.equal([before.port, 0])
    next.server.ready()
    expect(new Set(await Promise.all(asked))).to.deep.equal(new Set(['next']))
  })

  it('keeps a connection that waits for its next request, answers that by the next server, and closes it then', async () => {
    const before = await first()
    const socket = await open(before.port)
    const heard = listenTo(socket)
    socket.write(ask)
    await eventually(() => heard().includes('"first"'))
    await leave(before)
    socket.write(ask)
    await start('next')
    await eventually(() => heard().includes('"next"'), { what: heard })
    expect(heard().toLowerCase().split('http/1.1 200')[2]).to.include('connection: close')
    await eventually(() => socket.readableEnded)
  })

  it('answers with 503 and Retry-After beyond a number, and what has waited too long', async () => {
    const before = await first({ maxHeld: 1, maxHeldMs: 300 })
    await leave(before)
    const answers = await Promise.all([before.fetch('/api/who'), before.fetch('/api/who')])
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('connection')]).to.deep.equal([503, '5', 'close'])
      expect(await answer.json()).to.include({ code: 'not_ready', status: 503 })
    }
  })

  it('forgets a request whose client has left', async () => {
    const before = await first({ maxHeld: 1 })
    await leave(before)
    const gone = await open(before.port)
    gone.write(ask)
    const refused = async (): Promise<boolean> => {
      const socket = await open(before.port)
      const heard = listenTo(socket)
      socket.write(ask)
      // Either it waits, or it is refused at once.
      const other = await open(before.port)
      const control = listenTo(other)
      other.write('nonsense\r\n\r\n')
      await eventually(() => control() !== '')
      return heard().includes('503')
    }
    await eventually(refused)
    gone.destroy()
    await eventually(async () => !(await refused()))
  })

  it('lets the handshake of a WebSocket wait too', async () => {
    const before = await first()
    await leave(before)
    const socket = await open(before.port)
    const heard = listenTo(socket)
    socket.write(
      'GET /api/who HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    await start('next')
    await eventually(() => heard().includes('websocket_unavailable'), { what: heard })
  })

  it('ends although a handshake waits, and with it what waits', async () => {
    const before = await first()
    await leave(before)
    const socket = await open(before.port)
    let isClosed = false
    socket
      .on('error', () => undefined)
      .once('close', () => {
        isClosed = true
      })
    const held = before.fetch('/api/who')
    socket.write(
      'GET /api/who HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    // Has the server read both: it answers at once what is not HTTP.
    const other = await open(before.port)
    const control = listenTo(other)
    other.write('nonsense\r\n\r\n')
    await eventually(() => control() !== '')
    await Promise.all([
      door.end(),
      held.then(
        ({ status }) => expect(status).to.equal(503),
        (error: unknown) => expect(error).to.be.instanceOf(TypeError),
      ),
    ])
    await eventually(() => isClosed)
  })

  it('never takes a program of the service for a person, whatever server it came to', async () => {
    const before = await first()
    const program = await open(Number(new URL(before.programOrigin).port))
    const heard = listenTo(program)
    program.write(ask)
    await eventually(() => heard().includes('401'))
    await before.server.drain(1_000, { restarting: true })
    program.write(ask)
    await start('next')
    await eventually(() => heard().split('HTTP/1.1 401').length === 3, { what: heard })
    await before.close()
    await eventually(() => program.readableEnded || program.destroyed)
  })

  it('goes to another address with the next server, and answers what had come to the old one', async () => {
    const before = await first({ maxHeld: 1 })
    await leave(before)
    const asked = [before.fetch('/api/who'), before.fetch('/api/who')]
    // One is refused: so the other one waits.
    expect((await Promise.race(asked)).status).to.equal(503)
    const away = await startTestServer({})
    const { port } = away
    await away.close()
    const next = await start('next', { settings: { port } })
    expect((await Promise.all(asked)).map(({ status }) => status)).to.have.members([503, 200])
    expect([await nameAt(next), next.port]).to.deep.equal(['next', port])
    const refused = await new Promise((resolve) => connect({ port: before.port, host: '127.0.0.1' }).once('error', resolve))
    expect(refused).to.have.property('code', 'ECONNREFUSED')
  })

  it('keeps a port that the system chose, and takes another one if that is in use', async () => {
    const before = await first()
    await leave(before)
    expect((await start('next')).port).to.equal(before.port)
    const other = createFrontDoor()
    const elsewhere = await startTestServer({ door: other, settings: { host: '::1' } })
    await elsewhere.server.drain(1_000, { restarting: true })
    await elsewhere.close()
    const moved = await startTestServer({ door: other })
    expect(moved.port).to.be.a('number')
    await moved.close()
  })
})
