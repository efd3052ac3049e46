import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost, type PluginFiles, type PluginTree, type Recorder } from './fixture.test.js'

describe('a plugin that fails to start', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
    await tree.write({
      manifest: { id: 'bystander', contributes: ['thing'] },
      setup: `context.contribute(point('thing'), { specVersion: 1, id: 'mine' })`,
    })
  })
  afterEach(() => tree.remove())

  const setupOf = (setup: string, manifest: Partial<PluginFiles['manifest']> = {}): PluginFiles => ({
    manifest: { id: 'broken', ...manifest },
    setup,
  })

  const faults: readonly (readonly [string, PluginFiles, RegExp])[] = [
    [
      'that throws at import',
      { manifest: { id: 'broken' }, head: `throw new Error('no such file')` },
      /^importing .*index\.js failed: no such file$/,
    ],
    ['that cannot be parsed', { manifest: { id: 'broken' }, code: 'export default {' }, /^importing .*index\.js failed: /],
    [
      'that imports a missing package',
      { manifest: { id: 'broken' }, head: `import 'no-such-package'` },
      /Cannot find package 'no-such-package'/,
    ],
    [
      'without a plugin as its default export',
      { manifest: { id: 'broken' }, code: 'export default { setup() {} }' },
      /no plugin as its default export/,
    ],
    [
      'whose code and manifest disagree',
      { manifest: { id: 'broken' }, codeManifest: { id: 'broken', apiVersion: 1, contributes: ['tool'] } },
      /^the code and plugin\.json differ in contributes\. Run the plugin's build again/,
    ],
    ['that throws in setup', setupOf(`throw new Error('the key hunter22 is wrong')`), /^setup failed: the key ••• is wrong$/],
    ['that throws something else', setupOf(`throw 'text'`), /^setup failed: text$/],
    [
      'that contributes what it has not declared',
      setupOf(`context.contribute(point('tool'), { specVersion: 1, name: 'x' })`),
      /contribute\(\) for “tool”.*Add "tool" to “contributes”/,
    ],
    ['that provides what it has not declared', setupOf(`context.provide(ref('song'), {})`), /provide\(\) for “song”.*“provides”/],
    ['that uses what it has not declared', setupOf(`context.use(ref('song'))`), /use\(\) for “song”.*“requires”/],
    [
      'that catches the refusal of an undeclared call',
      setupOf(`try { context.use(ref('song'), { optional: true }) } catch {}`),
      /use\(\) for “song”.*“optional”/,
    ],
    ['that uses a service the kernel does not have', setupOf(`context.use(ref('kernel.soul'))`), /“kernel\.soul”, which is not available/],
    ['that provides not what it declared', setupOf('', { provides: ['song'] }), /lists “song” in “provides”, but setup did not provide it/],
    [
      'with a contribution of another contract version',
      setupOf(`context.contribute(point('thing'), { specVersion: 7, id: 'x' })`, { contributes: ['thing'] }),
      /“x” to thing is not valid: it was written for version 7 .* update the service/,
    ],
    [
      'with a contribution without a version',
      setupOf(`context.contribute(point('thing'), { id: 'x' })`, { contributes: ['thing'] }),
      /write specVersion: 1/,
    ],
    [
      'with a contribution without a key',
      setupOf(`context.contribute(point('thing'), { specVersion: 1 })`, { contributes: ['thing'] }),
      /has no key/,
    ],
    [
      'with one contribution twice',
      setupOf(`for (let i = 0; i < 2; i++) context.contribute(point('thing'), { specVersion: 1, id: 'x' })`, { contributes: ['thing'] }),
      /contributed “x” to thing twice/,
    ],
    [
      'with a schema that does not survive JSON',
      setupOf(
        `context.contribute(point('tool'), { specVersion: 1, name: 'x', parameters: { type: 'object', properties: { at: { type: 'string', pattern: /a/ } } } })`,
        { contributes: ['tool'] },
      ),
      /“x” to tool is not valid: .*\/parameters\/properties\/at\/pattern /,
    ],
    [
      'with a route outside its prefix',
      setupOf(`context.contribute(point('http.route'), route('/api/other'))`, {
        contributes: ['http.route'],
      }),
      /GET \/api\/other of “broken” is outside the paths that the owner may use/,
    ],
    [
      'that keeps data of users without user.data',
      { ...setupOf(''), collections: `[{ name: 'broken.notes', version: 1, indexes: {}, userField: 'user_id' }]` },
      /keeps users' data in broken\.notes without a user\.data contribution/,
    ],
  ]
  for (const [name, files, reason] of faults) {
    it(`${name}: is failed with a reason, leaves nothing behind, and the others run`, async () => {
      await tree.write(files)
      const { host, state, reason: reasonOf, routes, contributions, jobs } = await createTestHost(tree)
      await host.start()
      expect(state('broken')).to.equal('failed')
      expect(reasonOf('broken')).to.match(reason)
      expect(state('bystander')).to.equal('active')
      expect(host.holdings('broken')).to.deep.equal([])
      expect(routes.list()).to.deep.equal([])
      expect(jobs.size).to.equal(0)
      expect(contributions.list(thing).map(({ key }) => key)).to.deep.equal(['mine'])
      if (recorder.events.includes('broken setup')) expect(recorder.events).to.include('broken disposed')
      await host.stop()
    })
  }

  const thing = { id: 'thing', cardinality: 'many' as const, specVersions: [1], keyOf: () => '' }

  it('names both owners of one contribution', async () => {
    await tree.write(setupOf(`context.contribute(point('thing'), { specVersion: 1, id: 'mine' })`, { contributes: ['thing'] }))
    const { host } = await createTestHost(tree)
    const failed = (await host.start()).filter(({ state }) => state === 'failed')
    expect(failed).to.have.length(1)
    expect(failed[0]?.reason)
      .to.match(/“mine” to thing/)
      .and.contain('“broken”')
      .and.contain('“bystander”')
    await host.stop()
  })

  it('allows a third party only routes under its own prefix, and names both owners of one route', async () => {
    const setup = (path: string, id = '') =>
      `context.contribute(point('http.route'), { ...route('${path}')${id === '' ? '' : `, operationId: '${id}Read'`} })`
    const contributes = ['http.route']
    const folders = [
      await tree.write(
        { manifest: { id: 'polite', contributes }, setup: setup('/api/plugins/polite/x', 'polite') },
        path.join(tree.root, 'polite'),
      ),
      await tree.write(
        { manifest: { id: 'greedy', contributes }, setup: setup('/api/plugins/polite/y', 'greedy') },
        path.join(tree.root, 'greedy'),
      ),
    ]
    await tree.write({
      manifest: { id: 'owner', contributes, routes: ['/api/shared'], provides: ['turn'] },
      setup: `${setup('/api/shared')}; context.provide(ref('turn'), 1)`,
    })
    await tree.write({ manifest: { id: 'rival', contributes, routes: ['/api/shared'], requires: ['turn'] }, setup: setup('/api/shared') })
    const { host, state, reason, routes } = await createTestHost(tree, { sources: folders })
    await host.start()
    expect(state('polite')).to.equal('active')
    expect(reason('greedy')).to.contain('/path is “/api/plugins/polite/y”; paths of this plugin must lie below /api/plugins/greedy/')
    expect(reason('rival')).to.contain('“rival” overlaps').and.contain('“owner”')
    expect(routes.list().map(({ owner }) => owner)).to.have.members(['owner', 'polite'])
    await host.stop()
    expect(routes.list()).to.deep.equal([])
  })

  it('that hangs in setup fails at its limit, with its signal aborted; its later calls have no effect', async () => {
    recorder.shared.set('gate', new Promise<void>((resolve) => recorder.shared.set('open', resolve)))
    await tree.write(
      setupOf(
        `context.signal.addEventListener('abort', () => test.note('aborted'))
         await test.shared.get('gate')
         try { context.contribute(point('thing'), { specVersion: 1, id: 'late' }) } catch (error) { test.note(error.code) }
         return () => test.note('late undo')`,
        { contributes: ['thing'] },
      ),
    )
    const { host, state, reason, clock, contributions } = await createTestHost(tree)
    const started = host.start()
    await Promise.all([recorder.noted('broken setup'), recorder.noted('bystander setup')])
    await clock.advance(30_000)
    await started
    expect(state('broken')).to.equal('failed')
    expect(reason('broken')).to.match(/^setup did not end within 30 s/)
    expect(recorder.events).to.include.members(['aborted', 'broken disposed'])
    ;(recorder.shared.get('open') as () => void)()
    await recorder.noted('late undo')
    expect(recorder.events).to.include('plugin_setup_over')
    expect(contributions.list(thing).map(({ key }) => key)).to.deep.equal(['mine'])
    await host.stop()
  })

  it('that hangs at import fails at its limit', async () => {
    await tree.write({ manifest: { id: 'broken' }, head: `test.note('importing'); await new Promise(() => {})` })
    const { host, state, reason, clock } = await createTestHost(tree)
    const started = host.start()
    await recorder.noted('importing')
    await clock.advance(30_000)
    await started
    expect(state('broken')).to.equal('failed')
    expect(reason('broken')).to.match(/^importing .* did not end within 30 s/)
    await host.stop()
  })

  it('is cancelled at once when the service stops', async () => {
    await tree.write(setupOf('await new Promise(() => {})'))
    const { host, state, reason } = await createTestHost(tree)
    const started = host.start()
    await recorder.noted('broken setup')
    await host.stop()
    await started
    expect(state('broken')).to.equal('stopped')
    expect(reason('broken')).to.equal('the service stopped while it started')
    expect(recorder.events).to.include('broken disposed')
  })

  it('starts when it is enabled again after a correction', async () => {
    recorder.shared.set('broken', true)
    await tree.write(setupOf(`if (test.shared.get('broken')) throw new Error('not today')`))
    const { host, state } = await createTestHost(tree)
    await host.start()
    expect(state('broken')).to.equal('failed')
    recorder.shared.set('broken', false)
    expect(await host.enable('broken')).to.include({ state: 'active', reason: null })
    await host.stop()
  })

  it('with a manifest that is not JSON is listed under the name of its folder', async () => {
    const folder = await tree.write({ manifest: { id: 'half-written' }, json: '{"id": "half-wr' })
    await writeFile(path.join(tree.builtIn, 'README.md'), 'no plugin')
    const { host } = await createTestHost(tree)
    const report = (await host.start()).find(({ id }) => id === 'half-written')
    expect(report).to.include({ state: 'invalid', version: 'unknown', source: 'built-in' })
    expect(report?.reason)
      .to.match(/plugin\.json is not JSON: /)
      .and.contain(folder)
    await host.stop()
  })
})
