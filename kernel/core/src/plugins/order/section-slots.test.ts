import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { tools } from '@agent-service/sdk/contracts/tool'
import { expect } from 'chai'
import { discoverPlugins } from '../discover/discover-plugins.js'
import { createPluginTree, createRecorder, createTestHost, type PluginTree } from '../run/fixture.test.js'
import { slotsOfSections } from './plugin-slots.js'

const methods = ['promptText', 'remember', 'search', 'forget', 'chatChanged', 'list', 'get', 'change', 'export', 'import', 'erase']
  .map((name) => `async ${name}() {}`)
  .join(', ')
const backend = (id: string) =>
  `context.contribute(point('memory.backend'), { specVersion: 1, id: '${id}', title: 'Memory', supports: { history: false, sweep: false, passes: false, revisions: false }, ${methods} })`
const section = {
  type: 'object',
  properties: { backend: { type: 'string', default: 'basic', 'x-slot': 'memory.backend' }, other: { type: 'string', default: 'x' } },
} as never

describe('a slot that a member of a section picks', () => {
  let tree: PluginTree
  beforeEach(async () => {
    createRecorder()
    tree = await createPluginTree()
    await tree.write({ manifest: { id: 'feature-memory', sections: { memory: section }, stage: 'declared' } })
  })
  afterEach(() => tree.remove())

  const discovered = () => discoverPlugins({ builtInFolder: tree.builtIn, sources: [], installFolder: tree.root })
  const picked = async (key: unknown) => slotsOfSections(await discovered(), () => ({ memory: { backend: key, other: 'y' } }))

  it('is read from the configuration, and from the declared section of a plugin without code too', async () => {
    expect(await picked('basic')).to.deep.equal([{ point: memoryBackends.id, key: 'basic', setting: 'memory.backend', optional: true }])
    expect(await picked(undefined)).to.deep.equal([])
  })

  it('may be empty', async () => {
    const { host, lines } = await createTestHost(tree, { slots: await picked('basic') })
    await host.start()
    expect(lines.filter(({ level }) => level === 'warn')).to.deep.equal([])
    await host.stop()
  })

  it('is filled by the picked plugin, which cannot be disabled; the others stay off', async () => {
    for (const id of ['basic', 'pkm'])
      await tree.write({ manifest: { id: `memory-${id}`, contributes: ['memory.backend'] }, setup: backend(id) })
    const { host, state, reason, contributions } = await createTestHost(tree, { slots: await picked('pkm') })
    await host.start()
    expect(contributions.list(memoryBackends).map(({ key }) => key)).to.deep.equal(['pkm'])
    expect(state('memory-basic')).to.equal('disabled')
    expect(reason('memory-basic')).to.equal('not selected by memory.backend (which is “pkm”)')
    const error: unknown = await host.disable('memory-pkm').catch((reason: unknown) => reason)
    expect(error).to.have.property('code', 'plugin_in_use')
    await host.stop()
  })

  it('stays empty with a line in the log if the picked plugin does not start', async () => {
    await tree.write({ manifest: { id: 'memory-basic', contributes: ['memory.backend'] }, setup: `throw new Error('no')` })
    const { host, lines, state } = await createTestHost(tree, { slots: await picked('basic') })
    await host.start()
    expect(state('memory-basic')).to.equal('failed')
    const [line] = lines.filter(({ message }) => message === 'A slot stays empty.')
    expect(line?.fields).to.include({ slot: 'memory.backend', setting: 'memory.backend' })
    await host.stop()
  })
})

describe('waiting for a point', () => {
  it('ends once its contributors have started, while another plugin still starts', async () => {
    const recorder = createRecorder()
    const tree = await createPluginTree()
    let release: () => void = () => undefined
    recorder.shared.set(
      'gate',
      new Promise<void>((resolve) => {
        release = resolve
      }),
    )
    await tree.write({ manifest: { id: 'slow' }, setup: `await test.shared.get('gate')` })
    await tree.write({ manifest: { id: 'backend', contributes: ['memory.backend'] }, setup: backend('backend') })
    const { host, contributions, state } = await createTestHost(tree)
    let over = false
    void contributions.settled().then(() => {
      over = true
    })
    const started = host.start()
    await recorder.noted('slow setup')
    await contributions.settled(memoryBackends)
    await contributions.settled(tools)
    expect(contributions.list(memoryBackends)).to.have.length(1)
    expect([state('slow'), over]).to.deep.equal(['starting', false])
    release()
    await started
    await contributions.settled()
    await host.stop()
    await tree.remove()
  })
})
