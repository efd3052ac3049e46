import { once } from 'node:events'
import { connect } from 'node:net'
import { defineRoute, noContent } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { openSocket, parseAnswer } from '../testing/raw-request.js'
import { startTestServer, type TestServer, testPrincipal } from '../testing/start-test-server.js'

/** A promise that the test settles. */
function createGate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('the end of exchanges', () => {
  let server: TestServer
  let entered: ReturnType<typeof createGate>
  let gate: ReturnType<typeof createGate>
  let aborted: ReturnType<typeof createGate>
  const route = defineRoute({
    method: 'POST',
    path: '/api/work',
    operationId: 'work',
    summary: 'Work',
    auth: 'user',
    answers: { 204: { description: 'Done.' } },
    handle: async ({ signal }) => {
      entered.open()
      signal.addEventListener('abort', () => {
        aborted.open()
        gate.open()
      })
      await gate.opened
      signal.throwIfAborted()
      return noContent()
    },
  })
  const owner = () => {
    const controller = new AbortController()
    return { controller, owner: { id: 'plugin', acquire: () => ({ signal: controller.signal, release: () => undefined }) } }
  }

  beforeEach(async () => {
    entered = createGate()
    gate = createGate()
    aborted = createGate()
    server = await startTestServer()
    server.authenticator.grant('good', testPrincipal())
  })
  afterEach(() => server.close())

  it('lets a request finish while the service drains, and accepts no other', async () => {
    server.add(route)
    const answer = server.fetch('/api/work', { method: 'POST', token: 'good' })
    await entered.opened
    const drained = server.server.drain(10_000)
    expect(await openSocket(server.port).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ECONNREFUSED')
    gate.open()
    expect((await answer).status).to.equal(204)
    await drained
  })

  it('ends requests that do not finish within the limit', async () => {
    server.add(route)
    const answer = server.fetch('/api/work', { method: 'POST', token: 'good' })
    await entered.opened
    await server.server.drain(50)
    await aborted.opened
    expect((await answer).status).to.equal(503)
  })

  it('aborts the handler when the client disconnects, without logging an error', async () => {
    server.add(route)
    const socket = await openSocket(server.port)
    socket.write('POST /api/work HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nContent-Length: 0\r\n\r\n')
    await entered.opened
    socket.destroy()
    await aborted.opened
    await server.close()
    expect(server.log.filter(({ level }) => level === 'error')).to.deep.equal([])
    expect(server.authenticator.held()).to.equal(0)
  })

  it('answers 503 when the owner stops, and 401 when the credential ends', async () => {
    const plugin = owner()
    const remove = server.add(route, plugin.owner)
    const stopped = server.fetch('/api/work', { method: 'POST', token: 'good' })
    await entered.opened
    plugin.controller.abort()
    expect((await stopped).status).to.equal(503)
    await remove()

    entered = createGate()
    gate = createGate()
    server.add(route)
    const session = server.authenticator.grant('session', testPrincipal())
    const ended = server.fetch('/api/work', { method: 'POST', token: 'session' })
    await entered.opened
    session.abort()
    expect((await ended).status).to.equal(401)
  })

  it('ends a stream with the reason when its owner stops', async () => {
    const plugin = owner()
    server.add(
      defineRoute({
        method: 'GET',
        path: '/api/stream',
        operationId: 'stream',
        summary: 'Stream',
        auth: 'public',
        streaming: true,
        answers: { 200: { description: 'Events.', contentType: 'text/event-stream' } },
        handle: async ({ signal }) => ({
          status: 200,
          kind: 'events',
          events: (async function* () {
            await once(signal, 'abort')
            yield { comment: 'too late' }
          })(),
        }),
      }),
      plugin.owner,
    )
    const stream = await server.fetch('/api/stream')
    plugin.controller.abort()
    expect(await stream.text()).to.contain('"reason":"stopping"')
  })

  it('breaks the connection of a byte stream that fails in the middle', async () => {
    server.add(
      defineRoute({
        method: 'GET',
        path: '/api/download',
        operationId: 'download',
        summary: 'Download',
        auth: 'public',
        answers: { 200: { description: 'Bytes.', contentType: 'application/octet-stream' } },
        handle: async () => ({
          status: 200,
          kind: 'stream',
          contentType: 'application/octet-stream',
          stream: (async function* () {
            yield Buffer.from('half')
            throw new Error('the disk is gone')
          })(),
        }),
      }),
    )
    const read = (path: string) =>
      server
        .fetch(path)
        .then((answer) => answer.text())
        .catch((error: Error) => error.name)
    const errors = () => server.log.filter(({ level }) => level === 'error').map(({ fields }) => (fields['error'] as Error).message)
    expect(await read('/api/download')).to.equal('TypeError')
    expect(errors()).to.deep.equal(['the disk is gone'])
    server.add(
      defineRoute({
        method: 'GET',
        path: '/api/broken-events',
        operationId: 'brokenEvents',
        summary: 'Events',
        auth: 'public',
        answers: { 200: { description: 'Events.', contentType: 'text/event-stream' } },
        handle: async () => ({
          status: 200,
          kind: 'events',
          events: (async function* () {
            yield { data: 'half' }
            throw new Error('the source is gone')
          })(),
        }),
      }),
    )
    expect(await read('/api/broken-events')).to.equal('TypeError')
    expect(errors()).to.deep.equal(['the disk is gone', 'the source is gone'])
  })

  it('answers pipelined requests in their order', async () => {
    const socket = await openSocket(server.port)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.write(
      `GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /api/version HTTP/1.1\r\nHost: a\r\n\r\nGET /api/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    )
    await once(socket, 'close')
    const answers = Buffer.concat(chunks)
      .toString()
      .split(/(?=HTTP\/1\.1 )/)
      .map(parseAnswer)
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 404])
  })

  it('closes without waiting for the client of a refused handshake', async () => {
    const untouched = globalThis.setTimeout
    const held = setTimeout(() => undefined, 0)
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    // What would be done after a while is never done.
    globalThis.setTimeout = Object.assign(() => held, untouched)
    try {
      socket.write('GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      socket.resume()
      await once(socket, 'end')
      await server.close()
    } finally {
      globalThis.setTimeout = untouched
      socket.destroy()
    }
  })

  it('can be closed twice, and without having listened', async () => {
    await server.close()
    await server.close()
  })
})
