import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { expect } from 'chai'
import { discoverPlugins } from './discover/discover-plugins.js'
import type { ValidPlugin } from './discover/discovered-plugin.js'
import { slotOfOnlyPlugin } from './order/plugin-slots.js'
import { createPluginTree, createRecorder, createTestHost, type PluginTree, type Recorder } from './run/fixture.test.js'

const driver = `context.contribute(point('database.driver'), { specVersion: 1, id: 'sqlite', supports: { embedded: true, hotBackup: false, textSearch: true }, open: async () => ({}) })`
const methods = ['prepare', 'load', 'decide', 'rehearse', 'check'].map((name) => `async ${name}() {}`).join(', ')
const engine = (id: string) =>
  `context.contribute(point('policy.engine'), { specVersion: 1, id: '${id}', title: 'Engine', fileEndings: ['.txt'], ${methods} })`

describe('the slot for the policy engine', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
    await tree.write({ manifest: { id: 'database-sqlite', contributes: ['database.driver'] }, setup: driver })
    await tree.write({ manifest: { id: 'feature' } })
  })
  afterEach(() => tree.remove())

  const write = (id: string, setup = engine(id.replace('policy-', ''))) =>
    tree.write({ manifest: { id, contributes: ['policy.engine'] }, setup })
  const slots = async (mayRun: (plugin: ValidPlugin) => boolean = () => true) =>
    slotOfOnlyPlugin(
      policyEngines.id,
      await discoverPlugins({ builtInFolder: tree.builtIn, sources: [], installFolder: tree.root }),
      mayRun,
    )
  const withDriver = async (mayRun?: (plugin: ValidPlugin) => boolean) => ({
    slots: [{ point: 'database.driver', key: 'sqlite', setting: 'database.driver' }, ...(await slots(mayRun))],
  })

  it('is filled by its only plugin, with the driver, before everything else, and stays in use', async () => {
    await write('policy-cedar')
    const { host, state, contributions } = await createTestHost(tree, await withDriver())
    await host.startBoot()
    expect([...recorder.events].sort()).to.deep.equal(['database-sqlite setup', 'policy-cedar setup'])
    expect(contributions.list(policyEngines).map(({ key }) => key)).to.deep.equal(['cedar'])
    await host.start()
    expect([state('policy-cedar'), state('feature')]).to.deep.equal(['active', 'active'])
    const refused: unknown = await host.disable('policy-cedar').catch((error: unknown) => error)
    expect(refused).to.have.property('code', 'plugin_in_use')
    await host.stop()
    expect([state('policy-cedar'), state('feature')]).to.deep.equal(['active', 'stopped'])
    await host.stopBoot()
    expect(state('policy-cedar')).to.equal('stopped')
  })

  it('is named after its plugin, with or without “policy-”', async () => {
    await write('garden-rules')
    expect(await slots()).to.deep.equal([
      { point: 'policy.engine', key: 'garden-rules', setting: 'the slot policy.engine', optional: true },
    ])
  })

  it('leaves a plugin off that may not run and cannot be enabled beside the other', async () => {
    await write('policy-cedar')
    await write('policy-other')
    const { host, reason } = await createTestHost(tree, await withDriver(({ id }) => id !== 'policy-other'))
    await host.startBoot()
    await host.start()
    expect(reason('policy-other')).to.equal('not selected by the slot policy.engine (which is “cedar”)')
    const refused: unknown = await host.enable('policy-other').catch((error: unknown) => error)
    expect(refused).to.have.property('code', 'plugin_locked')
    await host.stop()
    await host.stopBoot()
  })

  it('is not filled by load order: with two plugins both run and neither fills it', async () => {
    await write('policy-cedar')
    await write('policy-other')
    expect(await slots()).to.deep.equal([])
    const { host, contributions } = await createTestHost(tree, await withDriver())
    await host.startBoot()
    await host.start()
    expect(contributions.list(policyEngines).map(({ key }) => key)).to.deep.equal(['cedar', 'other'])
    await host.stop()
    await host.stopBoot()
  })

  for (const [what, setup, reason] of [
    ['fails', `throw new Error('no')`, /failed.*no/],
    ['contributes another', engine('other'), /it contributes “other” to policy\.engine, not “cedar”/],
  ] as const)
    it(`does not stop the start if its plugin ${what}, and logs the reason`, async () => {
      await write('policy-cedar', setup)
      const { host, state, lines } = await createTestHost(tree, await withDriver())
      await host.startBoot()
      await host.start()
      expect(state('feature')).to.equal('active')
      const [line] = lines.filter(({ message }) => message === 'A slot stays empty.')
      expect(line?.fields).to.include({ slot: 'policy.engine' })
      expect(String(line?.fields?.['error'])).to.match(reason)
      await host.stop()
      await host.stopBoot()
    })

  it('is filled later if its plugin is not ready at first', async () => {
    recorder.shared.set('asleep', true)
    await write(
      'policy-cedar',
      `if (test.shared.get('asleep')) throw sdk.pluginNotReadyError.create({ reason: 'asleep' }); ${engine('cedar')}`,
    )
    const { host, state, clock, contributions } = await createTestHost(tree, await withDriver())
    await host.startBoot()
    await host.start()
    expect(state('policy-cedar')).to.equal('retrying')
    recorder.shared.set('asleep', false)
    await clock.advance(1_200)
    await contributions.settled(policyEngines)
    await host.enable('feature')
    expect(state('policy-cedar')).to.equal('active')
    expect(contributions.list(policyEngines).map(({ key }) => key)).to.deep.equal(['cedar'])
    await host.stop()
    await host.stopBoot()
    expect(clock.pending()).to.equal(0)
  })

  it('stays empty if its plugin uses a service that does not exist yet', async () => {
    await tree.write({ manifest: { id: 'policy-cedar', contributes: ['policy.engine'], requires: ['song'] }, setup: engine('cedar') })
    const { host, reason } = await createTestHost(tree, await withDriver())
    await host.startBoot()
    expect(reason('policy-cedar')).to.equal('a policy engine starts before every other plugin, so it cannot use song')
    await host.stop()
    await host.stopBoot()
  })
})
