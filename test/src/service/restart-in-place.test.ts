import { once } from 'node:events'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { openSocket } from '../bad-input/support/raw-http.js'
import { type Api, signIn, signUp } from '../support/api.js'
import { isInUse, lastingPort } from '../support/lasting-port.js'
import { removeFolder, type ServiceProcess, type ServiceProcessOptions, startServiceProcess } from '../support/service-process.js'
import { openStream } from './support/raw-stream.js'

describe('a restart in place', function () {
  this.timeout(60_000)
  let folder: string
  let service: ServiceProcess | undefined
  let blocker: Server | undefined

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-restart-'))
  })
  afterEach(async () => {
    await service?.kill()
    service = undefined
    blocker?.close()
    blocker = undefined
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

  it('exits with 0 when it is stopped in the middle', async () => {
    const running = await start()
    const ada = await signUp(running.url, 'ada')
    const socket = await holdUp(running.url, ada)
    expect((await ada.request('POST', '/api/admin/restart')).status).to.equal(202)
    await untilLine(running, 'The service is stopping.')
    const ended = once(running.child, 'exit')
    running.child.kill('SIGTERM')
    socket.destroy()
    expect((await ended)[0]).to.equal(0)
    expect(readyUrls(running)).to.have.length(1)
  })

  it('exits at once with 1 at the second signal in the middle', async () => {
    const running = await start()
    const ada = await signUp(running.url, 'ada')
    const socket = await holdUp(running.url, ada)
    expect((await ada.request('POST', '/api/admin/restart')).status).to.equal(202)
    await untilLine(running, 'The service is stopping.')
    const ended = once(running.child, 'exit')
    running.child.kill('SIGINT')
    running.child.kill('SIGTERM')
    expect((await ended)[0]).to.equal(1)
    socket.destroy()
  })

  it('exits with 1 and the reason when the service cannot start again', async () => {
    await mkdir(path.join(folder, 'data'))
    await writeFile(path.join(folder, 'data', 'config.yaml'), 'server:\n  port: 0\n')
    const running = await start({ environment: { SERVICE_SERVER_PORT: '' } })
    const ada = await signUp(running.url, 'ada')
    blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const address = blocker.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await change(running, ada, { set: { 'server.port': port } })
    const ended = once(running.child, 'exit')
    expect((await ada.request('POST', '/api/admin/restart')).status).to.equal(202)
    expect((await ended)[0]).to.equal(1)
    expect(running.log.join('\n')).to.contain(`Port ${port} on 127.0.0.1 is in use`)
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

  it('works in the demo, and keeps a port that the system chose unless another process has it by then', async () => {
    const running = await start({ arguments: ['--demo'] })
    const { url } = running
    const ada = await signUp(url, 'ada')
    expect((await ada.request('POST', '/api/admin/restart')).status).to.equal(202)
    if ((await untilReady(running, 2)) !== url) expect(await isInUse(Number(new URL(url).port))).to.equal(true)
    const again = await signIn(running.url, 'ada', 'a long enough password')
    expect((await again.request('GET', '/api/agents')).status).to.equal(200)
    expect(await running.stop()).to.equal(0)
  })
})

async function getConfig(admin: Api): Promise<{ readonly pending: unknown; readonly restart_required: unknown }> {
  const { body } = await admin.request('GET', '/api/admin/config')
  return { pending: body['pending'], restart_required: body['restart_required'] }
}

async function change(service: ServiceProcess, admin: Api, patch: unknown): Promise<void> {
  const { body } = await admin.request('GET', '/api/admin/config')
  const answer = await fetch(`${service.url}/api/admin/config`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json', 'if-match': String(body['revision']) },
    body: JSON.stringify(patch),
  })
  expect(answer.status, await answer.text()).to.equal(200)
}

async function registrationOf(url: string, username: string): Promise<number> {
  const answer = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'a long enough password' }),
  })
  return answer.status
}

/** A request that has begun and holds the end up for as long as it may. */
async function holdUp(url: string, person: Api): ReturnType<typeof openSocket> {
  const socket = await openSocket(url)
  socket.write(
    `POST /api/chats HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${person.token}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
  )
  // The service has begun with it once it answers another one that came later.
  expect((await person.request('GET', '/api/chats')).status).to.equal(200)
  return socket
}

const readyUrls = (service: ServiceProcess): readonly string[] =>
  service.log.flatMap((line) => {
    const entry = line.startsWith('{') ? (JSON.parse(line) as { readonly msg?: string; readonly url?: string }) : {}
    return entry.msg === 'The service is ready.' && entry.url !== undefined ? [entry.url] : []
  })

/** Resolves to the address once the service has been ready so many times. */
async function untilReady(service: ServiceProcess, times: number): Promise<string | undefined> {
  await until(service, () => readyUrls(service).length >= times)
  return readyUrls(service)[times - 1]
}

const untilLine = (service: ServiceProcess, text: string): Promise<void> =>
  until(service, () => service.log.some((line) => line.includes(text)))

async function until(service: ServiceProcess, holds: () => boolean): Promise<void> {
  await eventually(() => holds() || service.child.exitCode !== null, { what: () => service.log })
  expect(holds(), service.log.join('\n')).to.equal(true)
}
