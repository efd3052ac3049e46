import { once } from 'node:events'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { signIn, signUp } from '../support/api.js'
import { isInUse } from '../support/lasting-port.js'
import { removeFolder, type ServiceProcess, type ServiceProcessOptions, startServiceProcess } from '../support/service-process.js'
import { change, holdUp, readyUrls, untilLine, untilReady } from './support/restarting-service.js'

describe('a restart in place that is interrupted', function () {
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
