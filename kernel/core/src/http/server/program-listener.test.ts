import { once } from 'node:events'
import { Type } from '@agent-service/sdk'
import { defineRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { openSocket } from '../testing/raw-request.js'
import { startTestServer, type TestServer } from '../testing/start-test-server.js'

const clientRoute = defineRoute({
  method: 'GET',
  path: '/api/client',
  operationId: 'client',
  summary: 'Who asks',
  auth: 'public',
  answers: { 200: { description: 'The client.', schema: Type.Unknown() } },
  handle: async ({ address, loopback }) => ok({ address, loopback }),
})

describe('the listener for programs of the service', () => {
  let server: TestServer
  afterEach(() => server.close())

  const clientAt = async (origin: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> =>
    (await fetch(`${origin}/api/client`, { headers })).json()

  it('believes no forwarded address, also while the loopback is a trusted proxy', async () => {
    server = await startTestServer({ routes: [clientRoute], settings: { trusted_proxies: '127.0.0.0/8, ::1' } })
    const forged = { 'x-forwarded-for': '203.0.113.7' }
    expect(await clientAt(server.origin, forged)).to.deep.equal({ address: '203.0.113.7', loopback: false })
    expect(await clientAt(server.programOrigin, forged)).to.deep.equal({ address: '127.0.0.1', loopback: false })
  })

  it('takes no program for an operator of this machine', async () => {
    server = await startTestServer({ routes: [clientRoute] })
    expect(await clientAt(server.origin)).to.deep.equal({ address: '127.0.0.1', loopback: true })
    expect(await clientAt(server.programOrigin)).to.deep.equal({ address: '127.0.0.1', loopback: false })
  })

  it('ends with the server, its connections too', async () => {
    server = await startTestServer({ routes: [clientRoute] })
    const port = Number(new URL(server.programOrigin).port)
    const open = await openSocket(port)
    const ended = once(open, 'close')
    // Answered once, the connection waits for the next request.
    const answered = once(open, 'data')
    open.write('GET /api/client HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await answered
    await server.close()
    await ended
    expect(await openSocket(port).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ECONNREFUSED')
  })

  it('accepts no connection while the server drains', async () => {
    server = await startTestServer({ routes: [clientRoute] })
    await server.server.drain(1_000)
    const port = Number(new URL(server.programOrigin).port)
    expect(await openSocket(port).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ECONNREFUSED')
  })
})
