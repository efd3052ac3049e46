import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { createMemoryDocuments, createPluginTree, createRecorder, createTestHost, type PluginTree, type Recorder } from './fixture.test.js'

const imported = (id: string): string => `test.note('${id} import')`

describe('plugins that are loaded ahead', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
  })
  afterEach(() => tree.remove())

  it('are imported and not set up, and are not imported again when they start', async () => {
    for (const id of ['tool-anvil', 'tool-dice']) await tree.write({ manifest: { id }, head: imported(id) })
    const { host, state } = await createTestHost(tree)
    await host.loadAhead()
    expect([...recorder.events].sort()).to.deep.equal(['tool-anvil import', 'tool-dice import'])
    expect(state('tool-dice')).to.equal('discovered')
    await host.start()
    expect([...recorder.events].sort()).to.deep.equal(['tool-anvil import', 'tool-anvil setup', 'tool-dice import', 'tool-dice setup'])
    await host.stop()
  })

  it('are only those that will be started', async () => {
    await tree.write({ manifest: { id: 'off-by-configuration' }, head: imported('off-by-configuration') })
    await tree.write({ manifest: { id: 'off-by-switch' }, head: imported('off-by-switch') })
    await tree.write({ manifest: { id: 'without-provider', requires: ['nobody'] }, head: imported('without-provider') })
    await tree.write({ manifest: { id: 'on' }, head: imported('on') })
    const stateDocuments = createMemoryDocuments()
    const switches = await stateDocuments.open({ name: 'plugins', schema: Type.Object({}), initial: { disabled: [''] } })
    await switches.update(() => ({ disabled: ['off-by-switch'] }))
    const { host } = await createTestHost(tree, { disabled: ['off-by-configuration'], stateDocuments })
    await host.loadAhead()
    expect(recorder.events).to.deep.equal(['on import'])
    await host.stop()
  })

  it('are reported as failed at their start if the import fails', async () => {
    await tree.write({ manifest: { id: 'broken' }, head: `throw new Error('not today')` })
    const { host, state, reason } = await createTestHost(tree)
    await host.loadAhead()
    expect(state('broken')).to.equal('discovered')
    await host.start()
    expect(state('broken')).to.equal('failed')
    expect(reason('broken')).to.match(/^importing .*index\.js failed: not today$/)
    await host.stop()
  })

  it('do not delay the start if an import hangs: its time counts from the start', async () => {
    await tree.write({ manifest: { id: 'broken' }, head: `test.note('importing'); await new Promise(() => {})` })
    await tree.write({ manifest: { id: 'tool-dice' } })
    const { host, state, reason, clock } = await createTestHost(tree)
    void host.loadAhead()
    await recorder.noted('importing')
    const started = host.start()
    await recorder.noted('tool-dice setup')
    await clock.advance(30_000)
    await started
    expect(state('tool-dice')).to.equal('active')
    expect(reason('broken')).to.match(/^importing .* did not end within 30 s/)
    await host.stop()
  })
})
