import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type SeenMessage, textOf } from '../agents/support/agents-kernel.js'
import { createClientView } from '../agents/support/client-view.js'
import { signUp } from '../support/api.js'
import { writeConfiguration } from '../support/configuration.js'
import { lastingPort } from '../support/lasting-port.js'
import { removeFolder, type ServiceProcess, type ServiceProcessOptions, startServiceProcess } from '../support/service-process.js'
import { startHaltingUpstream } from './support/halting-upstream.js'
import { openStream } from './support/raw-stream.js'
import { change, getConfig, holdUp, readyUrls, registrationOf, untilReady } from './support/restarting-service.js'

describe('a restart in place', function () {
  this.timeout(60_000)
  let folder: string
  let service: ServiceProcess | undefined

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-restart-'))
  })
  afterEach(async () => {
    await service?.kill()
    service = undefined
    await removeFolder(folder)
  })

  const start = async (options: ServiceProcessOptions = {}): Promise<ServiceProcess> => {
    service = await startServiceProcess({
      registration: 'as-configured',
      ...options,
      folder,
      environment: { SERVICE_SERVER_SHUTDOWN_TIMEOUT_SECS: '5', ...options.environment },
    })
    return service
  }

  it('applies a saved change, with the same process, port and sign-ins, and asks clients to reconnect', async () => {
    const running = await start({ environment: { SERVICE_SERVER_PORT: String(await lastingPort()) } })
    const { url } = running
    const ada = await signUp(url, 'ada')
    const stream = await openStream(url, '/api/events', { authorization: `Bearer ${ada.token}` })
    const begun = await ada.request('GET', '/api/chats')
    await change(running, ada, { set: { 'auth.allow_registration': false } })
    expect((await getConfig(ada)).pending).to.deep.equal(['auth.allow_registration'])

    const answer = await ada.request('POST', '/api/admin/restart')
    const work = { calls: 0, requests: 0, resumes: 0, ends: 0 }
    expect([answer.status, answer.body]).to.deep.equal([202, { status: 'restarting', work }])
    await stream.ended
    expect(stream.events.at(-1)).to.deep.include({ name: 'closing', data: { reason: 'restarting' } })
    expect(stream.retry).to.be.within(50, 500)

    expect(await untilReady(running, 2)).to.equal(url)
    expect(running.child.exitCode).to.equal(null)
    expect((await ada.request('GET', '/api/chats')).body).to.deep.equal(begun.body)
    expect(await getConfig(ada)).to.deep.equal({ pending: [], restart_required: false })
    expect(await registrationOf(running.url, 'bob')).to.equal(403)

    expect((await ada.request('POST', '/api/admin/restart')).status).to.equal(202)
    expect(await untilReady(running, 3)).to.equal(url)
    expect(await running.stop()).to.equal(0)
  })

  it('answers every request of the gap, and ends an answer that is being written whole and once', async () => {
    const upstream = await startHaltingUpstream()
    try {
      await writeConfiguration(folder, upstream.url)
      const running = await start({ environment: { UPSTREAM_KEY: 'upstream-key-0123456789' } })
      const { url } = running
      const ada = await signUp(url, 'ada')
      const headers = { authorization: `Bearer ${ada.token}` }
      const stream = await openStream(url, '/api/events', headers)
      const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
      await ada.request('POST', `/api/chats/${chat}/messages`, { content: 'Write' })
      await stream.until(({ name }) => name === 'text.delta')

      const { status, body } = await ada.request('POST', '/api/admin/restart')
      expect([status, (body['work'] as { readonly resumes: number }).resumes]).to.deep.equal([202, 1])
      await stream.ended
      // The old kernel takes no request from now on.
      const position = stream.events.findLast(({ id }) => id !== undefined && id !== '')?.id ?? expect.fail('no id')
      const reading = openStream(url, '/api/events', { ...headers, 'last-event-id': position })
      const made = Array.from({ length: 20 }, (_, index) => ada.request('POST', '/api/chats', { title: `Of the gap ${index}` }))
      expect((await Promise.all(made)).map((answer) => answer.status)).to.deep.equal(made.map(() => 201))
      expect(readyUrls(running)).to.deep.equal([url, url])

      upstream.goOn()
      const resumed = await reading
      await resumed.until(({ name }) => name === 'run.completed')
      expect(upstream.requests()).to.equal(2)
      const all = [...stream.events, ...resumed.events]
      const ids = all.flatMap(({ id }) => (id === undefined || id === '' ? [] : [Number(id)]))
      expect(ids).to.deep.equal([...new Set(ids)].sort((one, other) => one - other))
      expect(resumed.events.map(({ name }) => name)).to.not.include('reset')
      expect(all.filter(({ name }) => name === 'run.completed')).to.have.length(1)
      expect(all.filter(({ name, data }) => name === 'chat.created' && JSON.stringify(data).includes('Of the gap'))).to.have.length(
        made.length,
      )
      const view = createClientView()
      for (const event of all) view.apply(event)
      const { items } = (await ada.request('GET', `/api/chats/${chat}/messages`)).body as { readonly items: readonly SeenMessage[] }
      expect(items.map((message) => message.status)).to.deep.equal(['complete', 'complete'])
      expect([textOf(items[1]), view.text(items[1]?.id ?? '')]).to.deep.equal([upstream.text, upstream.text])
      resumed.close()
      expect(running.log.join('\n')).to.include('The service was restarted in place.')
      const { items: noted } = (await ada.request('GET', '/api/admin/audit?kind=service.restarted')).body as {
        readonly items: readonly { readonly details: object }[]
      }
      expect(noted.map(({ details }) => Object.keys(details).sort())).to.deep.equal([['took_ms', 'waited_ms']])
    } finally {
      await upstream.close()
    }
  })

  it('can be asked for again in the gap, and the next kernel restarts then', async () => {
    const running = await start()
    const { url } = running
    const ada = await signUp(url, 'ada')
    const stream = await openStream(url, '/api/events', { authorization: `Bearer ${ada.token}` })
    const both = await Promise.all([ada.request('POST', '/api/admin/restart'), ada.request('POST', '/api/admin/restart')])
    expect(both.map(({ status }) => status)).to.deep.equal([202, 202])
    await stream.ended
    expect((await ada.request('POST', '/api/admin/restart')).status).to.equal(202)
    expect(await untilReady(running, 3)).to.equal(url)
    expect((await ada.request('GET', '/api/admin/restart')).body).to.include({ status: 'none' })
    expect(await running.stop()).to.equal(0)
  })

  it('waits for a request that is being answered, unless it is asked for now', async () => {
    const running = await start({ environment: { SERVICE_SERVER_SHUTDOWN_TIMEOUT_SECS: '3600' } })
    const ada = await signUp(running.url, 'ada')
    const socket = await holdUp(running.url, ada)
    expect((await ada.request('POST', '/api/admin/restart')).body).to.deep.include({ status: 'waiting' })
    // Everything goes on meanwhile.
    expect((await ada.request('POST', '/api/chats', {})).status).to.equal(201)
    expect((await ada.request('GET', '/api/admin/restart')).body).to.deep.equal({
      status: 'waiting',
      work: { calls: 0, requests: 1, resumes: 0, ends: 0 },
    })
    expect(readyUrls(running)).to.have.length(1)
    expect((await ada.request('POST', '/api/admin/restart?when=now')).body).to.include({ status: 'restarting' })
    await untilReady(running, 2)
    socket.destroy()
  })

  it('ends with 0 when it is stopped in the gap', async () => {
    const running = await start()
    const ada = await signUp(running.url, 'ada')
    const stream = await openStream(running.url, '/api/events', { authorization: `Bearer ${ada.token}` })
    expect((await ada.request('POST', '/api/admin/restart')).status).to.equal(202)
    await stream.ended
    const ended = once(running.child, 'exit')
    running.child.kill('SIGTERM')
    expect((await ended)[0]).to.equal(0)
  })

  it('exits with 78 and every problem when the file became invalid meanwhile', async () => {
    const running = await start()
    const ada = await signUp(running.url, 'ada')
    const socket = await holdUp(running.url, ada)
    expect((await ada.request('POST', '/api/admin/restart')).status).to.equal(202)
    await writeFile(path.join(folder, 'data', 'config.yaml'), 'server:\n  prot: 1\n')
    const ended = once(running.child, 'exit')
    socket.destroy()
    expect((await ended)[0]).to.equal(78)
    expect(running.log.join('\n')).to.match(/server\.prot: is not known here; did you mean “port”\? \(2:3\)/)
  })
})
