import { expect } from 'chai'
import { createMemoryDocuments, createPluginTree, createRecorder, createTestHost, type PluginTree, type Recorder } from './fixture.test.js'

describe('plugins at run time', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
    await tree.write({ manifest: { id: 'singer', provides: ['song'] }, setup: `context.provide(ref('song'), { sing: () => 'la' })` })
    await tree.write({
      manifest: { id: 'listener', provides: ['mood'], requires: ['song'] },
      setup: `context.provide(ref('mood'), context.use(ref('song')).sing())`,
    })
    await tree.write({ manifest: { id: 'dancer', requires: ['mood'] }, setup: `test.note('mood ' + context.use(ref('mood')))` })
    await tree.write({
      manifest: { id: 'passer-by', optional: ['song'] },
      setup: `test.note('heard ' + (context.use(ref('song'), { optional: true })?.sing() ?? 'nothing'))`,
    })
    await tree.write({ manifest: { id: 'stone' } })
  })
  afterEach(() => tree.remove())

  it('are switched only after the announcement, which comes after all checks', async () => {
    const { host, state } = await createTestHost(tree)
    await host.start()
    const full = new Error('storage full')
    const failed: unknown = await host.disable('stone', { announce: () => Promise.reject(full) }).catch((error: unknown) => error)
    expect(failed).to.equal(full)
    expect(state('stone')).to.equal('active')
    const announced: unknown[] = []
    const announce = async (before: { readonly enabled: boolean }): Promise<void> => void announced.push([before.enabled, state('stone')])
    await host.disable('nowhere', { announce }).catch((error: unknown) => expect(error).to.have.property('code', 'plugin_unknown'))
    await host.disable('stone', { announce })
    await host.enable('stone', { announce })
    expect(announced).to.deep.equal([
      [true, 'active'],
      [false, 'disabled'],
    ])
    await host.stop()
  })

  it('are named a second after they were disabled if they left something running, also if they run again', async () => {
    const leaving = `
      const left = setInterval(() => undefined, 1_000)
      test.shared.set('left', [...(test.shared.get('left') ?? []), left])`
    const elsewhere = (id: string, setup: string): Promise<string> =>
      tree.write({ manifest: { id }, setup }, `${tree.root}/elsewhere/${id}`)
    const sources = [
      await elsewhere('leaving', leaving),
      await elsewhere('tidy', 'const timer = setInterval(() => undefined, 1_000); context.onDispose(() => clearInterval(timer))'),
    ]
    const { host, clock, lines } = await createTestHost(tree, { sources })
    const named = (): readonly string[] => lines.flatMap(({ level, message }) => (level === 'warn' ? [message] : []))
    await host.start()
    for (const id of ['leaving', 'tidy']) {
      await host.disable(id)
      await host.enable(id)
    }
    await clock.advance(999)
    expect(named()).to.deep.equal([])
    await clock.advance(1)
    expect(named()).to.deep.equal([
      'Plugin “leaving” left running when it stopped: 1 timer. That goes on until the process of the service ends.',
    ])
    await host.stop()
    for (const timer of recorder.shared.get('left') as readonly NodeJS.Timeout[]) clearInterval(timer)
    host.takeLeftRunning()
  })

  it('start after the plugins that they use, and stop before them', async () => {
    const { host, state } = await createTestHost(tree)
    await host.start()
    for (const id of ['singer', 'listener', 'dancer', 'passer-by', 'stone']) expect(state(id), id).to.equal('active')
    expect(recorder.events).to.include('mood la').and.include('heard la')
    const order = (suffix: string) => recorder.events.filter((event) => event.endsWith(suffix)).map((event) => event.split(' ')[0])
    expect(order(' setup').filter((id) => ['singer', 'listener', 'dancer'].includes(id ?? ''))).to.deep.equal([
      'singer',
      'listener',
      'dancer',
    ])
    await host.stop()
    expect(order(' disposed').filter((id) => ['singer', 'listener', 'dancer'].includes(id ?? ''))).to.deep.equal([
      'dancer',
      'listener',
      'singer',
    ])
    expect(host.report().map((report) => report.state)).to.deep.equal(['stopped', 'stopped', 'stopped', 'stopped', 'stopped'])
    const before = [...recorder.events]
    await host.stop()
    expect(recorder.events).to.deep.equal(before)
  })

  it('that require a disabled one are blocked and name it; those that use it optionally restart; enabling restores both', async () => {
    const { host, state, reason } = await createTestHost(tree)
    await host.start()
    recorder.events.length = 0
    const { stopped, report } = await host.disable('singer')
    expect(report).to.include({ id: 'singer', state: 'disabled', reason: 'disabled by an administrator' })
    expect(stopped).to.have.members(['singer', 'listener', 'dancer', 'passer-by'])
    expect(stopped.indexOf('dancer')).to.be.lessThan(stopped.indexOf('listener'))
    expect(stopped.at(-1)).to.equal('singer')
    expect(state('listener')).to.equal('blocked')
    expect(reason('listener')).to.contain('“song”').and.contain('plugin “singer”').and.contain('disabled by an administrator')
    expect(state('dancer')).to.equal('blocked')
    expect(reason('dancer')).to.contain('plugin “listener”')
    expect(state('passer-by')).to.equal('active')
    expect(recorder.events).to.include('heard nothing')
    expect(recorder.events.filter((event) => event.startsWith('stone'))).to.deep.equal([])

    recorder.events.length = 0
    expect(await host.enable('singer')).to.include({ state: 'active', reason: null })
    expect(recorder.events).to.include('heard la').and.include('mood la')
    for (const id of ['listener', 'dancer', 'passer-by']) expect(state(id), id).to.equal('active')
    expect(recorder.events.filter((event) => event.startsWith('stone'))).to.deep.equal([])
    await host.stop()
  })

  it('keep their switch over a restart', async () => {
    const stateDocuments = createMemoryDocuments()
    const first = await createTestHost(tree, { stateDocuments })
    await first.host.start()
    await first.host.disable('stone')
    await first.host.stop()
    const second = await createTestHost(tree, { stateDocuments })
    await second.host.start()
    expect(second.state('stone')).to.equal('disabled')
    await second.host.enable('stone')
    await second.host.stop()
    const third = await createTestHost(tree, { stateDocuments })
    await third.host.start()
    expect(third.state('stone')).to.equal('active')
    await third.host.stop()
  })

  it('that the configuration disables are locked', async () => {
    const { host, state, reason } = await createTestHost(tree, { disabled: ['stone'] })
    await host.start()
    expect(state('stone')).to.equal('disabled')
    expect(reason('stone')).to.contain('plugins.disabled').and.contain('locked')
    expect(await failure(host.enable('stone'))).to.include({ code: 'plugin_locked', status: 409 })
    await host.stop()
  })

  it('that are required, or that a required one needs, cannot be disabled; the answer lists why', async () => {
    const { host, state } = await createTestHost(tree, { required: ['dancer'] })
    await host.start()
    const refused = await failure(host.disable('singer'))
    expect(refused).to.include({ code: 'plugin_in_use', status: 409 })
    expect(refused.message).to.contain('plugins.required lists “dancer”, which requires “singer”')
    expect(await failure(host.disable('dancer'))).to.include({ code: 'plugin_in_use' })
    expect(state('singer')).to.equal('active')
    expect((await host.disable('passer-by')).stopped).to.deep.equal(['passer-by'])
    await host.stop()
  })

  it('that a required one uses optionally can be disabled', async () => {
    const { host, state } = await createTestHost(tree, { required: ['passer-by'] })
    await host.start()
    await host.disable('singer')
    expect(state('passer-by')).to.equal('active')
    await host.stop()
  })

  it('in stage “declared” cannot be enabled', async () => {
    await tree.write({ manifest: { id: 'channel-pigeon', stage: 'declared' } })
    const { host, state } = await createTestHost(tree)
    await host.start()
    expect(state('channel-pigeon')).to.equal('declared')
    expect(await failure(host.enable('channel-pigeon'))).to.include({ code: 'not_implemented_yet', status: 409 })
    await host.stop()
  })

  it('that are unknown are 404', async () => {
    const { host } = await createTestHost(tree)
    await host.start()
    expect(await failure(host.enable('ghost'))).to.include({ code: 'plugin_unknown', status: 404 })
    expect(await failure(host.disable('ghost'))).to.include({ code: 'plugin_unknown', status: 404 })
    await host.stop()
    expect(await failure(host.enable('stone'))).to.include({ code: 'service_stopping', status: 503 })
  })

  it('with an invalid manifest stay invalid when they are switched on', async () => {
    await tree.write({ manifest: { id: 'half-written' }, json: '{"id": "half-wr' })
    const slots = [{ point: 'memory.backend', key: 'basic', setting: 'memory.backend', optional: true }]
    const { host, state } = await createTestHost(tree, { slots })
    await host.start()
    expect(await host.enable('half-written')).to.include({ state: 'invalid' })
    expect(state('half-written')).to.equal('invalid')
    await host.stop()
  })

  it('of one service: the second is refused while the first runs, and starts after it has stopped', async () => {
    await tree.write({ manifest: { id: 'rival', provides: ['song'] }, setup: `context.provide(ref('song'), { sing: () => 'lo' })` })
    const both = await createTestHost(tree)
    await both.host.start()
    for (const id of ['singer', 'rival']) {
      expect(both.state(id)).to.equal('invalid')
      expect(both.reason(id)).to.contain('“singer”').and.contain('“rival”')
    }
    expect(both.state('listener')).to.equal('blocked')
    await both.host.disable('rival')
    expect(both.state('dancer')).to.equal('active')
    await both.host.enable('rival')
    expect(both.state('rival')).to.equal('invalid')
    expect(both.state('singer')).to.equal('active')
    recorder.events.length = 0
    await both.host.disable('singer')
    expect(both.state('rival')).to.equal('active')
    expect(recorder.events).to.include('mood lo').and.include('heard lo')
    await both.host.stop()
  })

  it('of a provider that fails are blocked with its reason, and start once it is corrected', async () => {
    recorder.shared.set('hoarse', true)
    await tree.write({
      manifest: { id: 'singer', provides: ['song'] },
      setup: `if (test.shared.get('hoarse')) throw new Error('hoarse'); context.provide(ref('song'), { sing: () => 'la' })`,
    })
    const { host, state, reason } = await createTestHost(tree)
    await host.start()
    expect(reason('listener')).to.equal('it requires the service “song” of plugin “singer”, which is failed: setup failed: hoarse')
    expect(state('dancer')).to.equal('blocked')
    expect(state('passer-by')).to.equal('active')
    recorder.shared.set('hoarse', false)
    await host.enable('singer')
    expect(state('dancer')).to.equal('active')
    expect(recorder.events.filter((event) => event.startsWith('heard'))).to.deep.equal(['heard nothing', 'heard la'])
    await host.stop()
  })

  it('let the service start only if the required ones are active', async () => {
    await tree.write({ manifest: { id: 'broken' }, setup: `throw new Error('no')` })
    for (const [required, message] of [
      ['broken', /“broken” is needed \(plugins\.required lists it\) but is not active: it is failed: setup failed: no/],
      ['ghost', /“ghost” .*no such plugin is installed/],
    ] as const) {
      const { host } = await createTestHost(tree, { required: [required] })
      const error = await failure(host.start())
      expect(error).to.have.property('code', 'plugin_required_failed')
      expect(error.message).to.match(message)
      await host.stop()
    }
  })
})

async function failure(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  return error instanceof Error ? error : new Error(String(error))
}
