import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { closeBrowser, openPage } from './open-page.js'
import { ada, unexpected } from './support/settings-kernel.js'

const manifest = {
  id: 'tool-weather',
  apiVersion: 1,
  description: 'Forecasts for a place.',
  contributes: ['tool'],
  provides: ['tool-weather.places'],
  config: { type: 'object', properties: { city: { type: 'string', description: 'The place.' } } },
  permissions: [{ kind: 'network', targets: ['weather.example.org'], reason: 'Asks for forecasts.' }],
}

const user = { id: 'tool-travel', apiVersion: 1, contributes: ['tool'], requires: ['tool-weather.places'] }

/** Starts once the file `key` is there. */
const weather = `import { existsSync } from 'node:fs'
import { definePlugin, defineServiceReference, Type } from ${JSON.stringify(import.meta.resolve('@agent-service/sdk'))}
import { tools } from ${JSON.stringify(import.meta.resolve('@agent-service/sdk/contracts/tool'))}
export default definePlugin({
  manifest: ${JSON.stringify(manifest)},
  setup(context) {
    if (!existsSync(new URL('./key', import.meta.url))) throw new Error('weather.example.org answers 401. Save a key.')
    context.provide(defineServiceReference()('tool-weather.places'), {})
    context.contribute(tools, {
      specVersion: 1,
      name: 'tool_weather__forecast',
      supports: { probe: false },
      title: 'Forecast',
      description: 'Says what the weather will be.',
      parameters: Type.Object({}),
      effect: 'read',
      async execute() {
        return { content: [{ type: 'text', text: 'Rain.' }] }
      },
    })
  },
})
`
const travel = `import { definePlugin, defineServiceReference } from ${JSON.stringify(import.meta.resolve('@agent-service/sdk'))}
export default definePlugin({
  manifest: ${JSON.stringify(user)},
  setup(context) {
    context.use(defineServiceReference()('tool-weather.places'))
  },
})
`

async function writePlugin(plugin: { readonly id: string }, code: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `${plugin.id}-`))
  const about = { name: plugin.id, version: '0.4.0', type: 'module', agentService: { plugin: './plugin.json' } }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(about))
  await writeFile(path.join(folder, 'plugin.json'), JSON.stringify({ ...plugin, version: '0.4.0', entry: './index.js' }))
  await writeFile(path.join(folder, 'index.js'), code)
  return folder
}

describe('the plugins in the console', function () {
  this.timeout(90_000)
  let folders: readonly string[]
  let kernel: TestKernel
  before(async () => {
    folders = [await writePlugin(manifest, weather), await writePlugin(user, travel), await mkdtemp(path.join(tmpdir(), 'no-plugin-'))]
    kernel = await createTestKernel({ plugins: folders })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  it('say what they add, use and may do, and which cannot be switched', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, confirmed: true, at: 'none' })
    await open('/admin/plugins')
    const row = (id: string) => page.locator(`[data-plugin="${id}"]`)
    await page.getByText(/\d+ plugins, 3 need attention/).waitFor()
    // Those that need attention come first.
    expect(await page.locator('.plugins-row').nth(2).getByRole('switch').count()).to.equal(1)
    await row('tool-weather').getByText('weather.example.org answers 401. Save a key.').waitFor()
    await row('tool-weather').getByText('Correct the cause or ask its author').waitFor()
    await row('tool-travel').getByText('Blocked', { exact: true }).waitFor()
    await row('database-sqlite').getByText('Cannot be switched here: “database-sqlite” fills the slot database.driver').waitFor()
    // What is only announced is not there, and is none of the plugins that are counted.
    expect(await row('feature-voice').count()).to.equal(0)
    for (const id of ['database-sqlite', 'database-lowdb']) expect(await row(id).getByRole('switch').count(), id).to.equal(0)
    expect(await page.locator('.plugins-row', { hasText: 'Unusable' }).getByRole('switch').count()).to.equal(0)
    await row('tool-weather').getByText('What it adds and may do').click()
    await row('tool-weather').getByText('Network: weather.example.org').waitFor()
    expect(await inspect('plugins')).to.deep.equal([])
    await row('tool-files').getByText('What it adds and may do').click()
    await row('tool-files')
      .getByText(/read_file/)
      .waitFor()
    await row('tool-weather').getByRole('link', { name: 'Settings: plugins.settings.tool-weather' }).click()
    await page.locator('[data-path="plugins.settings.tool-weather.city"]').waitFor()
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })

  it('are tried again once the cause is mended, and are disabled with what needs them', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, confirmed: true, at: 'none' })
    await open('/admin/plugins')
    const row = (id: string) => page.locator(`[data-plugin="${id}"]`)
    await writeFile(path.join(folders[0] ?? '', 'key'), '')
    await row('tool-weather').getByRole('button', { name: 'Try again' }).click()
    await row('tool-weather').getByText('Running', { exact: true }).waitFor()
    await row('tool-travel').getByText('Running', { exact: true }).waitFor()
    await row('tool-weather').getByText('What it adds and may do').click()
    await row('tool-weather').getByText('tool_weather__forecast').waitFor()
    const toggle = row('tool-weather').getByRole('switch', { name: 'Enable tool-weather' })
    await toggle.click()
    const question = page.getByRole('dialog', { name: 'Disable tool-weather?' })
    await question.getByText('These need it and stop with it: tool-travel.').waitFor()
    expect(await inspect('plugins-disable')).to.deep.equal([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await toggle.isChecked()).to.equal(true)
    await toggle.click()
    await question.getByRole('button', { name: 'Disable tool-weather' }).click()
    await row('tool-weather').getByText('Disabled', { exact: true }).waitFor()
    await row('tool-travel').getByText('Blocked', { exact: true }).waitFor()
    expect(await toggle.isChecked()).to.equal(false)
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await row('tool-travel').getByText('Running', { exact: true }).waitFor()
    expect(await toggle.isChecked()).to.equal(true)
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })

  it('are described in German, and found by name, state and task', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, {
      credentials: ada,
      confirmed: true,
      locale: 'de-DE',
      at: 'none',
    })
    await open('/admin/plugins')
    await page.getByRole('searchbox', { name: 'Plugin suchen' }).fill('Forecasts')
    await page.locator('[data-plugin="tool-weather"]').getByText('Was es mitbringt und darf').click()
    await page.getByText('Werkzeuge für Agenten').waitFor()
    expect(await page.locator('.plugins-row').count()).to.equal(1)
    expect(await inspect('plugins-german')).to.deep.equal([])
    await page.getByRole('searchbox').fill('')
    await page.getByText(/^Braucht dich \d+$/).click()
    await page.getByText('Unbrauchbar').waitFor()
    expect(await inspect('plugins-german-attention')).to.deep.equal([])
    expect(unexpected(complaints)).to.deep.equal([])
    await close()
  })
})
