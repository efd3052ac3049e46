import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { DiscoveredManifest } from '../effective/configuration.js'
import { loadConfiguration } from '../load-configuration.js'
import { load, modelPlugins, plugin, refusalOf, temporaryFolder } from '../testing/configuration-fixture.js'

async function pluginWithRules(code: string, rules = './rules.mjs'): Promise<readonly DiscoveredManifest[]> {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'plugin'))
  await writeFile(join(folder, 'plugin', 'rules.mjs'), code)
  await writeFile(join(folder, 'outside.mjs'), 'export const rules = []')
  await symlink('../outside.mjs', join(folder, 'plugin', 'link.mjs'))
  return [...modelPlugins, plugin({ id: 'ruled', rules }, join(folder, 'plugin'))]
}

describe('configuration: rules of plugins', () => {
  it('see every section and the facts, and their findings are reported with the others', async () => {
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

  it('know the members that every plugin adds to open places', async () => {
    const plugins = await pluginWithRules(`export const rules = [(_, { extensions }) => [
      { path: '', message: extensions.map(({ section, place, variant, schema }) => [section, place, variant, Object.keys(schema.properties)].join(' ')).join('; ') },
      { path: '', message: String(Object.isFrozen(extensions[0].schema.properties)) },
    ]]`)
    expect(await refusalOf({ plugins })).to.deep.equal([
      ': models settings completions seed,stop; models settings messages top_k',
      ': true',
    ])
  })

  it('may report overlaps, which are neither problems nor warnings', async () => {
    const finding = `{ path: 'server.port', message: 'overrides', severity: 'warning', overlap: { typed: 'port', custom: 'a.b' } }`
    const plugins = await pluginWithRules(`export const rules = [() => [${finding}]]`)
    const { warnings, folder } = await load({ plugins })
    expect(warnings.join()).to.not.match(/overrides/)
    const draft = await loadConfiguration({ environment: {}, workingDirectory: folder, installedResources: folder })
    expect((await draft.examine(plugins)).overlaps).to.deep.equal([{ path: 'server.port', typed: 'port', custom: 'a.b' }])
  })

  it('cannot change the configuration', async () => {
    const plugins = await pluginWithRules('export const rules = [(configuration) => { configuration.server.port = 1; return [] }]')
    expect((await refusalOf({ plugins })).join()).to.match(/rules of plugin “ruled” failed: Cannot assign to read only/)
  })

  const faults: readonly (readonly [string, string, string, RegExp])[] = [
    ['throw', 'export const rules = [() => { throw new Error("oh") }]', './rules.mjs', /rules of plugin “ruled” failed: oh/],
    ['cannot be parsed', 'export const rules = [', './rules.mjs', /rules of plugin “ruled” failed/],
    ['export nothing', 'export default []', './rules.mjs', /does not export a list of functions/],
    [
      'give an overlap without its sides',
      "export const rules = [() => [{ path: 'server', message: 'm', overlap: true }]]",
      './rules.mjs',
      /an overlap without the names/,
    ],
    ['give no list', 'export const rules = [() => 5]', './rules.mjs', /did not return a list/],
    ['are not there', '', './none.mjs', /rules of plugin “ruled” failed: ENOENT/],
    ['lie outside', '', '../outside.mjs', /leads out of the plugin's folder/],
    ['are a link to outside', '', './link.mjs', /leads out of the plugin's folder/],
  ]
  for (const [name, code, rules, message] of faults) {
    it(`that ${name} are a problem that names the plugin`, async () => {
      expect((await refusalOf({ plugins: await pluginWithRules(code, rules) })).join()).to.match(message)
    })
  }

  it('run on the valid values if others are not, and their findings and errors at an invalid path are ignored', async () => {
    const plugins = await pluginWithRules(`export const rules = [
      ({ models }) => Object.entries(models).map(([name, group]) => ({ path: \`models.\${name}.provider\`, message: \`seen \${group.provider}\` })),
      ({ server, models }) => [{ path: 'server.host', message: \`port \${server.port} \${Object.keys(models)}\` }],
      ({ models }) => models.broken.provider.trim(),
    ]`)
    const yaml = 'server: { port: x }\nmodels: { broken: { provider: 1 }, sound: { provider: a, nope: 1 } }\n'
    expect([...(await refusalOf({ plugins, yaml }))].sort()).to.deep.equal([
      'models.broken.provider: must be a string (put it in quotes), found the number 1 (2:31)',
      'models.sound.nope: is not known here; known: provider, temperature, api, extra_params, fallbacks, retry, seed, stop, top_k (2:58)',
      'models.sound.provider: seen a (2:55)',
      'server.host: port 3001 broken,sound (1:1)',
      'server.port: must be a whole number, found text “x” (1:17)',
    ])
  })

  it('of a third party do not run while it is disabled, or while the disabled plugins are unknown', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'rules.mjs'), "export const rules = [() => [{ path: 'server', message: 'asked' }]]")
    const ruled = plugin({ id: 'ruled', rules: './rules.mjs' }, folder)
    const asked = async (disabled: string, thirdParty: boolean): Promise<boolean> => {
      const plugins = [...modelPlugins, { ...ruled, thirdParty }]
      const problems = await refusalOf({ plugins, yaml: `server: { port: x }\nplugins: { disabled: ${disabled} }\n` })
      return problems.some((problem) => problem.startsWith('server: asked'))
    }
    expect(await asked('[]', true)).to.equal(true)
    expect(await asked('[ruled]', true)).to.equal(false)
    expect(await asked('[ruled, 5]', true)).to.equal(false)
    expect(await asked('ruled', true)).to.equal(false)
    // The rules of built-in plugins still apply to their sections.
    expect(await asked('[ruled]', false)).to.equal(true)
  })

  it('get a readable catalogue, or the start is refused', async () => {
    const resources = await temporaryFolder()
    await mkdir(join(resources, 'catalogue'))
    await writeFile(join(resources, 'catalogue', 'models.json'), '{')
    expect((await refusalOf({ installedResources: resources })).join()).to.match(/storage.shared_config_dir: .*models.json cannot be used/)
  })

  it('get nothing through links out of the catalogue, and no message shows the content of a file', async () => {
    const resources = await temporaryFolder()
    const outside = await temporaryFolder()
    const catalogue = join(resources, 'catalogue')
    await mkdir(catalogue)
    await writeFile(join(outside, 'secret'), 'canary=of-another-program')
    await symlink(join(outside, 'secret'), join(catalogue, 'brands.json'))
    execFileSync('mkfifo', [join(catalogue, 'pipe.json')])
    const plugins = await pluginWithRules(
      `export const rules = [(_, { catalogue }) => [{ path: '', message: \`has \${Object.keys(catalogue)}\` }]]`,
    )
    expect(await refusalOf({ plugins, installedResources: resources })).to.deep.equal([': has '])
    await writeFile(join(catalogue, 'models.json'), 'canary')
    const problems = (await refusalOf({ plugins, installedResources: resources })).join()
    expect(problems).to.contain('models.json cannot be used: it is not JSON').and.not.contain('canary')
  })
})
