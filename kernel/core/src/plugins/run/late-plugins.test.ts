import path from 'node:path'
import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost, type PluginFiles, type PluginTree, type Recorder } from './fixture.test.js'

describe('a third party that hangs in its setup', () => {
  let tree: PluginTree
  let recorder: Recorder
  let release: () => void
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
    recorder.shared.set('gate', new Promise<void>((resolve) => (release = resolve)))
  })
  afterEach(() => tree.remove())

  const thirdParty = (files: PluginFiles): Promise<string> => tree.write(files, path.join(tree.root, files.manifest.id))
  const hanging = (more: Partial<PluginFiles['manifest']> = {}, setup = ''): Promise<string> =>
    thirdParty({ manifest: { id: 'late', contributes: ['thing'], ...more }, setup: `await test.shared.get('gate'); ${setup}` })
  const contribution = `context.contribute(point('thing'), { specVersion: 1, id: 'late' })`
  const things = { id: 'thing', cardinality: 'many' as const, specVersions: [1], keyOf: () => '' }

  it('delays the start only for the grace, and is active later', async () => {
    await tree.write({ manifest: { id: 'feature' } })
    const { host, state, clock, contributions } = await createTestHost(tree, { sources: [await hanging({}, contribution)] })
    const started = host.start()
    await recorder.noted('late setup')
    await clock.advance(2_000)
    const report = await started
    expect(report.map(({ id, state }) => `${id} ${state}`)).to.deep.equal(['feature active', 'late starting'])
    await contributions.settled()
    const come = new Promise<void>((resolve) => contributions.onChange(things, resolve))
    release()
    await come
    expect(contributions.list(things).map(({ key }) => key)).to.deep.equal(['late'])
    await host.enable('late')
    expect(state('late')).to.equal('active')
    await host.stop()
  })

  it('fails at its limit after the start', async () => {
    const { host, state, reason, clock } = await createTestHost(tree, { sources: [await hanging()] })
    const started = host.start()
    await recorder.noted('late setup')
    await clock.advance(2_000)
    await started
    await clock.advance(28_000)
    await recorder.noted('late disposed')
    await host.enable('nothing').catch(() => undefined)
    expect(state('late')).to.equal('failed')
    expect(reason('late')).to.match(/^setup did not end within 30 s/)
    await host.stop()
  })

  it('is awaited without limit if it is required', async () => {
    const { host, state, clock } = await createTestHost(tree, { sources: [await hanging()], required: ['late'] })
    const started = host.start()
    await recorder.noted('late setup')
    await clock.advance(2_000)
    release()
    await started
    expect(state('late')).to.equal('active')
    await host.stop()
  })

  it('does not delay a built-in plugin that would use it, which gets the service later', async () => {
    await tree.write({
      manifest: { id: 'feature', optional: ['song'] },
      setup: `test.note('song ' + context.use(ref('song'), { optional: true }))`,
    })
    const source = await hanging({ provides: ['song'] }, `context.provide(ref('song'), 'la')`)
    const { host, state, clock } = await createTestHost(tree, { sources: [source] })
    const started = host.start()
    await recorder.noted('late setup')
    await clock.advance(2_000)
    await started
    expect(recorder.events).to.include('song undefined')
    expect(state('feature')).to.equal('active')
    release()
    await recorder.noted('song la')
    await host.stop()
  })

  it('starts the plugins that require it once it is active', async () => {
    const source = await hanging({ provides: ['song'] }, `context.provide(ref('song'), 'la')`)
    const user = await thirdParty({ manifest: { id: 'user', requires: ['song'] } })
    const { host, state, clock } = await createTestHost(tree, { sources: [source, user] })
    const started = host.start()
    await recorder.noted('late setup')
    await clock.advance(2_000)
    await started
    expect(state('user')).to.equal('discovered')
    release()
    await recorder.noted('user setup')
    await host.stop()
  })

  it('can be switched off meanwhile, and stops with the service', async () => {
    const { host, state, clock } = await createTestHost(tree, { sources: [await hanging()] })
    const started = host.start()
    await recorder.noted('late setup')
    await clock.advance(2_000)
    await started
    await host.disable('late')
    expect(state('late')).to.equal('disabled')
    expect(recorder.events).to.include('late disposed')
    await host.stop()
  })

  it('is cancelled when the service stops', async () => {
    const { host, state, clock } = await createTestHost(tree, { sources: [await hanging()] })
    const started = host.start()
    await recorder.noted('late setup')
    await clock.advance(2_000)
    await started
    await host.stop()
    expect(state('late')).to.equal('stopped')
  })
})
