import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost, type PluginTree, type Recorder } from './fixture.test.js'

describe('what a plugin is given', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
  })
  afterEach(() => tree.remove())

  it('is frozen, has its configuration and log, and works during setup only', async () => {
    await tree.write({
      manifest: { id: 'curious', contributes: ['thing'], provides: ['answer'], optional: ['absent'] },
      setup: `
        test.shared.set('context', context)
        context.log.info('Here', { what: 'setup' })
        test.note('absent is ' + context.use(ref('absent'), { optional: true }))
        test.note('listed as optional it is ' + context.use(ref('absent')))
        try { context.use(ref('kernel.absent')) } catch (error) { test.note(error.code) }
        context.provide(ref('answer'), 42)`,
    })
    const { host, lines, state } = await createTestHost(tree, { configurationOf: ({ id }) => ({ of: id }) })
    await host.start()
    expect(state('curious')).to.equal('active')
    const context = recorder.shared.get('context') as Record<
      'use' | 'contribute' | 'provide' | 'onStopping' | 'onDispose',
      (...given: readonly unknown[]) => unknown
    > & {
      readonly signal: AbortSignal
    }
    expect(Object.isFrozen(context)).to.equal(true)
    expect(context).to.deep.include({ pluginId: 'curious', config: { of: 'curious' } })
    expect(recorder.events).to.include.members(['absent is undefined', 'listed as optional it is undefined', 'service_unavailable'])
    expect(lines.find(({ message }) => message === 'Here')?.fields).to.deep.equal({ plugin: 'curious', what: 'setup' })
    for (const action of ['use', 'contribute', 'provide', 'onStopping'] as const) {
      expect(() => context[action]({ id: 'answer' }, {}), action).to.throw(`called ${action}() after its setup had ended`)
    }
    context.onDispose(() => recorder.note('late undo'))
    expect(context.signal.aborted).to.equal(false)
    await host.stop()
    expect(context.signal.aborted).to.equal(true)
    expect(recorder.events).to.include('late undo')
    expect(() => context.onDispose(() => recorder.note('too late'))).to.throw('after that scope was disposed')
  })

  for (const [call, reason] of [
    [`context.onDispose('x')`, 'called onDispose() with a string. Pass a function: context.onDispose(() => server.close()).'],
    [`context.onDispose(Promise.resolve())`, 'called onDispose() with a promise. Pass a function'],
    [`context.onStopping(undefined)`, 'called onStopping() with undefined. Pass a function'],
    [`context.contribute(undefined, {})`, 'called contribute() with undefined. Pass a contribution point'],
    [`context.contribute(point('thing'))`, 'called contribute() with undefined. Pass the object that is added to thing.'],
    [`context.provide(ref('answer'))`, 'called provide() with undefined. Pass the service “answer”.'],
    [`context.provide('answer', {})`, 'called provide() with a string. Pass a service reference'],
    [`context.use('kernel.clock')`, 'called use() with a string. Pass a service reference'],
    [
      `context.use(ref('kernel.contributions')).onChange(point('thing'), 'x')`,
      'contributions.onChange() takes a function to call, and got string.',
    ],
    [`try { context.onDispose(5) } catch {}`, 'called onDispose() with a number. Pass a function'],
  ] as const) {
    it(`is refused at the call: ${call}`, async () => {
      await tree.write({ manifest: { id: 'wrong', contributes: ['thing'], provides: ['answer'] }, setup: `${call}; test.note('went on')` })
      const { host, state, reason: failed } = await createTestHost(tree)
      await host.start()
      expect(state('wrong')).to.equal('failed')
      expect(failed('wrong')).to.contain(reason)
      await host.stop()
    })
  }

  it('are services of other plugins, the same object for all or one made for each', async () => {
    await tree.write({
      manifest: { id: 'provider', provides: ['shared', 'own'] },
      setup: `
        context.provide(ref('shared'), { of: 'all' })
        context.provide(ref('own'), sdk.servicePerPlugin(({ pluginId }) => ({ of: pluginId })))`,
    })
    for (const id of ['first', 'second'])
      await tree.write({
        manifest: { id, requires: ['shared'], optional: ['own'] },
        setup: `for (const name of ['shared', 'own']) test.shared.set('${id} ' + name, context.use(ref(name)))`,
      })
    const { host } = await createTestHost(tree)
    await host.start()
    expect(recorder.shared.get('first shared')).to.equal(recorder.shared.get('second shared'))
    for (const id of ['first', 'second']) expect(recorder.shared.get(`${id} own`)).to.deep.equal({ of: id })
    await host.stop()
  })

  it('are services of the kernel, made for one start of one plugin each', async () => {
    const made: string[] = []
    await tree.write({
      manifest: { id: 'reader' },
      setup: `test.note(context.use(ref('kernel.books')) === context.use(ref('kernel.books')) ? 'same' : 'other')`,
    })
    const { host } = await createTestHost(tree, {
      kernelServices: new Map([
        [
          'kernel.books',
          (pluginId, scope) => {
            made.push(pluginId)
            scope.add('books', () => recorder.note('books closed'))
            return { read: () => 'text' }
          },
        ],
      ]),
    })
    await host.start()
    await host.disable('reader')
    expect(recorder.events).to.include('same').and.include('books closed')
    await host.enable('reader')
    expect(made).to.deep.equal(['reader', 'reader'])
    await host.stop()
  })

  it('are its collections, opened before setup; those of users need user.data', async () => {
    await tree.write({
      manifest: { id: 'keeper', contributes: ['user.data'] },
      collections: `[{ name: 'keeper.notes', version: 1, indexes: {}, userField: 'user_id' }, { name: 'keeper.shared', version: 1, indexes: {} }]`,
      setup: `
        test.note('database ' + typeof context.use(ref('kernel.database')))
        context.contribute(point('user.data'), { specVersion: 1, id: 'keeper', collections: ['keeper.notes'], async *export() {}, erase: async () => {}, size: async () => ({ records: 0, bytes: 0 }) })`,
    })
    const { host, state, opened } = await createTestHost(tree)
    await host.start()
    expect(state('keeper')).to.equal('active')
    expect(opened).to.deep.equal(['keeper:keeper.notes', 'keeper:keeper.shared'])
    expect(recorder.events).to.include('database object')
    await host.stop()
  })

  it('is nothing if its collections cannot be opened', async () => {
    await tree.write({ manifest: { id: 'keeper' } })
    const { host, reason } = await createTestHost(tree, { openDatabase: () => Promise.reject(new Error('the data is newer')) })
    await host.start()
    expect(reason('keeper')).to.equal('opening its collections failed: the data is newer')
    expect(recorder.events).to.deep.equal([])
    await host.stop()
  })
})
