import { cp, mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { createSystemClock } from '../../clock/index.js'
import { createPluginTree, createRecorder, createTestHost, type PluginTree, type Recorder, sdkUrl } from './fixture.test.js'

const thing = { id: 'thing', cardinality: 'many' as const, specVersions: [1], keyOf: () => '' }

describe('plugins that are started and stopped repeatedly', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
  })
  afterEach(() => tree.remove())

  it('leave no timer, listener, route, job or handle behind in ten rounds', async () => {
    await tree.write({
      manifest: {
        id: 'heavy',
        contributes: ['thing', 'http.route', 'scheduler.job'],
        routes: ['/api/heavy'],
        provides: ['weight'],
        optional: ['light'],
      },
      head: `import { createServer } from 'node:net'`,
      setup: `
        const timer = setInterval(() => {}, 1000)
        context.onDispose(() => clearInterval(timer))
        const server = createServer()
        await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
        context.onDispose(() => new Promise((resolve) => server.close(() => resolve())))
        const onSignal = () => {}
        process.on('SIGUSR2', onSignal)
        context.onDispose(() => void process.off('SIGUSR2', onSignal))
        const contributions = context.use(ref('kernel.contributions'))
        contributions.onChange(point('thing'), () => test.note('change'))
        context.provide(ref('weight'), {})
        context.contribute(point('thing'), { specVersion: 1, id: 'mine' })
        context.contribute(point('http.route'), route('/api/heavy'))
        context.contribute(point('scheduler.job'), { specVersion: 1, id: 'heavy.work', title: 'Work', everySeconds: 1, run: async () => {} })`,
    })
    await tree.write({
      manifest: { id: 'user', requires: ['weight'], contributes: ['thing'] },
      setup: `context.use(ref('weight')); context.contribute(point('thing'), { specVersion: 1, id: 'other' })`,
    })
    const { host, contributions, routes, jobs, clock, lines } = await createTestHost(tree, { clock: createSystemClock() })
    await host.start()
    const held = host.holdings('heavy')
    expect(held).to.include.members([
      'services',
      'route GET /api/heavy',
      'contributions',
      'job heavy.work',
      'contributions of thing/listener',
    ])
    await host.disable('heavy')
    const measure = () => ({
      resources: process
        .getActiveResourcesInfo()
        .filter((kind) => kind !== 'Immediate')
        .sort(),
      signals: process.listenerCount('SIGUSR2'),
      routes: routes.list().length,
      jobs: jobs.size,
      things: contributions.list(thing).length,
      holdings: [...host.holdings('heavy'), ...host.holdings('user')],
      timers: clock.pending(),
    })
    await settle()
    const before = measure()
    expect(before).to.deep.include({ signals: 0, routes: 0, jobs: 0, things: 0, holdings: [] })
    for (let round = 0; round < 10; round += 1) {
      expect(await host.enable('heavy')).to.include({ state: 'active' })
      expect(host.holdings('heavy')).to.deep.equal(held)
      expect((await host.disable('heavy')).stopped).to.deep.equal(['user', 'heavy'])
    }
    await settle()
    expect(measure()).to.deep.equal(before)
    recorder.events.length = 0
    const off = contributions.onChange(thing, () => recorder.note('mine'))
    await host.stop()
    await off()
    expect(recorder.events).not.to.include('change')
    expect(lines.filter(({ level }) => level === 'error')).to.deep.equal([])
  })

  it('work with their own copy of the SDK', async () => {
    const folder = path.join(tree.root, 'copied')
    const copy = path.join(folder, 'node_modules/@agent-service/sdk')
    const original = path.dirname(path.dirname(fileURLToPath(sdkUrl)))
    await mkdir(copy, { recursive: true })
    await cp(path.join(original, 'dist'), path.join(copy, 'dist'), { recursive: true })
    await cp(path.join(original, 'package.json'), path.join(copy, 'package.json'))
    await mkdir(path.join(copy, 'node_modules'))
    const [typebox] = fileURLToPath(import.meta.resolve('typebox')).split(/(?<=node_modules.typebox)/)
    if (typebox === undefined) throw new Error('typebox is not installed')
    await symlink(typebox, path.join(copy, 'node_modules/typebox'))
    await tree.write(
      {
        manifest: {
          id: 'tool-copied',
          contributes: ['tool', 'thing'],
          config: { type: 'object', properties: {}, additionalProperties: false } as never,
        },
        sdk: pathToFileURL(path.join(copy, 'dist/index.js')).href,
        head: `import { tools } from ${JSON.stringify(pathToFileURL(path.join(copy, 'dist/contracts/tool/index.js')).href)}`,
        setup: `
          test.shared.set('sdk', sdk)
          context.contribute(tools, { specVersion: 1, name: 'copied', title: 'C', description: 'Is copied.', parameters: sdk.Type.Object({}), supports: { probe: false }, execute: async () => ({ content: [] }) })
          if (test.shared.get('late')) throw sdk.pluginNotReadyError.create({ reason: 'asleep', retryAfterMs: 50 })`,
      },
      folder,
    )
    const { host, state, reason, contributions } = await createTestHost(tree, { sources: [folder] })
    await host.start()
    expect(reason('tool-copied')).to.equal(null)
    expect(state('tool-copied')).to.equal('active')
    const ours: object = await import(sdkUrl)
    expect(recorder.shared.get('sdk')).not.to.equal(ours)
    expect(contributions.list({ ...thing, id: 'tool' }).map(({ key }) => key)).to.deep.equal(['tool_copied__copied'])
    await host.disable('tool-copied')
    recorder.shared.set('late', true)
    await host.enable('tool-copied')
    expect(state('tool-copied')).to.equal('retrying')
    await host.stop()
  })
})

/** Waits for closing handles. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
}
