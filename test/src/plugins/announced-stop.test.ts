import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { contributionsToken } from '@agent-service/kernel/testing/tokens'
import { type ToolContext, type ToolResult, tools } from '@agent-service/sdk/contracts/tool'
import { expect } from 'chai'

/** Calls in flight would be given an hour: a stop that waits for them does not end within the test. */
const drainMs = 3_600_000

const context: Omit<ToolContext, 'signal'> = {
  ...{ callId: 'call', runId: 'run', chatId: 'chat', agentId: 'agent', agentHandle: 'agent', userId: 'user', userHandle: 'user' },
  ...{ workspace: 'agent', depth: 0, timezone: 'UTC', progress: async () => undefined, output: async () => undefined },
}

describe('a plugin of the real service that is about to stop', function () {
  this.timeout(60_000)
  let folder: string
  let kernel: TestKernel
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-stop-'))
  })
  afterEach(async () => {
    await kernel?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /**
   * A plugin with a tool that answers what `end` was called with; `hook` is the body of what runs
   * before the calls are waited for.
   */
  const writePlugin = async (id: string, hook: string): Promise<string> => {
    const place = path.join(folder, id)
    await mkdir(place)
    const manifest = { id, apiVersion: 1, description: 'Waits.', contributes: ['tool'] }
    const write = (name: string, text: string): Promise<void> => writeFile(path.join(place, name), text)
    await write('package.json', JSON.stringify({ name: id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }))
    await write('plugin.json', JSON.stringify({ ...manifest, version: '1.0.0', entry: './index.js' }))
    await write(
      'index.js',
      `import { definePlugin, Type } from ${JSON.stringify(import.meta.resolve('@agent-service/sdk'))}
      import { tools } from ${JSON.stringify(import.meta.resolve('@agent-service/sdk/contracts/tool'))}
      export default definePlugin({
        manifest: ${JSON.stringify(manifest)},
        setup(context) {
          let end
          const ended = new Promise((resolve) => { end = resolve })
          context.contribute(tools, {
            specVersion: 1, name: ${JSON.stringify(id.replaceAll('-', '_'))}, title: 'Wait', description: 'Waits until its end.', parameters: Type.Object({}),
            effect: 'read', supports: { probe: false },
            execute: async () => ({ content: [{ type: 'text', text: await ended }] }),
          })
          context.onStopping(async () => { ${hook} })
        },
      })`,
    )
    return place
  }
  /** Makes the call as a run does: it holds the plugin until it has ended. */
  const call = async (name: string): Promise<ToolResult> => {
    const lease = kernel.container.resolve(contributionsToken).acquire(tools, `${name}__${name}`)
    if (!lease) throw new Error(`There is no tool ${name}.`)
    try {
      return await lease.value.execute({}, { ...context, signal: lease.signal })
    } finally {
      lease.release()
    }
  }
  it('ends the work that its calls wait for, so that the stop need not wait', async () => {
    kernel = await createTestKernel({
      folder,
      plugins: [await writePlugin('waits', `end('the service stops')`)],
      pluginLimits: { drainMs },
    })
    const result = call('waits')
    await kernel.stop()
    expect(await result).to.deep.equal({ content: [{ type: 'text', text: 'the service stops' }] })
    // Of the host and of this plugin: the sandbox may speak of what another service left on the machine.
    const complaints = kernel.log.filter(({ level, plugin = 'waits' }) => (level === 'warn' || level === 'error') && plugin === 'waits')
    expect(complaints.filter(({ msg }) => !String(msg).startsWith('models: is empty'))).to.deep.equal([])
  })

  it('does not keep the service from stopping when it throws or hangs', async () => {
    const plugins = [
      await writePlugin('throws', `end('thrown'); throw new Error('a broken hook')`),
      await writePlugin('hangs', `end('hung'); await new Promise(() => undefined)`),
    ]
    kernel = await createTestKernel({ folder, plugins, pluginLimits: { drainMs, disposerMs: 200 } })
    const results = [call('throws'), call('hangs')]
    await kernel.stop()
    expect((await Promise.all(results)).map(({ content }) => content)).to.deep.equal([
      [{ type: 'text', text: 'thrown' }],
      [{ type: 'text', text: 'hung' }],
    ])
    const errors = kernel.log.filter(({ level }) => level === 'error')
    expect(errors.map(({ plugin }) => plugin)).to.have.members(['throws', 'hangs'])
    expect(JSON.stringify(errors)).to.contain('a broken hook').and.contain('hangs/onStopping')
  })
})
