import path from 'node:path'
import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost, type PluginFiles, type PluginTree, type Recorder } from './fixture.test.js'

const adapter = (id: string): string => `context.contribute(point('thing'), { specVersion: 1, id: '${id}' })`
const things = { id: 'thing', cardinality: 'many' as const, specVersions: [1], keyOf: () => '' }

describe('a third party that starts before a built-in plugin and has a name which that one claims', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
  })
  afterEach(() => tree.remove())

  /** It starts first, because the built-in plugin can use its service. */
  const guest = (setup: string, more: Partial<PluginFiles['manifest']> = {}): Promise<string> =>
    tree.write(
      {
        manifest: { id: 'guest', contributes: ['thing'], provides: ['song'], ...more },
        setup: `context.provide(ref('song'), 'la'); ${setup}`,
      },
      path.join(tree.root, 'guest'),
    )
  const feature = (setup: string, more: Partial<PluginFiles['manifest']> = {}): Promise<string> =>
    tree.write({
      manifest: { id: 'feature', contributes: ['thing'], optional: ['song'], ...more },
      setup: `test.note('song ' + context.use(ref('song'), { optional: true })); ${setup}`,
    })

  it('fails, and the built-in plugin has the name', async () => {
    await feature(adapter('adapter_x'))
    const { host, state, reason, contributions } = await createTestHost(tree, { sources: [await guest(adapter('adapter_x'))] })
    await host.start()
    expect([state('feature'), reason('feature'), state('guest')]).to.deep.equal(['active', null, 'failed'])
    expect(reason('guest'))
      .to.contain('the built-in plugin “feature” claims a name that it has')
      .and.contain('contributed “adapter_x” to thing')
    expect(contributions.list(things).map(({ key, pluginId }) => `${pluginId} ${key}`)).to.deep.equal(['feature adapter_x'])
    expect(recorder.events.filter((event) => event.startsWith('song'))).to.deep.equal(['song la', 'song undefined'])
    expect((await host.enable('guest')).state).to.equal('failed')
    expect(state('feature')).to.equal('active')
    await host.stop()
  })

  it('fails because of the id of an operation, too', async () => {
    const setup = (path: string): string => `context.contribute(point('http.route'), { ...route('${path}'), operationId: 'guestRead' })`
    await feature(setup('/api/songs'), { contributes: ['http.route'], routes: ['/api/songs'] })
    const source = await guest(setup('/api/plugins/guest/songs'), { contributes: ['http.route'] })
    const { host, state, reason, routes } = await createTestHost(tree, { sources: [source] })
    await host.start()
    expect([state('feature'), state('guest')], String(reason('feature'))).to.deep.equal(['active', 'failed'])
    expect(reason('guest')).to.contain('operationId')
    expect(routes.owners().map(({ id }) => id)).to.deep.equal(['feature'])
    await host.stop()
  })

  it('fails if the built-in plugin is enabled later, and plugins that require it are blocked', async () => {
    await feature(`if (test.shared.get('mended')) { ${adapter('adapter_x')} } else throw new Error('not yet')`)
    const user = await tree.write({ manifest: { id: 'user', requires: ['song'] } }, path.join(tree.root, 'user'))
    const { host, state, reason } = await createTestHost(tree, { sources: [await guest(adapter('adapter_x')), user] })
    await host.start()
    expect([state('feature'), state('guest'), state('user')]).to.deep.equal(['failed', 'active', 'active'])
    recorder.shared.set('mended', true)
    await host.enable('feature')
    expect([state('feature'), state('guest'), state('user')]).to.deep.equal(['active', 'failed', 'blocked'])
    expect(reason('user')).to.contain('“guest”, which is failed')
    await host.stop()
  })

  it('fails the start if the configuration requires it', async () => {
    await feature(adapter('adapter_x'))
    const options = { sources: [await guest(adapter('adapter_x'))], required: ['guest'] }
    const { host, reason } = await createTestHost(tree, options)
    const refused = await host.start().then(
      () => undefined,
      (error: Error) => error.message,
    )
    expect(refused).to.contain('guest').and.contain('plugins.required')
    expect(reason('guest')).to.contain('the built-in plugin “feature” claims')
    await host.stop()
  })
})
