import { once } from 'node:events'
import { connect } from 'node:net'
import { defineRoute, type ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { startTestServer, type TestServer, testPrincipal } from '../testing/start-test-server.js'
import { formatServerSentEvent } from './send-events.js'

const answers = { 200: { description: 'Events.', contentType: 'text/event-stream' } }

/** A source that a test feeds by hand and that records when it was ended. */
function createSource() {
  const waiting: ServerSentEvent[] = []
  let wake: () => void = () => undefined
  let ended: () => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    ended = resolve
  })
  return {
    finished,
    send(event: ServerSentEvent) {
      waiting.push(event)
      wake()
    },
    async *events(signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
      const aborted = () => wake()
      signal.addEventListener('abort', aborted)
      try {
        while (!signal.aborted) {
          const next = waiting.shift()
          if (next) yield next
          else
            await new Promise<void>((resolve) => {
              wake = resolve
            })
        }
      } finally {
        ended()
      }
    },
  }
}

describe('server-sent events', () => {
  let server: TestServer
  let source: ReturnType<typeof createSource>
  const streamRoute = defineRoute({
    method: 'GET',
    path: '/api/events',
    operationId: 'streamEvents',
    summary: 'Events',
    auth: 'user',
    streaming: true,
    answers,
    handle: async ({ signal }) => ({ status: 200, kind: 'events', events: source.events(signal) }),
  })

  beforeEach(async () => {
    source = createSource()
    server = await startTestServer({ routes: [streamRoute], limits: { maxStalledMs: 300 } })
    server.authenticator.grant('good', testPrincipal())
  })
  afterEach(() => server.close())

  it('writes every field in the wire format', () => {
    expect(formatServerSentEvent({ id: '7', event: 'text.delta', data: 'a\nb\r\nc\rd', retry: 5 })).to.equal(
      'id: 7\nevent: text.delta\nretry: 5\ndata: a\ndata: b\ndata: c\ndata: d\n\n',
    )
    expect(formatServerSentEvent({ comment: 'still\nhere' })).to.equal(': still\n: here\n\n')
    expect(() => formatServerSentEvent({ id: '1\n2', data: '' })).to.throw('line break')
  })

  it('sends a comment after each silence, until it ends', async () => {
    await server.close()
    server = await startTestServer({ routes: [streamRoute], limits: { eventCommentMs: 20 } })
    server.authenticator.grant('good', testPrincipal())
    const leaving = new AbortController()
    const answer = await server.fetch('/api/events?token=good', { signal: leaving.signal })
    let text = ''
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    while (!text.endsWith(': still here\n\n: still here\n\n')) text += (await reader?.read())?.value ?? ''
    source.send({ id: '1', event: 'one', data: '{}' })
    while (!text.endsWith('data: {}\n\n: still here\n\n')) text += (await reader?.read())?.value ?? ''
    leaving.abort()
    await source.finished
    expect(text.replaceAll(': still here\n\n', '')).to.equal('id: 1\nevent: one\ndata: {}\n\n')
  })

  it('sends the head at once and each event as it occurs, and ends the iteration when the client disconnects', async () => {
    const leaving = new AbortController()
    const answer = await server.fetch('/api/events?token=good', { signal: leaving.signal })
    expect(answer.headers.get('content-type')).to.equal('text/event-stream')
    expect(answer.headers.get('cache-control')).to.equal('no-store, no-transform')
    expect(answer.headers.get('x-accel-buffering')).to.equal('no')
    const reader = answer.body?.getReader()
    source.send({ id: '1', event: 'one', data: '{}' })
    expect(new TextDecoder().decode((await reader?.read())?.value)).to.equal('id: 1\nevent: one\ndata: {}\n\n')
    leaving.abort()
    await source.finished
    expect(server.log.some(({ fields }) => String(fields['path']).includes('token'))).to.equal(false)
  })

  it('sends events that are ready together in one chunk', async () => {
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    await once(socket, 'connect')
    socket.write('GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\n\r\n')
    await once(socket, 'data')
    for (const id of ['1', '2', '3']) source.send({ id, data: '{}' })
    const events = ['1', '2', '3'].map((id) => `id: ${id}\ndata: {}\n\n`).join('')
    // One chunk of the response: its size and all three events.
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    expect(bytes.toString()).to.equal(`${events.length.toString(16)}\r\n${events}\r\n`)
    socket.destroy()
    await source.finished
  })

  it('ends with a closing event when the credential is revoked or expires', async () => {
    const early = server.authenticator.grant('early', testPrincipal())
    const first = await server.fetch('/api/events', { token: 'early' })
    early.abort()
    expect(await first.text()).to.match(/^event: closing\nretry: \d+\ndata: \{"reason":"credential_ended"\}\n\n$/)
    await source.finished
    source = createSource()
    server.authenticator.grant('short', testPrincipal({ expiresAt: Date.now() + 500 }))
    const second = await server.fetch('/api/events', { token: 'short' })
    expect(await second.text()).to.contain('"reason":"credential_ended"')
    await source.finished
    expect(server.authenticator.held()).to.equal(0)
  })

  it('asks clients to reconnect when the service drains, and accepts no new streams', async () => {
    const answer = await server.fetch('/api/events', { token: 'good' })
    await server.server.drain(5_000)
    expect(await answer.text()).to.match(/^event: closing\nretry: [1-5]\d{3}\ndata: \{"reason":"draining"\}\n\n$/)
    const refused = await server.fetch('/healthz').catch((error: Error) => error)
    expect(refused).to.be.instanceOf(Error)
  })

  it('disconnects a client that never reads, with bounded memory', async () => {
    let produced = 0
    let ended: () => void = () => undefined
    const finished = new Promise<void>((resolve) => {
      ended = resolve
    })
    const block = 'x'.repeat(64 * 1024)
    server.add(
      defineRoute({
        method: 'GET',
        path: '/api/flood',
        operationId: 'flood',
        summary: 'Flood',
        auth: 'public',
        streaming: true,
        answers,
        handle: async () => ({
          status: 200,
          kind: 'events',
          events: (async function* () {
            try {
              for (;;) {
                produced += block.length
                yield { data: block }
              }
            } finally {
              ended()
            }
          })(),
        }),
      }),
    )
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.pause()
    socket.write('GET /api/flood HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await finished
    // The buffers of the operating system, and a megabyte of the service.
    expect(produced).to.be.lessThan(32 * 1024 * 1024)
    socket.destroy()
  })
})
