import { spawn } from 'node:child_process'
import { expect } from 'chai'
import { createPluginTree, createRecorder, type PluginTree } from './fixture.test.js'

/** A process of its own, because a test runner listens for the same errors. */
const program = (tree: PluginTree, after: string): string => `
import { createRecorder, createTestHost } from ${JSON.stringify(new URL('./fixture.test.js', import.meta.url).href)}
const recorder = createRecorder()
const { host, contributions, lines } = await createTestHost(${JSON.stringify(tree)})
const unowned = []
host.watchFaults((error, kind) => { unowned.push(kind + ': ' + error.message); recorder.note('unowned') })
const thing = { id: 'thing', cardinality: 'many', specVersions: [1], keyOf: () => '' }
await host.start()
${after}
console.log(JSON.stringify({ report: host.report(), unowned, errors: lines.filter(({ level }) => level === 'error').map(({ fields }) => fields.plugin + ' ' + fields.kind), alive: contributions.list(thing).length }))
await host.stop()
`

interface Outcome {
  readonly report: readonly { readonly id: string; readonly state: string; readonly reason: string | null }[]
  readonly unowned: readonly string[]
  readonly errors: readonly string[]
  readonly alive: number
}

const run = (source: string): Promise<{ readonly status: number | null; readonly out: string; readonly error: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', import.meta.resolve('reflect-metadata'), '--input-type=module', '--eval', source], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, error]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (data: Buffer) => out.push(data))
    child.stderr.on('data', (data: Buffer) => error.push(data))
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, out: Buffer.concat(out).toString(), error: Buffer.concat(error).toString() }))
  })

describe('an uncaught error of a plugin', () => {
  let tree: PluginTree
  beforeEach(async () => {
    createRecorder()
    tree = await createPluginTree()
    await tree.write({
      manifest: { id: 'bystander', contributes: ['thing'] },
      setup: `context.contribute(point('thing'), { specVersion: 1, id: 'mine' })`,
    })
  })
  afterEach(() => tree.remove())

  const outcomeOf = async (after: string): Promise<Outcome> => {
    const { status, out, error } = await run(program(tree, after))
    expect(error).to.equal('')
    expect(status).to.equal(0)
    return JSON.parse(out) as Outcome
  }
  const fault = `process.once('uncaughtException', () => test.note('fault')); process.once('unhandledRejection', () => test.note('fault'))`

  for (const [name, setup, kind] of [
    ['thrown by a timer', `${fault}; setTimeout(() => { throw new Error('late') }, 1)`, 'uncaught exception'],
    ['rejected and forgotten', `${fault}; setTimeout(async () => { await null; throw new Error('late') }, 1)`, 'unhandled rejection'],
    [
      'thrown by an emitter',
      `${fault}; const { EventEmitter } = await import('node:events'); setImmediate(() => new EventEmitter().emit('error', new Error('late')))`,
      'uncaught exception',
    ],
  ] as const) {
    it(`that was ${name} after setup marks the plugin; process and plugin go on`, async () => {
      await tree.write({
        manifest: { id: 'careless', contributes: ['thing'] },
        setup: `context.contribute(point('thing'), { specVersion: 1, id: 'x' }); ${setup}`,
      })
      const { report, unowned, errors, alive } = await outcomeOf(`await recorder.noted('fault')`)
      const careless = report.find(({ id }) => id === 'careless')
      expect(careless).to.include({ state: 'active' })
      expect(careless?.reason).to.equal(`it runs, but 1 error(s) escaped, the last as an ${kind}: late`)
      expect(errors).to.deep.equal([`careless ${kind}`])
      expect(unowned).to.deep.equal([])
      expect(report.find(({ id }) => id === 'bystander')).to.include({ state: 'active', reason: null })
      expect(alive).to.equal(2)
    })
  }

  it('marks the plugin also if it comes from a request that it answers', async () => {
    await tree.write({
      manifest: { id: 'careless', contributes: ['http.route'], routes: ['/api/careless'] },
      setup: `context.contribute(point('http.route'), route('/api/careless', async () => { ${fault}; Promise.reject(new Error('late')); return { status: 204, kind: 'empty' } }))`,
    })
    const source = program(tree, `await routes.list()[0].route.handle({}); await recorder.noted('fault')`).replace(
      '{ host, contributions,',
      '{ host, routes, contributions,',
    )
    const { status, out } = await run(source)
    expect(status).to.equal(0)
    expect((JSON.parse(out) as Outcome).report.find(({ id }) => id === 'careless')?.reason).to.contain('unhandled rejection: late')
  })

  it('is caught from before the first setup: it does not disturb the start of another plugin', async () => {
    await tree.write({
      manifest: { id: 'careless', contributes: ['thing'] },
      setup: `${fault}; setTimeout(() => { throw new Error('early') }, 1); await new Promise((resolve) => setTimeout(resolve, 50))`,
    })
    const { report, errors } = await outcomeOf('')
    expect(report.find(({ id }) => id === 'careless')).to.include({
      state: 'active',
      reason: 'it runs, but 1 error(s) escaped, the last as an uncaught exception: early',
    })
    expect(errors).to.deep.equal(['careless uncaught exception'])
  })

  for (const [what, point, value, call] of [
    [
      'a tool',
      'tool',
      `{ specVersion: 1, name: 'trip', title: 'Trip', description: 'Trips over itself.', parameters: sdk.Type.Object({}), supports: { probe: false }, async execute() { FAULT; return { content: [] } } }`,
      `contributions.list({ id: 'tool' })[0].value.execute({}, {})`,
    ],
    [
      'user data',
      'user.data',
      `{ specVersion: 1, id: 'careless', collections: [], async *export() { FAULT }, erase: async () => {}, size: async () => ({ records: 0, bytes: 0 }) }`,
      `(async () => { for await (const one of contributions.list({ id: 'user.data' })[0].value.export('u', {})) one })()`,
    ],
  ] as const) {
    it(`is attributed to the plugin whose ${what} it was, whichever plugin called`, async () => {
      await tree.write({
        manifest: { id: 'careless', contributes: [point] },
        setup: `context.contribute(point('${point}'), ${value.replace('FAULT', `${fault}; setTimeout(() => { throw new Error('late') }, 1)`)})`,
      })
      await tree.write({
        manifest: { id: 'caller', provides: ['call'] },
        setup: `const contributions = context.use(ref('kernel.contributions')); context.provide(ref('call'), {}); test.shared.set('call', () => ${call})`,
      })
      const { report, unowned } = await outcomeOf(`await recorder.shared.get('call')(); await recorder.noted('fault')`)
      expect(report.find(({ id }) => id === 'careless')?.reason).to.contain('uncaught exception: late')
      expect(report.find(({ id }) => id === 'caller')?.reason).to.equal(null)
      expect(unowned).to.deep.equal([])
    })
  }

  it('goes to the kernel when it belongs to no plugin', async () => {
    const { unowned, errors } = await outcomeOf(`setTimeout(() => { throw new Error('ours') }, 1); await recorder.noted('unowned')`)
    expect(unowned).to.deep.equal(['uncaught exception: ours'])
    expect(errors).to.deep.equal([])
  })
})
