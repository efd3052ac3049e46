import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'

const sdk = (name = ''): string => JSON.stringify(import.meta.resolve(`@agent-service/sdk${name}`))

describe('a third party in the real service', () => {
  let folder: string
  let kernel: TestKernel | undefined
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-service-third-parties-')))
  })
  afterEach(async () => {
    await kernel?.stop()
    kernel = undefined
    await rm(folder, { recursive: true, force: true })
  })

  const write = async (id: string, collections: string, setup: string): Promise<string> => {
    const place = path.join(folder, id)
    const manifest = { id, apiVersion: 1 }
    await mkdir(place)
    const about = { name: id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }
    await writeFile(path.join(place, 'package.json'), JSON.stringify(about))
    await writeFile(path.join(place, 'plugin.json'), JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }))
    await writeFile(
      path.join(place, 'index.js'),
      `import { definePlugin } from ${sdk()}
      import { databaseService } from ${sdk('/services/database')}
      export default definePlugin({ manifest: ${JSON.stringify(manifest)}, collections: ${collections}, async setup(context) { ${setup} } })`,
    )
    return place
  }
  const stateOf = (id: string) => kernel?.plugins.report().find((plugin) => plugin.id === id)

  it("that declares the agents' collection of chats fails alone, and the agents run", async () => {
    const chats = `[{ name: 'agents.chats', version: 1, indexes: {} }]`
    const reads = `context.use(databaseService).collection({ name: 'agents.chats', version: 1, indexes: {} })`
    kernel = await createTestKernel({ folder, plugins: [await write('a-reader', chats, reads), await write('agents', chats, reads)] })
    expect(stateOf('a-reader')).to.include({ state: 'failed' })
    expect(stateOf('agents')).to.include({ state: 'invalid' })
    expect(stateOf('feature-agents')).to.include({ state: 'active', reason: null })
  })

  it('that hangs in its setup leaves the service ready', async () => {
    const plugins = [await write('a-sleeper', '[]', 'await new Promise(() => undefined)')]
    kernel = await createTestKernel({ folder, plugins, pluginLimits: { graceMs: 50 } })
    expect((await fetch(`${kernel.url}/readyz`)).status).to.equal(200)
    expect(stateOf('a-sleeper')).to.include({ state: 'starting' })
    expect(stateOf('feature-agents')).to.include({ state: 'active' })
  })
})
