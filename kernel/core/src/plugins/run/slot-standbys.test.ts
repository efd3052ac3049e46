import { memoryBackends } from '@agent-service/sdk/contracts/memory-backend'
import { tools } from '@agent-service/sdk/contracts/tool'
import { userData } from '@agent-service/sdk/contracts/user-data'
import type { Slots } from '@agent-service/sdk/services/slots'
import { expect } from 'chai'
import { createPluginTree, createRecorder, createTestHost, type PluginTree, type Recorder } from './fixture.test.js'

const section = { type: 'object', properties: { backend: { type: 'string', default: 'basic', 'x-slot': memoryBackends.id } } }
const functions = ['promptText', 'remember', 'search', 'forget', 'chatChanged', 'list', 'get', 'change', 'export', 'import', 'erase']
const backend = (id: string): string => `
  const backend = { specVersion: 1, id: '${id}', title: '${id}', supports: { history: false, sweep: false, passes: false, revisions: false } }
  for (const name of ${JSON.stringify(functions)}) backend[name] = async () => undefined
  context.contribute(point('memory.backend'), backend)
  context.contribute(point('user.data'), { specVersion: 1, id: '${id}', collections: [], async *export() {}, erase: async () => undefined, size: async () => ({ records: 0, bytes: 0 }) })
  context.contribute(point('tool', (tool) => tool.name), { specVersion: 1, name: '${id}_tool', title: 'T', description: 'Does nothing at all.', parameters: { type: 'object', properties: {}, required: [], additionalProperties: false }, supports: { probe: false }, execute: async () => ({ content: [] }) })
  context.contribute(point('scheduler.job'), { specVersion: 1, id: '${id}.job', title: 'J', everySeconds: 60, run: async () => undefined })
  context.provide(ref('${id}-words'), {})`

describe('a contribution that stands by', () => {
  let tree: PluginTree
  let recorder: Recorder
  beforeEach(async () => {
    recorder = createRecorder()
    tree = await createPluginTree()
    for (const id of ['basic', 'pkm'])
      await tree.write({
        manifest: {
          id: `memory-${id}`,
          contributes: ['memory.backend', 'scheduler.job', 'tool', 'user.data'],
          requires: ['settings'],
          provides: [`${id}-words`],
        },
        setup: backend(id),
      })
    await tree.write({
      manifest: { id: 'owner', provides: ['settings'], sections: { memory: section } } as never,
      setup: `context.provide(ref('settings'), {}); test.shared.set('slots', context.use(ref('kernel.slots')))`,
    })
    await tree.write({ manifest: { id: 'stranger' }, setup: `test.shared.set('foreign', context.use(ref('kernel.slots')))` })
  })
  afterEach(() => tree.remove())

  const start = async (disabled: readonly string[] = []) => {
    const slots = [{ point: memoryBackends.id, key: 'basic', setting: 'memory.backend', optional: true }]
    const tested = await createTestHost(tree, { slots, disabled })
    await tested.host.start()
    return tested
  }
  const slotsOf = (name: string): Slots => recorder.shared.get(name) as Slots
  const refusalOf = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).to.have.property('code', 'slot_standby_refused')
    return (error as Error).message
  }
  const keysOf = ({ contributions }: Awaited<ReturnType<typeof start>>, point: typeof memoryBackends | typeof tools | typeof userData) =>
    contributions.list(point as typeof tools).map(({ key }) => key)

  it('runs beside the one that is picked, and nothing else of its plugin can be seen', async () => {
    const tested = await start()
    const { host, state, jobs } = tested
    expect(state('memory-pkm')).to.equal('disabled')
    const release = await slotsOf('slots').standby({ point: memoryBackends.id, key: 'pkm' })
    expect(state('memory-pkm')).to.equal('active')
    expect(keysOf(tested, memoryBackends)).to.deep.equal(['basic', 'pkm'])
    expect(keysOf(tested, userData)).to.deep.equal(['basic', 'pkm'])
    expect(keysOf(tested, tools)).to.deep.equal(['basic_tool'])
    expect([...jobs.keys()]).to.deep.equal(['basic.job'])
    await release()
    await release()
    await host.enable('stranger')
    expect(state('memory-pkm')).to.equal('disabled')
    expect(keysOf(tested, memoryBackends)).to.deep.equal(['basic'])
    expect(state('memory-basic')).to.equal('active')
    await host.stop()
  })

  it('runs until the last one who asked has released it, and ends with who asked', async () => {
    const { host, state } = await start()
    const one = await slotsOf('slots').standby({ point: memoryBackends.id, key: 'pkm' })
    await slotsOf('slots').standby({ point: memoryBackends.id, key: 'pkm' })
    await one()
    await host.enable('stranger')
    expect(state('memory-pkm')).to.equal('active')
    await host.stop()
    expect(state('memory-pkm')).to.equal('stopped')
    expect(recorder.events.filter((event) => event === 'memory-pkm disposed')).to.have.length(1)
  })

  it('is refused to others than the owner of the setting, and for what cannot run', async () => {
    const { host } = await start(['memory-pkm'])
    expect(await refusalOf(slotsOf('foreign').standby({ point: memoryBackends.id, key: 'pkm' }))).to.contain('no setting that picks')
    expect(await refusalOf(slotsOf('slots').standby({ point: memoryBackends.id, key: 'absent' }))).to.contain('no installed plugin')
    expect(await refusalOf(slotsOf('slots').standby({ point: memoryBackends.id, key: 'pkm' }))).to.contain('plugins.disabled')
    const release = await slotsOf('slots').standby({ point: memoryBackends.id, key: 'basic' })
    await release()
    await host.stop()
  })
})
