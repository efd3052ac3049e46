import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { fewPlugins } from '../support/few-plugins.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { type CarelessPlugin, withCarelessPlugins } from './support/careless-plugin.js'
import { untilLine } from './support/restarting-service.js'

/** Plugins that keep the only thread busy for ever, each at another moment of the stop. */
const busy: readonly (CarelessPlugin & { readonly named: boolean })[] = [
  { id: 'loops-disposing', setup: 'context.onDispose(() => { loop() })', named: true },
  { id: 'loops-stopping', setup: 'context.onStopping(async () => { await null; loop() })', named: true },
  { id: 'loops-in-timer', setup: 'context.onDispose(() => new Promise(() => setTimeout(() => { loop() }, 1)))', named: true },
  { id: 'loops-in-promises', setup: `context.onDispose(async () => { say('busy'); for (;;) await null })`, named: true },
  { id: 'loops-at-exit', setup: `process.on('exit', () => { loop() })`, named: false },
  { id: 'loops-at-signal', setup: `process.on('SIGTERM', () => { loop() })`, named: false },
]

/** Plugins whose end never comes, while the thread is free. */
const hanging: readonly CarelessPlugin[] = [
  { id: 'hangs-disposing', setup: 'context.onDispose(() => new Promise(never))' },
  { id: 'hangs-stopping', setup: 'context.onStopping(() => new Promise(never))' },
  { id: 'hangs-everywhere', setup: 'for (let count = 0; count < 9; count++) context.onDispose(() => new Promise(never))' },
]

describe('a service with plugins that do not stop', function () {
  this.timeout(120_000)
  let folder: string
  let service: ServiceProcess | undefined

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-hanging-'))
  })
  afterEach(async () => {
    await service?.kill()
    service = undefined
    await removeFolder(folder)
  })

  const start = async (plugins: readonly CarelessPlugin[]): Promise<ServiceProcess> => {
    service = await startServiceProcess({ folder, environment: { ...fewPlugins(), ...(await withCarelessPlugins(folder, plugins)) } })
    return service
  }

  for (const { named, ...plugin } of busy) {
    it(`ends with a line when one ${plugin.id.replaceAll('-', ' ')}`, async () => {
      const running = await start([plugin])
      const closed = once(running.child, 'close')
      running.child.kill('SIGTERM')
      await untilLine(running, `${plugin.id} is busy`)
      // At the very end a second signal would end it at once.
      if (plugin.id !== 'loops-at-exit') running.child.kill('SIGTERM')
      expect(await closed, running.log.join('\n')).to.deep.equal([null, 'SIGKILL'])
      const whose = named ? `plugin “${plugin.id}” kept its thread` : 'its thread was'
      expect(running.log.at(-1)).to.include(`The service was ended while it stopped: ${whose} busy for 10 seconds.`)
    })
  }

  it('ends with 0 and names them when their ends never come, and has closed the database', async () => {
    const running = await start(hanging)
    const closed = once(running.child, 'close')
    expect(await running.stop(), running.log.join('\n')).to.equal(0)
    await closed
    const log = running.log.join('\n')
    expect(log)
      .to.include('“hook” of scope “hangs-stopping/onStopping” did not end within')
      .and.to.include('“onDispose” of scope “hangs-disposing” did not end within')
    expect(log).to.include('The service goes on without plugins that have not stopped: hangs-everywhere')
    expect(log).to.not.include('The service was ended')
  })
})
