import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { createGate } from '@agent-service/kernel-core/database/testing'
import type { HttpLimits } from '@agent-service/kernel-core/http'
import {
  createRecordingLogger,
  openSocket,
  startTestServer,
  systemClock,
  type TestServer,
  testPrincipal,
} from '@agent-service/kernel-core/http/testing'
import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, noContent, ok, type ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createJsonPool } from '../json-threads/index.js'
import { createQuotas } from './create-quotas.js'

const streamAnswers = { 200: { description: 'Events.', contentType: 'text/event-stream' } }
const answers = { 200: { description: 'It.', schema: Type.Object({ length: Type.Integer() }) } }
const megabyte = 1024 * 1024

/** Sends so many bytes at once, and then nothing until the stream ends. */
async function* sayAndWait(bytes: number, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  yield { data: 'x'.repeat(bytes) }
  if (!signal.aborted) await once(signal, 'abort')
}

const eventsRoute = (bytes = 1): HttpRoute =>
  defineRoute({
    ...{ method: 'GET', path: '/api/events', operationId: 'streamEvents', summary: 'Events', auth: 'user', streaming: true },
    answers: streamAnswers,
    handle: async ({ signal }) => ({ status: 200, kind: 'events', events: sayAndWait(bytes, signal) }),
  })

const noteRoute = defineRoute({
  ...{ method: 'POST', path: '/api/notes', operationId: 'createNote', summary: 'Note', auth: 'user', answers },
  body: { kind: 'json', schema: Type.Object({ text: Type.String() }), limit: 4 * megabyte },
  handle: async ({ body }) => ok({ length: body.text.length }),
})

const fileRoute = defineRoute({
  ...{ method: 'PUT', path: '/api/files/one', operationId: 'putFile', summary: 'File', auth: 'user', answers },
  body: { kind: 'stream', contentTypes: ['application/octet-stream'], limit: megabyte },
  async handle({ bodyStream }) {
    let length = 0
    for await (const chunk of bodyStream ?? []) length += chunk.byteLength
    return ok({ length })
  },
})

const movingClock = (): Clock & { advance(milliseconds: number): void } => {
  let time = 0
  const advance = (milliseconds: number): void => {
    time += milliseconds
  }
  return { ...systemClock, monotonic: () => time, advance }
}

describe('the shares of requests', () => {
  let server: TestServer
  const sockets: Socket[] = []
  const aborts: AbortController[] = []
  const opened: Response[] = []

  const start = async (routes: readonly HttpRoute[], limits: Partial<HttpLimits> = {}, clock: Clock = systemClock): Promise<void> => {
    const quotas = createQuotas({ clock, log: createRecordingLogger([]) })
    server = await startTestServer({ routes, limits, clock, quotas, jsonPool: createJsonPool })
    server.authenticator.grant('greedy', testPrincipal({ userId: 'greedy' }))
    server.authenticator.grant('other', testPrincipal({ userId: 'other' }))
  }
  afterEach(async () => {
    for (const abort of aborts.splice(0)) abort.abort()
    opened.length = 0
    for (const socket of sockets.splice(0)) socket.destroy()
    await server.close()
  })

  const open = async (token: string, path = '/api/events'): Promise<Response> => {
    const abort = new AbortController()
    aborts.push(abort)
    const answer = await server.fetch(path, { token, signal: abort.signal })
    // An unreferenced one would be garbage-collected and cancelled.
    opened.push(answer)
    return answer
  }
  const codeOf = async (answer: Response): Promise<string> => ((await answer.json()) as { readonly code: string }).code
  const used = (name: string, holder: string): number =>
    [...server.quotas.limits()].find(({ definition }) => definition.name === name)?.used(`user:${holder}`) ?? 0
  const send = async (token: string, head: string, body: string | Buffer = ''): Promise<Socket> => {
    const socket = await openSocket(server.port)
    sockets.push(socket)
    socket.write(`${head} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`)
    await new Promise((resolve) => socket.write(body, resolve))
    return socket
  }
  const post = (token: string, text: string): Promise<Response> =>
    server.fetch('/api/notes', { method: 'POST', token, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text }) })

  it('permit one user 20 event streams, and release each with its stream', async () => {
    await start([eventsRoute()])
    for (let index = 0; index < 20; index += 1) expect((await open('greedy')).status).to.equal(200)
    const refused = await open('greedy')
    expect([refused.status, refused.headers.get('retry-after'), await codeOf(refused)]).to.deep.equal([429, '2', 'limit_reached'])
    expect((await open('other')).status).to.equal(200)
    aborts[0]?.abort()
    await eventually(() => used('event-streams', 'greedy') < 20)
    expect((await open('greedy')).status).to.equal(200)
  })

  it('displace an event stream that was not read for a minute by a new one, with a closing event', async () => {
    const clock = movingClock()
    await start([eventsRoute(24 * megabyte)], { maxEventStreams: 2, maxUnsentBytes: 64 * megabyte, maxStalledMs: 15_000 }, clock)
    const unread = await send('greedy', 'GET /api/events', '\r\n')
    await eventually(() => used('event-streams', 'greedy') === 1)
    const read = await open('greedy')
    const reader = read.body?.getReader()
    for (let size = 0; size < 24 * megabyte; ) size += (await reader?.read())?.value?.byteLength ?? Number.POSITIVE_INFINITY
    // Data that the operating system still buffers counts as read and restarts the time.
    let status = 429
    while (status === 429) {
      clock.advance(60_000)
      await new Promise((resolve) => setImmediate(resolve))
      status = (await open('greedy')).status
    }
    expect(status).to.equal(200)
    let tail = ''
    unread.on('data', (bytes: Buffer) => {
      tail = (tail + bytes.toString('latin1')).slice(-500)
    })
    await eventually(() => tail.endsWith('\r\n0\r\n\r\n'))
    expect(tail).to.include('event: closing').and.to.include('{"reason":"displaced"}')
    expect(used('event-streams', 'greedy')).to.equal(2)
    await reader?.cancel()
  })

  it('count the streams of plugins separately from the event streams', async () => {
    await start([eventsRoute()], { maxEventStreams: 1, maxPluginStreams: 1 })
    server.add({ ...eventsRoute(), path: '/api/changes', operationId: 'streamChanges' }, { id: 'feature-house' })
    expect((await open('greedy')).status).to.equal(200)
    expect((await open('greedy', '/api/changes')).status).to.equal(200)
    expect((await open('greedy', '/api/changes')).status).to.equal(429)
  })

  it('permit one user a number of concurrent calls; more wait, and are refused after a time', async () => {
    const gate = createGate()
    const about = { method: 'GET', summary: 'Slow', auth: 'user', answers } as const
    const slow = defineRoute({
      ...{ ...about, path: '/api/slow', operationId: 'slow' },
      async handle() {
        await gate.opened
        return ok({ length: 0 })
      },
    })
    const quick = defineRoute({ ...about, path: '/api/quick', operationId: 'quick', handle: async () => ok({ length: 0 }) })
    await start([slow, quick], { maxCalls: 2, maxShareWaitMs: 300 })
    const held = [open('greedy', '/api/slow'), open('greedy', '/api/slow')]
    await eventually(() => used('calls', 'greedy') === 2)
    expect(await codeOf(await open('greedy', '/api/quick'))).to.equal('limit_reached')
    expect((await open('other', '/api/quick')).status).to.equal(200)
    const waiting = open('greedy', '/api/quick')
    gate.open()
    expect((await waiting).status).to.equal(200)
    for (const answer of await Promise.all(held)) expect(answer.status).to.equal(200)
  })

  it('keep room for others, and for small bodies, while one account sends large ones slowly', async () => {
    await start([noteRoute], { maxTotalBodyBytes: 8 * megabyte, maxBodyBytes: 2 * megabyte, smallBodyBytes: 64 * 1024 })
    const head = `POST /api/notes`
    const body = Buffer.from(
      `Content-Type: application/json\r\nContent-Length: ${megabyte}\r\n\r\n${`{"text":"${'x'.repeat(megabyte)}`.slice(0, megabyte - 1)}`,
    )
    for (let index = 0; index < 8; index += 1) await send('greedy', head, body)
    await eventually(() => used('request-bodies', 'greedy') > megabyte)
    expect((await post('other', 'x'.repeat(500_000))).status).to.equal(200)
    expect((await post('other', 'small')).status).to.equal(200)
    expect(used('request-bodies', 'greedy')).to.be.at.most(2 * megabyte)
    for (const socket of sockets) socket.destroy()
    await eventually(() => used('request-bodies', 'greedy') === 0)
    expect((await post('greedy', 'x'.repeat(500_000))).status).to.equal(200)
  })

  it('leave room for one more account, however many send as much as they may', async () => {
    await start([noteRoute], { maxTotalBodyBytes: 8 * megabyte, maxBodyBytes: 4 * megabyte, smallBodyBytes: 64 * 1024 })
    const length = 1_300_000
    const body = Buffer.from(`Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{"text":"${'x'.repeat(length - 100)}`)
    // One after the other, so that each may take half of what is left.
    const outcomes: string[] = []
    for (const account of ['one', 'one', 'one', 'two', 'two', 'three']) {
      server.authenticator.grant(account, testPrincipal({ userId: account }))
      const before = used('request-bodies', account)
      const socket = await send(account, 'POST /api/notes', body)
      let answer = ''
      socket.on('data', (bytes: Buffer) => {
        answer += bytes.toString('latin1')
      })
      await eventually(() => answer.startsWith('HTTP/1.1 429') || used('request-bodies', account) - before > length - 200)
      outcomes.push(`${account} ${answer === '' ? 'taken' : 'refused'}`)
      if (answer !== '') await eventually(() => used('request-bodies', account) <= before)
    }
    expect(outcomes).to.deep.equal(['one taken', 'one taken', 'one refused', 'two taken', 'two refused', 'three refused'])
    expect((await post('other', 'x'.repeat(900_000))).status).to.equal(200)
  })

  it('count a response until its client has read it, and disconnect a client that does not read', async () => {
    const large = defineRoute({
      ...{ method: 'GET', path: '/api/large', operationId: 'large', summary: 'Large', auth: 'user' },
      answers: { 200: { description: 'It.', schema: Type.Array(Type.String()) } },
      handle: async () => ok(Array.from({ length: 32 }, () => 'x'.repeat(megabyte))),
    })
    await start([large], { maxCalls: 1, maxShareWaitMs: 100, maxStalledMs: 1_000 })
    const unread = await send('greedy', 'GET /api/large', '\r\n')
    unread.pause()
    await eventually(() => used('calls', 'greedy') === 1)
    expect((await open('greedy', '/api/large')).status).to.equal(429)
    await eventually(() => used('calls', 'greedy') === 0)
    const closed = once(unread, 'close')
    unread.resume()
    await closed
    const read = await open('greedy', '/api/large')
    expect((await read.text()).length).to.be.greaterThan(32 * megabyte)
    await eventually(() => used('calls', 'greedy') === 0)
  })

  it('refuse a body before it is sent if its announced length exceeds the share of its account', async () => {
    await start([noteRoute], { maxBodyBytes: megabyte })
    const announce = 'Content-Type: application/json\r\nContent-Length: 600000\r\n\r\n'
    const first = await send('greedy', 'POST /api/notes', announce)
    await eventually(() => used('announced-bodies', 'greedy') === 600_000)
    const [answer] = (await once(await send('greedy', 'POST /api/notes', announce), 'data')) as [Buffer]
    expect(answer.toString()).to.match(/^HTTP\/1\.1 429 /)
    first.destroy()
    await eventually(() => used('announced-bodies', 'greedy') === 0)
    expect((await post('greedy', 'x'.repeat(600_000))).status).to.equal(200)
  })

  it('refuse a body that exceeds the share of its account', async () => {
    await start([noteRoute], { maxBodyBytes: 100_000 })
    const refused = await post('greedy', 'x'.repeat(200_000))
    expect([refused.status, await codeOf(refused)]).to.deep.equal([429, 'limit_reached'])
  })

  it('permit one user a number of concurrent streamed bodies', async () => {
    await start([fileRoute], { maxUploads: 2, maxShareWaitMs: 200 })
    const upload = 'Content-Type: application/octet-stream\r\nContent-Length: 10\r\n\r\nx'
    await send('greedy', 'PUT /api/files/one', upload)
    await send('greedy', 'PUT /api/files/one', upload)
    await eventually(() => used('uploads', 'greedy') === 2)
    const put = (token: string) =>
      server.fetch('/api/files/one', { method: 'PUT', token, headers: { 'content-type': 'application/octet-stream' }, body: 'y' })
    expect((await put('greedy')).status).to.equal(429)
    expect((await put('other')).status).to.equal(200)
    sockets[0]?.destroy()
    await eventually(() => used('uploads', 'greedy') < 2)
    expect((await put('greedy')).status).to.equal(200)
  })

  it('end a streamed body that arrives byte by byte', async () => {
    await start([fileRoute], { maxBodyIdleMs: 300, minBodyBytesPerSecond: 1_000 })
    const socket = await send('greedy', 'PUT /api/files/one', 'Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\n')
    const trickle = setInterval(() => socket.write('x'), 50)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    clearInterval(trickle)
    expect(answer.toString()).to.match(/^HTTP\/1\.1 408 /)
  })

  it('work on one large body of a user at a time, until it is answered or its turn is over; others overtake', async () => {
    const clock = createControlledClock()
    const atWork: { readonly token: string; readonly end: () => void }[] = []
    const slowRoute = defineRoute({
      method: 'POST',
      path: '/api/slow',
      operationId: 'workOnNote',
      summary: 'Work',
      auth: 'user',
      body: { kind: 'json', schema: Type.Object({ text: Type.String() }), limit: 8 * megabyte },
      answers: { 204: { description: 'Done.' } },
      handle: async ({ principal }) => {
        await new Promise<void>((resolve) => atWork.push({ token: principal?.userId ?? '', end: resolve }))
        return noContent()
      },
    })
    await start([slowRoute], { parseInThreadBytes: 10_000, largeBodyTurnMs: 250 }, clock)
    const send = (token: string, length: number) =>
      server.fetch('/api/slow', {
        method: 'POST',
        token,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'x'.repeat(length) }),
      })
    const tokens = () => atWork.map(({ token }) => token)
    const sent = [1, 2, 3, 4].map(() => send('greedy', megabyte))
    await eventually(() => atWork.length === 1)
    sent.push(send('other', megabyte), send('greedy', 100))
    await eventually(() => atWork.length === 3)
    expect(tokens(), 'one large one of each, and small ones').to.have.members(['greedy', 'other', 'greedy'])
    expect(used('large-bodies', 'greedy')).to.equal(1)
    atWork[0]?.end()
    await eventually(() => atWork.length === 4)
    // The third begins although the second is not answered: its turn is over.
    await clock.advance(250)
    await eventually(() => atWork.length === 5)
    await clock.advance(250)
    await eventually(() => atWork.length === 6)
    for (const { end } of atWork) end()
    expect((await Promise.all(sent)).map(({ status }) => status)).to.deep.equal([204, 204, 204, 204, 204, 204])
    await eventually(() => used('large-bodies', 'greedy') === 0)
  })
})
