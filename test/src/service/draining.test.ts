import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createClientView } from '../agents/support/client-view.js'
import { openSocket, readToEnd } from '../bad-input/support/raw-http.js'
import { signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { type HaltingUpstream, startHaltingUpstream } from './support/halting-upstream.js'
import { openStream } from './support/raw-stream.js'

describe('a service that is stopped in the middle of its work', function () {
  this.timeout(60_000)
  let upstream: HaltingUpstream
  let folder: string
  let service: ServiceProcess | undefined

  beforeEach(async () => {
    upstream = await startHaltingUpstream()
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-draining-'))
    await writeConfiguration(folder, upstream.url)
  })
  afterEach(async () => {
    await service?.kill()
    service = undefined
    await upstream.close()
    await removeFolder(folder)
  })

  const start = async (limitSeconds = 5): Promise<ServiceProcess> => {
    service = await startServiceProcess({
      folder,
      environment: {
        UPSTREAM_KEY: 'upstream-key-0123456789',
        SERVICE_SERVER_SHUTDOWN_TIMEOUT_SECS: String(limitSeconds),
        // Else the issuer would go by the port, which is another one after the restart, and the
        // token would end.
        SERVICE_SERVER_ISSUER_URL: 'http://agents.example',
      },
    })
    return service
  }

  it('parks the run, states when to reconnect, exits with 0, and resumes after the start without gaps or repetitions', async () => {
    const first = await start()
    const ada = await signUp(first.url, 'ada')
    const stream = await openStream(first.url, '/api/events', { authorization: `Bearer ${ada.token}` })
    const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
    const { body } = await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'Write' })
    const run = (body['run'] as { readonly id: string }).id
    await stream.until(({ name }) => name === 'text.delta')

    expect(await first.stop()).to.equal(0)
    await stream.ended
    expect(stream.events.at(-1)).to.deep.include({ name: 'closing', data: { reason: 'draining' } })
    expect(stream.retry).to.be.within(1_000, 5_000)
    expect(stream.events.map(({ name }) => name)).to.not.include('run.failed')

    upstream.goOn()
    const again = await start()
    const position = stream.events.findLast(({ id }) => id !== undefined)?.id ?? expect.fail('no id')
    const resumed = await openStream(again.url, '/api/events', { authorization: `Bearer ${ada.token}`, 'last-event-id': position })
    await resumed.until(({ name, data }) => name === 'run.completed' && data['run_id'] === run)
    expect(upstream.requests()).to.equal(2)

    const messages = (await itemsOf(again.url, ada.token, `/api/chats/${chat}/messages`)) as readonly {
      readonly id: string
      readonly status: string
      readonly content: readonly { readonly text: string }[]
    }[]
    expect(messages.map(({ status }) => status)).to.deep.equal(['complete', 'complete'])
    expect(messages[1]?.content.map(({ text }) => text).join('')).to.equal(upstream.text)

    const all = [...stream.events, ...resumed.events]
    const ids = all.flatMap(({ id }) => (id === undefined || id === '' ? [] : [Number(id)]))
    expect(
      ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0)),
      ids.join(' '),
    ).to.equal(true)
    const names = resumed.events.map(({ name }) => name)
    expect(names).to.not.include('reset')
    for (const name of ['message.created', 'message.updated', 'run.completed', 'usage.recorded']) {
      const seen = all.filter((event) => event.name === name).map((event) => event.id)
      expect(new Set(seen).size, name).to.equal(seen.length)
    }
    expect(all.filter(({ name }) => name === 'run.completed')).to.have.length(1)
    const view = createClientView()
    for (const event of all) view.apply(event)
    expect(view.text(messages[1]?.id ?? '')).to.equal(upstream.text)
    resumed.close()
  })

  it('lets an open request finish, and accepts no new one', async () => {
    const running = await start()
    const ada = await signUp(running.url, 'ada')
    const socket = await openSocket(running.url)
    const body = '{"title":"Begun before"}'
    socket.write(
      `POST /api/chats HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    )
    // The service has begun with it once it answers another one that came later.
    expect((await ada.request('GET', '/api/chats')).status).to.equal(200)
    const ended = once(running.child, 'exit')
    running.child.kill('SIGTERM')
    await refusesConnections(running.url)
    socket.write(body.slice(5))
    const answer = await readToEnd(socket)
    expect([answer.status, answer.headers['connection']]).to.deep.equal([201, 'close'])
    expect((await ended)[0]).to.equal(0)
  })

  it('ends open requests when the time is over', async () => {
    const running = await start(2)
    const ada = await signUp(running.url, 'ada')
    const socket = await openSocket(running.url)
    socket.write(
      `POST /api/chats HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
    )
    expect((await ada.request('GET', '/api/chats')).status).to.equal(200)
    const began = Date.now()
    const answer = readToEnd(socket)
    expect(await running.stop()).to.equal(0)
    expect(Date.now() - began, 'milliseconds to stop').to.be.at.least(1_500)
    expect((await answer).status).to.be.oneOf([0, 503])
  })
})

const itemsOf = async (url: string, token: string, target: string): Promise<unknown> =>
  ((await (await fetch(`${url}${target}`, { headers: { authorization: `Bearer ${token}` } })).json()) as { items: unknown }).items

/** Resolves once the port has no listener. A connection that was waiting to be taken then is reset. */
const refusesConnections = (url: string) =>
  eventually(async () => {
    const answer = await openSocket(url).catch((error: NodeJS.ErrnoException) => error)
    if (answer instanceof Error) return answer.code === 'ECONNREFUSED'
    answer.destroy()
    return false
  })
