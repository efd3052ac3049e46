import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { DiscoveredManifest } from './configuration.js'
import { load, modelPlugins, plugin, refusalOf, temporaryFolder } from './fixture.test.js'

async function pluginWithRules(code: string, rules = './rules.mjs'): Promise<readonly DiscoveredManifest[]> {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'plugin'))
  await writeFile(join(folder, 'plugin', 'rules.mjs'), code)
  await writeFile(join(folder, 'outside.mjs'), 'export const rules = []')
  await symlink('../outside.mjs', join(folder, 'plugin', 'link.mjs'))
  return [...modelPlugins, plugin({ id: 'ruled', rules }, join(folder, 'plugin'))]
}

describe('configuration: rules of plugins', () => {
  it('see every section and the facts, and their findings stand with the others', async () => {
    const plugins = await pluginWithRules(`export const rules = [
      ({ models, providers, server }, { environmentNames, catalogue }) => Object.entries(models)
        .filter(([, group]) => !(group.provider in providers))
        .map(([name, group]) => ({ path: \`models.\${name}.provider\`, message: \`no connection “\${group.provider}” (\${server.port}, \${environmentNames}, \${Object.keys(catalogue)})\` })),
      () => [{ path: 'providers', message: 'only so', severity: 'warning' }],
    ]`)
    const resources = await temporaryFolder()
    await mkdir(join(resources, 'catalogue'))
    await writeFile(join(resources, 'catalogue', 'brands.json'), '{}')
    const loading = { plugins, installedResources: resources, environment: { B: '1', A: '2', EMPTY: '' } }
    expect((await load(loading)).warnings).to.include('providers: only so')
    expect(await refusalOf({ ...loading, yaml: 'models:\n  p: { provider: gone }\n' })).to.deep.equal([
      'models.p.provider: no connection “gone” (3001, A,B, brands) (2:18)',
    ])
  })

  it('cannot change the configuration', async () => {
    const plugins = await pluginWithRules('export const rules = [(configuration) => { configuration.server.port = 1; return [] }]')
    expect((await refusalOf({ plugins })).join()).to.match(/rules of plugin “ruled” failed: Cannot assign to read only/)
  })

  const faults: readonly (readonly [string, string, string, RegExp])[] = [
    ['throw', 'export const rules = [() => { throw new Error("oh") }]', './rules.mjs', /rules of plugin “ruled” failed: oh/],
    ['cannot be parsed', 'export const rules = [', './rules.mjs', /rules of plugin “ruled” failed/],
    ['export nothing', 'export default []', './rules.mjs', /does not export a list of functions/],
    ['give no list', 'export const rules = [() => 5]', './rules.mjs', /something else than a list/],
    ['are not there', '', './none.mjs', /rules of plugin “ruled” failed: ENOENT/],
    ['lie outside', '', '../outside.mjs', /leads out of the plugin's folder/],
    ['are a link to outside', '', './link.mjs', /leads out of the plugin's folder/],
  ]
  for (const [name, code, rules, message] of faults) {
    it(`that ${name} are a problem that names the plugin`, async () => {
      expect((await refusalOf({ plugins: await pluginWithRules(code, rules) })).join()).to.match(message)
    })
  }

  it('do not run over a configuration whose schema does not hold', async () => {
    const plugins = await pluginWithRules('export const rules = [() => { throw new Error("ran") }]')
    expect((await refusalOf({ plugins, yaml: 'server: { port: x }' })).join()).to.not.match(/ran/)
  })

  it('get a catalogue that can be read, or the start is refused', async () => {
    const resources = await temporaryFolder()
    await mkdir(join(resources, 'catalogue'))
    await writeFile(join(resources, 'catalogue', 'models.json'), '{')
    expect((await refusalOf({ installedResources: resources })).join()).to.match(/storage.shared_config_dir: .*models.json cannot be used/)
  })
})
