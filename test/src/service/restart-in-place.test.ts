import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { lastingPort } from '../support/lasting-port.js'
import { removeFolder, type ServiceProcess, type ServiceProcessOptions, startServiceProcess } from '../support/service-process.js'
import { openStream } from './support/raw-stream.js'
import { change, getConfig, holdUp, registrationOf, untilReady } from './support/restarting-service.js'

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
    expect([answer.status, answer.body]).to.deep.equal([202, { status: 'restarting' }])
    await stream.ended
    expect(stream.events.at(-1)).to.deep.include({ name: 'closing', data: { reason: 'draining' } })
    expect(stream.retry).to.be.within(1_000, 5_000)

    expect(await untilReady(running, 2)).to.equal(url)
    expect(running.child.exitCode).to.equal(null)
    expect((await ada.request('GET', '/api/chats')).body).to.deep.equal(begun.body)
    expect(await getConfig(ada)).to.deep.equal({ pending: [], restart_required: false })
    expect(await registrationOf(running.url, 'bob')).to.equal(403)

    expect((await ada.request('POST', '/api/admin/restart')).status).to.equal(202)
    expect(await untilReady(running, 3)).to.equal(url)
    expect(await running.stop()).to.equal(0)
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
