import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost, type PluginTree, type Recorder } from './fixture.test.js'

const thing = { id: 'thing', cardinality: 'many' as const, specVersions: [1], keyOf: () => '' }

describe('a plugin that stops', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
  })
  afterEach(() => tree.remove())

  it('is undone in reverse order, including the disposer of setup', async () => {
    await tree.write({
      manifest: { id: 'neat' },
      setup: `context.onDispose(() => test.note('first')); context.onDispose(async () => { await null; test.note('second') }); return () => test.note('returned')`,
    })
    const { host } = await createTestHost(tree)
    await host.start()
    await host.stop()
    expect(recorder.events).to.deep.equal(['neat setup', 'returned', 'second', 'first', 'neat disposed'])
  })

  it('is reported if it throws; the rest goes on', async () => {
    await tree.write({
      manifest: { id: 'messy' },
      setup: `context.onDispose(() => test.note('kept')); context.onDispose(() => { throw new Error('stuck') })`,
    })
    await tree.write({ manifest: { id: 'neat' } })
    const { host, state, reason, lines } = await createTestHost(tree)
    await host.start()
    await host.stop()
    expect(recorder.events).to.include.members(['kept', 'messy disposed', 'neat disposed'])
    expect(state('messy')).to.equal('stopped')
    expect(reason('messy')).to.equal('1 thing(s) did not stop cleanly: stuck')
    expect(lines.filter(({ level, fields }) => level === 'error' && fields['plugin'] === 'messy')).to.have.length(1)
  })

  it('is reported at its limit if it hangs; the rest goes on', async () => {
    await tree.write({ manifest: { id: 'hanging' }, setup: `context.onDispose(() => new Promise(() => {}))` })
    const { host, state, reason } = await createTestHost(tree, { limits: { disposerMs: 20 } })
    await host.start()
    const { report } = await host.disable('hanging')
    expect(state('hanging')).to.equal('disabled')
    expect(report.reason).to.match(/^disabled by an administrator; 1 thing\(s\) did not stop cleanly: .*did not end within 20 ms/)
    expect(recorder.events).to.include('hanging disposed')
    expect(await host.enable('hanging')).to.include({ state: 'active' })
    expect(reason('hanging')).to.equal(null)
    await host.stop()
  })

  it('gets no new calls, completes those in flight, and is undone only then', async () => {
    await tree.write({
      manifest: { id: 'busy', contributes: ['thing'] },
      setup: `context.contribute(point('thing'), { specVersion: 1, id: 'mine' })`,
    })
    const { host, contributions, clock } = await createTestHost(tree)
    await host.start()
    const changes: number[] = []
    contributions.onChange(thing, () => changes.push(contributions.list(thing).length))
    const lease = contributions.acquire(thing, 'mine')
    const other = contributions.acquire(thing, 'mine')
    const disabling = host.disable('busy')
    await clock.advance(1)
    expect(changes).to.deep.equal([0])
    expect(contributions.acquire(thing, 'mine')).to.equal(undefined)
    expect(recorder.events).not.to.include('busy disposed')
    lease?.release()
    lease?.release()
    await clock.advance(9_000)
    expect(recorder.events).not.to.include('busy disposed')
    other?.release()
    await disabling
    expect(other?.signal.aborted).to.equal(false)
    expect(recorder.events).to.include('busy disposed')
    expect(clock.pending()).to.equal(0)
    await host.stop()
  })

  it('aborts calls that do not end in time', async () => {
    await tree.write({
      manifest: { id: 'busy', contributes: ['thing'] },
      setup: `context.contribute(point('thing'), { specVersion: 1, id: 'mine' })`,
    })
    const { host, contributions, clock, lines } = await createTestHost(tree)
    await host.start()
    const lease = contributions.acquire(thing, 'mine')
    const disabling = host.disable('busy')
    await clock.advance(9_999)
    expect(lease?.signal.aborted).to.equal(false)
    await clock.advance(1)
    await disabling
    expect(lease?.signal.aborted).to.equal(true)
    expect(String(lease?.signal.reason)).to.contain('“busy” is stopping')
    expect(recorder.events).to.include('busy disposed')
    expect(lines.filter(({ level, fields }) => level === 'warn' && fields['calls'] === 1)).to.have.length(1)
    await host.stop()
  })

  it('removes its routes and jobs; requests and runs in flight delay it', async () => {
    await tree.write({
      manifest: { id: 'busy', contributes: ['http.route', 'scheduler.job'], routes: ['/api/busy'] },
      setup: `
        context.contribute(point('http.route'), route('/api/busy'))
        context.contribute(point('scheduler.job'), { specVersion: 1, id: 'busy.work', title: 'Work', everySeconds: 1,
          run: ({ signal }) => new Promise((resolve, reject) => { test.note('running'); signal.addEventListener('abort', () => { test.note('run aborted'); reject(signal.reason) }) }) })`,
    })
    const { host, routes, jobs, clock } = await createTestHost(tree)
    await host.start()
    expect(routes.list().map(({ route, owner }) => `${owner} ${route.path}`)).to.deep.equal(['busy /api/busy'])
    const [owner] = routes.owners()
    const request = owner?.acquire?.()
    const run = jobs.get('busy.work')?.run({ signal: new AbortController().signal, epoch: 1 }).catch(String)
    await recorder.noted('running')
    const disabling = host.disable('busy')
    await clock.advance(1)
    expect(owner?.acquire?.()).to.equal(undefined)
    request?.release()
    await clock.advance(9_999)
    await disabling
    expect(recorder.events).to.include('run aborted')
    expect(await run).to.contain('is stopping')
    expect(routes.list()).to.deep.equal([])
    expect(jobs.size).to.equal(0)
    await host.stop()
  })

  it('is never called after its stop, even with its users under load', async () => {
    await tree.write({
      manifest: { id: 'provider', provides: ['numbers'] },
      setup: `
        let open = true
        context.onDispose(() => { open = false; test.note('provider closed') })
        context.provide(ref('numbers'), { next: async () => { await new Promise(setImmediate); if (!open) throw new Error('closed'); return 1 } })`,
    })
    await tree.write({
      manifest: { id: 'consumer', contributes: ['thing'], requires: ['numbers'] },
      setup: `const numbers = context.use(ref('numbers')); context.contribute(point('thing'), { specVersion: 1, id: 'count', call: () => numbers.next() })`,
    })
    const { host, contributions, state } = await createTestHost(tree)
    await host.start()
    let [calls, refused, failed] = [0, 0, 0]
    const caller = async (until: () => boolean): Promise<void> => {
      while (!until()) {
        const lease = contributions.acquire(thing, 'count')
        if (lease === undefined) {
          refused += 1
          await new Promise(setImmediate)
          continue
        }
        try {
          await (lease.value as unknown as { call(): Promise<number> }).call()
          calls += 1
        } catch {
          failed += 1
        } finally {
          lease.release()
        }
      }
    }
    let over = false
    const callers = Array.from({ length: 20 }, () => caller(() => over))
    for (let round = 0; round < 3; round += 1) {
      const before = calls
      while (calls < before + 100) await new Promise(setImmediate)
      const { stopped } = await host.disable('provider')
      expect(stopped).to.deep.equal(['consumer', 'provider'])
      expect(state('consumer')).to.equal('blocked')
      await host.enable('provider')
    }
    over = true
    await Promise.all(callers)
    expect(failed).to.equal(0)
    expect(calls).to.be.greaterThan(300)
    expect(refused).to.be.greaterThan(0)
    expect(recorder.events.filter((event) => event === 'provider closed')).to.have.length(3)
    await host.stop()
  })
})
