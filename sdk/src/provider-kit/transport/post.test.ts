import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { Agent } from 'undici'
import { post } from './post.js'

describe('a POST', () => {
  let server: Server
  let agent: Agent
  let url: URL
  beforeEach(async () => {
    server = createServer((request) => request.resume())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat?x=1`)
    agent = new Agent({ connections: 1 })
  })
  afterEach(async () => {
    await agent.destroy()
    server.close()
    server.closeAllConnections()
  })
  const nextResponse = async (): Promise<ServerResponse> => ((await once(server, 'request')) as [unknown, ServerResponse])[1]
  const send = (signal: AbortSignal = new AbortController().signal) => post(agent, { url, headers: { a: '1' }, body: '{}', signal })
  const rejectionOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => undefined,
      (error: unknown) => error,
    )

  it('returns the headers at once, and joins repeated ones', async () => {
    const arriving = nextResponse()
    const answer = send()
    const response = await arriving
    response.writeEarlyHints({ link: '</x>; rel=preload' })
    response.writeHead(201, [
      ['x-one', '1'],
      ['x-two', '2'],
      ['x-two', '3'],
    ])
    response.flushHeaders()
    const { status, headers, read } = await answer
    expect(status).to.equal(201)
    expect([headers.get('X-One'), headers.get('x-two'), headers.get('x-three')]).to.deep.equal(['1', '2, 3', null])
    const bytes = read()
    response.end('done')
    expect(Buffer.from((await bytes) ?? []).toString()).to.equal('done')
    expect(await read()).to.equal(undefined)
  })

  it('ends with the reason of its signal: before the head, in the body, and while it waits for a connection', async () => {
    const arriving = nextResponse()
    const [first, second] = [new AbortController(), new AbortController()]
    const answer = send(first.signal)
    const waiting = rejectionOf(send(second.signal))
    const response = await arriving
    const reason = new Error('changed my mind')
    second.abort(reason)
    expect(await waiting).to.equal(reason)

    response.writeHead(200).write('part')
    const { read } = await answer
    await read()
    const rest = rejectionOf(read())
    const gone = once(response, 'close')
    first.abort(reason)
    expect(await rest).to.equal(reason)
    await gone

    const third = new AbortController()
    const reached = nextResponse()
    const never = rejectionOf(send(third.signal))
    await reached
    third.abort(reason)
    expect(await never).to.equal(reason)
    expect(await rejectionOf(send(AbortSignal.abort(reason)))).to.equal(reason)
  })

  it('fails with the error of the connection, before the headers and in the body', async () => {
    const arriving = nextResponse()
    const early = rejectionOf(send())
    ;(await arriving).destroy()
    expect(await early).to.have.property('code', 'UND_ERR_SOCKET')

    const next = nextResponse()
    const answer = send()
    const response = await next
    response.writeHead(200, { 'content-length': '100' }).write('part')
    const { read } = await answer
    await read()
    const rest = rejectionOf(read())
    response.destroy()
    expect(await rest).to.have.property('code', 'UND_ERR_SOCKET')
  })
})
