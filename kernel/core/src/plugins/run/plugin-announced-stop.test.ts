import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost, type PluginTree, type Recorder } from './fixture.test.js'

const thing = { id: 'thing', cardinality: 'many' as const, specVersions: [1], keyOf: () => '' }

/** A plugin with a call that ends only when the stop of the plugin is announced. */
const waiting = (id: string) => ({
  manifest: { id, contributes: ['thing'] },
  setup: `
    let end
    const told = new Promise((resolve) => { end = resolve })
    context.onStopping(() => { test.note('${id} told'); end() })
    context.contribute(point('thing'), { specVersion: 1, id: '${id}', call: () => told })`,
})

describe('a plugin that is about to stop', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
  })
  afterEach(() => tree.remove())

  it('gets the announcement before its calls are awaited, so that it can end what they wait for', async () => {
    await tree.write(waiting('busy'))
    const { host, contributions, clock, lines } = await createTestHost(tree)
    await host.start()
    const lease = contributions.acquire(thing, 'busy')
    const call = (lease?.value as { call?(): Promise<void> } | undefined)?.call?.().finally(() => lease?.release())
    // The clock does not advance: waiting for a limit would never end.
    await host.disable('busy')
    await call
    expect(recorder.events).to.deep.equal(['busy setup', 'busy told', 'busy disposed'])
    expect(lease?.signal.aborted).to.equal(false)
    expect(clock.pending()).to.equal(0)
    expect(lines.filter(({ level }) => level === 'warn' || level === 'error')).to.deep.equal([])

    await host.enable('busy')
    await host.stop()
    expect(recorder.events.slice(3)).to.deep.equal(['busy setup', 'busy told', 'busy disposed'])
  })

  it('gets the announcement after its users and before they are disposed, or alone if it stops alone', async () => {
    for (const [id, services] of [
      ['provider', { provides: ['numbers'] }],
      ['consumer', { requires: ['numbers'], provides: ['sums'] }],
      ['last', { requires: ['sums'] }],
      ['other', {}],
    ] as const)
      await tree.write({
        manifest: { id, contributes: ['thing'], ...services },
        setup: `
          ${'requires' in services ? `context.use(ref('${services.requires[0]}'))` : ''}
          ${'provides' in services ? `context.provide(ref('${services.provides[0]}'), {})` : ''}
          context.contribute(point('thing'), { specVersion: 1, id: '${id}' })
          context.onStopping(async () => { await null; test.note('${id} told of ' + test.shared.get('list')()) })`,
      })
    const { host, contributions, state } = await createTestHost(tree)
    recorder.shared.set('list', () => contributions.list(thing).length)
    await host.start()
    recorder.events.length = 0
    await host.disable('consumer')
    expect(recorder.events).to.deep.equal(['last told of 4', 'consumer told of 4', 'last disposed', 'consumer disposed'])
    await host.enable('consumer')
    expect(state('last')).to.equal('active')
    recorder.events.length = 0
    await host.stop()
    const told = recorder.events.slice(0, 4)
    expect(told).to.have.members(['last told of 4', 'consumer told of 4', 'provider told of 4', 'other told of 4'])
    expect(told.filter((event) => !event.startsWith('other'))).to.deep.equal(['last told of 4', 'consumer told of 4', 'provider told of 4'])
    expect(recorder.events).to.have.length(8)
  })

  it('may throw in a hook: the newest hook runs first, each once, and the stop goes on', async () => {
    await tree.write({
      manifest: { id: 'messy' },
      setup: `
        context.onStopping(() => test.note('oldest'))
        context.onStopping(async () => { throw new Error('late') })
        context.onStopping(() => { throw new Error('stuck') })
        context.onStopping(() => test.note('newest'))`,
    })
    await tree.write({ manifest: { id: 'neat' } })
    const { host, state, reason, lines } = await createTestHost(tree)
    await host.start()
    await host.stop()
    expect(recorder.events.filter((event) => !event.endsWith('setup'))).to.deep.equal([
      ...['newest', 'oldest'],
      ...recorder.events.slice(-2),
    ])
    expect(recorder.events.slice(-2)).to.have.members(['messy disposed', 'neat disposed'])
    expect(state('messy')).to.equal('stopped')
    expect(reason('messy')).to.equal('2 thing(s) did not stop cleanly: stuck; late')
    expect(lines.filter(({ level, fields }) => level === 'error' && fields['plugin'] === 'messy')).to.have.length(2)
  })

  it('may hang in a hook: it times out, and the stop goes on, also for the plugins that it uses', async () => {
    await tree.write({
      manifest: { id: 'provider', provides: ['numbers'] },
      setup: `context.provide(ref('numbers'), {}); context.onStopping(() => test.note('provider told'))`,
    })
    await tree.write({
      manifest: { id: 'hanging', requires: ['numbers'] },
      setup: `context.use(ref('numbers')); context.onStopping(() => test.note('hanging told')); context.onStopping(() => new Promise(() => {}))`,
    })
    const { host, lines } = await createTestHost(tree, { limits: { disposerMs: 20 } })
    await host.start()
    const { report, stopped } = await host.disable('provider')
    expect(stopped).to.deep.equal(['hanging', 'provider'])
    expect(report.reason).to.equal('disabled by an administrator')
    const errors = lines.filter(({ level, fields }) => level === 'error' && fields['plugin'] === 'hanging')
    expect(errors).to.have.length(1)
    expect(String(errors[0]?.fields['error'])).to.match(/“hanging\/onStopping” did not end within 20 ms/)
    expect(recorder.events.slice(2)).to.deep.equal(['hanging told', 'provider told', 'hanging disposed', 'provider disposed'])
    await host.stop()
  })

  it('runs its hooks in order if its setup fails or is cancelled', async () => {
    const setup = `
      context.onDispose(() => test.note('older'))
      context.onStopping(() => test.note('told'))
      context.onDispose(() => test.note('newer'))`
    await tree.write({ manifest: { id: 'broken' }, setup: `${setup}; throw new Error('broken')` })
    await tree.write({
      manifest: { id: 'slow' },
      setup: `${setup}; test.note('slow waits'); await test.shared.get('gate')
        try { context.onStopping(() => test.note('told at once')) } catch (error) { test.note(error.code) }`,
    })
    let open: () => void = () => undefined
    recorder.shared.set('gate', new Promise<void>((resolve) => (open = resolve)))
    const { host, state } = await createTestHost(tree)
    const starting = host.start()
    await recorder.noted('slow waits')
    await recorder.noted('broken disposed')
    expect(recorder.events.filter((event) => !event.startsWith('slow'))).to.deep.equal([
      ...['broken setup', 'newer', 'told', 'older', 'broken disposed'],
    ])
    recorder.events.length = 0
    await Promise.all([host.stop(), starting])
    expect(recorder.events).to.deep.equal(['newer', 'told', 'older', 'slow disposed'])
    expect(state('slow')).to.equal('stopped')
    open()
    await recorder.noted('told at once')
    expect(recorder.events.slice(4)).to.have.members(['told at once', 'scope_closed'])
  })
})
