import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import {
  createMemoryDocuments,
  createPluginTree,
  createRecorder,
  createTestHost,
  type PluginTree,
  type Recorder,
  sdkUrl,
} from './fixture.test.js'

const imported = (id: string): string => `test.note('${id} import')`

/** Modules that import each other, the first in many turns of the event loop. Resolves to its file. */
async function writeChain(folder: string, length: number): Promise<string> {
  await mkdir(folder, { recursive: true })
  const fileOf = (position: number): string => path.join(folder, `m${position}.mjs`)
  for (let position = 0; position < length; position++) {
    const next = position + 1 < length ? `import './m${position + 1}.mjs'\n` : ''
    await writeFile(fileOf(position), `${next}export const position = ${position}\n`)
  }
  return fileOf(0)
}

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

  for (const builtIn of [true, false]) {
    it(`may be CommonJS and require the modules that ${builtIn ? 'built-in plugins' : 'others'} import`, async () => {
      const shared = await writeChain(path.join(tree.root, 'shared'), 40)
      const folderOf = (id: string): string => path.join(tree.root, 'elsewhere', id)
      const first = builtIn ? 'zealous' : 'imports'
      const importing = { manifest: { id: first }, head: `import ${JSON.stringify(pathToFileURL(shared).href)}` }
      const sources = [await tree.write(importing, builtIn ? undefined : folderOf(first))]
      for (const id of ['requires', 'requires-too']) {
        const folder = await tree.write({ manifest: { id }, code: `export { default } from './plugin.cjs'` }, folderOf(id))
        await writeFile(
          path.join(folder, 'dist/plugin.cjs'),
          `require(${JSON.stringify(shared)})
           module.exports = require(${JSON.stringify(fileURLToPath(sdkUrl))}).definePlugin({ manifest: { id: '${id}', apiVersion: 1 }, setup() {} })`,
        )
        sources.push(folder)
      }
      const { host, state, reason } = await createTestHost(tree, { sources: builtIn ? sources.slice(1) : sources })
      const ahead = host.loadAhead()
      await host.start()
      await ahead
      for (const id of [first, 'requires', 'requires-too']) expect(state(id), String(reason(id))).to.equal('active')
      await host.stop()
    })
  }

  it('from elsewhere do not wait for ever for an import that hangs', async () => {
    const elsewhere = (id: string, head: string): Promise<string> =>
      tree.write({ manifest: { id }, head }, path.join(tree.root, 'elsewhere', id))
    const sources = [
      await elsewhere('broken', `test.note('importing'); await new Promise(() => {})`),
      await elsewhere('sound', imported('sound')),
    ]
    const { host, state, reason, clock } = await createTestHost(tree, { sources })
    void host.loadAhead()
    await recorder.noted('importing')
    const started = host.start()
    await clock.advance(2_000)
    await recorder.noted('sound import')
    await clock.advance(30_000)
    await started
    expect(state('sound'), String(reason('sound'))).to.equal('active')
    expect(reason('broken')).to.match(/^importing .* did not end within 30 s/)
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
