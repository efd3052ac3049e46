import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Type } from '@agent-service/sdk'
import { expect } from 'chai'
import { createPluginTree, type PluginTree } from '../run/fixture.test.js'
import { discoverPlugins } from './discover-plugins.js'
import { type DiscoveredPlugin, unreadSources } from './discovered-plugin.js'
import { checkOwnership } from './file-gates.js'

describe('discoverPlugins', () => {
  let tree: PluginTree
  beforeEach(async () => {
    tree = await createPluginTree()
  })
  afterEach(() => tree.remove())

  const discover = (sources: readonly string[] = []): Promise<readonly DiscoveredPlugin[]> =>
    discoverPlugins({ builtInFolder: tree.builtIn, sources, installFolder: path.join(tree.root, 'app/kernel') })
  const only = async (sources: readonly string[] = []): Promise<DiscoveredPlugin> => {
    const found = await discover(sources)
    expect(found).to.have.length(1)
    const [plugin] = found
    if (plugin === undefined) throw new Error('nothing was found')
    return plugin
  }
  const reasonOf = (plugin: DiscoveredPlugin): string => (plugin.status === 'invalid' ? plugin.reason : '')
  const outside = async (name: string): Promise<string> => {
    const file = path.join(tree.root, name)
    await writeFile(file, 'export default 1')
    return file
  }

  it('finds built-ins, packages of the installation and absolute folders, in order of id', async () => {
    await tree.write({ manifest: { id: 'tool-clock' } })
    const packaged = await tree.write({ manifest: { id: 'tool-dice' } }, path.join(tree.root, 'app/node_modules/@someone/dice'))
    const folder = await tree.write({ manifest: { id: 'tool-anvil' } }, path.join(tree.root, 'mine'))
    await tree.write({ manifest: { id: 'channel-pigeon', stage: 'declared' } })
    await mkdir(path.join(tree.builtIn, 'no-plugin'))
    const found = await discover(['@someone/dice', folder])
    expect(found.map(({ id, source, builtIn, root, status }) => ({ id, source, builtIn, root, status }))).to.deep.equal([
      { id: 'channel-pigeon', source: 'built-in', builtIn: true, root: path.join(tree.builtIn, 'channel-pigeon'), status: 'valid' },
      { id: 'tool-anvil', source: folder, builtIn: false, root: folder, status: 'valid' },
      { id: 'tool-clock', source: 'built-in', builtIn: true, root: path.join(tree.builtIn, 'tool-clock'), status: 'valid' },
      { id: 'tool-dice', source: '@someone/dice', builtIn: false, root: packaged, status: 'valid' },
    ])
    expect(found[0]).not.to.have.property('entryPath')
    expect(found[1]).to.include({ folder: path.join(folder, 'dist'), entryPath: path.join(folder, 'dist/index.js') })
  })

  it('follows the link by which a workspace installs a package', async () => {
    const folder = await tree.write({ manifest: { id: 'tool-dice' } }, path.join(tree.root, 'sources/dice'))
    await mkdir(path.join(tree.root, 'app/node_modules'), { recursive: true })
    await symlink(folder, path.join(tree.root, 'app/node_modules/dice'))
    expect(await only(['dice'])).to.include({ status: 'valid', id: 'tool-dice', root: folder })
  })

  it('never looks into the working directory', async () => {
    const before = process.cwd()
    const elsewhere = await mkdtemp(path.join(os.tmpdir(), 'workspace-'))
    for (const place of ['node_modules/tool-dice', 'plugins/tool-dice', 'tool-dice']) {
      await tree.write({ manifest: { id: 'tool-dice' } }, path.join(elsewhere, place))
    }
    process.chdir(elsewhere)
    try {
      const found = await discover(['tool-dice', './tool-dice', 'plugins/tool-dice'])
      expect(found.map(({ status }) => status)).to.deep.equal(['invalid', 'invalid', 'invalid'])
      expect(found.map(reasonOf).join('\n')).to.contain('not installed beside the service').and.contain('neither')
    } finally {
      process.chdir(before)
      await rm(elsewhere, { recursive: true })
    }
  })

  it('refuses two plugins with one id, each naming both folders', async () => {
    const one = await tree.write({ manifest: { id: 'tool-dice' } }, path.join(tree.root, 'one'))
    const other = await tree.write({ manifest: { id: 'tool-dice' } }, path.join(tree.root, 'other'))
    const found = await discover([one, other])
    expect(found.map(({ id, status }) => `${id} ${status}`)).to.deep.equal(['tool-dice invalid', 'tool-dice invalid'])
    for (const plugin of found) expect(reasonOf(plugin)).to.contain(one).and.contain(other)
  })

  it('refuses only the third party if its extension contradicts that of a built-in plugin', async () => {
    const text = { type: 'object', properties: { mood: { type: 'string' } }, additionalProperties: false }
    const extending = (schema: object) => [{ section: 'models', place: 'settings', variant: 'completions', schema: schema as never }]
    const sections = { models: { type: 'object', 'x-extension-place': 'settings', properties: {}, additionalProperties: false } as never }
    await tree.write({ manifest: { id: 'feature-inference', sections } })
    await tree.write({ manifest: { id: 'provider-house', extends: extending(text) } })
    const write = (id: string, schema: object) => tree.write({ manifest: { id, extends: extending(schema) } }, path.join(tree.root, id))
    const found = await discover([
      await write('other-type', { ...text, properties: { mood: { type: 'integer' } } }),
      await write('more-required', { ...text, required: ['mood'] }),
      await write('the-same', text),
    ])
    expect(found.filter(({ status }) => status === 'invalid').map(({ id }) => id)).to.deep.equal(['more-required', 'other-type'])
    const reasons = found.filter(({ status }) => status === 'invalid').map(reasonOf)
    expect(reasons[0]).to.contain('makes “mood” required')
    expect(reasons[1]).to.contain('adds “mood”')
  })

  it('refuses only the third party if it takes the id of a built-in plugin or its prefix of collections', async () => {
    await tree.write({ manifest: { id: 'feature-agents' } })
    const sources: string[] = []
    for (const id of ['feature-agents', 'agents', 'kernel', 'tool-agents'])
      sources.push(await tree.write({ manifest: { id } }, path.join(tree.root, id)))
    const found = await discover(sources)
    const refused = found.filter(({ status }) => status === 'invalid')
    expect(refused.map(({ id, builtIn }) => `${id} ${builtIn}`)).to.deep.equal(['agents false', 'feature-agents false', 'kernel false'])
    for (const plugin of refused)
      expect(reasonOf(plugin)).to.contain(
        `belongs to ${plugin.id === 'kernel' ? 'the service itself' : 'the built-in plugin “feature-agents”'}`,
      )
    expect(found.find(({ id, builtIn }) => id === 'feature-agents' && builtIn)).to.include({ status: 'valid' })
    expect(found.find(({ id }) => id === 'tool-agents')).to.include({ status: 'valid' })
  })

  it('lists a folder once that is named twice', async () => {
    const folder = await tree.write({ manifest: { id: 'tool-dice' } })
    expect(await only([folder, `${folder}/`])).to.include({ status: 'valid', source: 'built-in' })
  })

  it('reports every problem of an invalid manifest, under its own id', async () => {
    await tree.write(
      {
        manifest: { id: 'x' },
        json: JSON.stringify({ id: 'tool-dice', version: '2.0.0', apiVersion: 1, colour: 'red', contributes: 'tool' }),
      },
      path.join(tree.builtIn, 'folder'),
    )
    const plugin = await only()
    expect(plugin).to.include({ id: 'tool-dice', version: '2.0.0', status: 'invalid' })
    expect(plugin.status === 'invalid' && plugin.problems.map((line) => line.split(' ')[4])).to.include.members(['/colour', '/contributes'])
    expect(reasonOf(plugin)).to.match(/^plugin\.json is not valid: /)
  })

  it('says which sources cannot be read, of which nothing says which plugin they have', async () => {
    const missing = path.join(tree.root, 'gardn')
    const broken = await tree.write({ manifest: { id: 'tool-dice' }, json: '{ "id": "tool-dice"' }, path.join(tree.root, 'broken'))
    const named = await tree.write({ manifest: { id: 'tool-clock' }, json: '{ "id": "tool-clock" }' }, path.join(tree.root, 'named'))
    await tree.write({ manifest: { id: 'tool-web' }, json: '{' })
    const found = await discover([missing, broken, named, '@nowhere/tool', '../tool'])
    expect(found.map(({ status }) => status)).to.deep.equal(Array(6).fill('invalid'))
    expect(unreadSources(found).map(({ source }) => source)).to.have.members([missing, broken, '@nowhere/tool', '../tool'])
    expect(unreadSources(found).map(({ reason }) => reason)).to.include(`${path.join(missing, 'package.json')} is missing`)
  })

  it('knows which plugin was installed where its files say it no more', async () => {
    const installedFolder = path.join(tree.root, 'data-plugins')
    const entry = { package: '@someone/garden-notes', version: '1.0.0', source: 'x', integrity: 'x', installed_at: 'x', manifest: 'x' }
    await tree.write({ manifest: { id: 'garden' }, json: '{' }, path.join(installedFolder, 'garden/node_modules/@someone/garden-notes'))
    await writeFile(
      path.join(installedFolder, 'installed.json'),
      JSON.stringify({ version: 1, plugins: { garden: entry, orchard: { ...entry, package: 'orchard' } } }),
    )
    const found = await discoverPlugins({ builtInFolder: tree.builtIn, sources: [], installFolder: tree.root, installedFolder })
    expect(found.map(({ id, status }) => [id, status])).to.deep.equal([
      ['garden', 'invalid'],
      ['orchard', 'invalid'],
    ])
    expect(unreadSources(found)).to.deep.equal([])
  })

  it('states what to do about another apiVersion', async () => {
    await tree.write({
      manifest: { id: 'tool-dice' },
      json: JSON.stringify({ id: 'tool-dice', version: '1.0.0', apiVersion: 2, entry: './index.js' }),
    })
    expect(reasonOf(await only()))
      .to.contain('is 2')
      .and.contain('supports 1')
      .and.contain('update the service')
  })

  it('lets only built-ins own sections and prefixes of routes', async () => {
    const manifest = { id: 'tool-dice', routes: ['/api/chats'], sections: { dice: Type.Object({}) } }
    const folder = await tree.write({ manifest }, path.join(tree.root, 'mine'))
    const plugin = await only([folder])
    expect(reasonOf(plugin)).to.contain('“routes”, which only built-in plugins may have').and.contain('“sections”')
    expect(plugin).to.have.property('problems').with.length(2)
  })

  const escapes: readonly (readonly [string, (folder: string) => Promise<unknown>, RegExp])[] = [
    [
      'package.json names a manifest outside',
      (folder) => writeFile(path.join(folder, 'package.json'), '{"agentService":{"plugin":"../plugin.json"}}'),
      /leads out of the plugin's folder/,
    ],
    [
      'package.json names an absolute manifest',
      (folder) => writeFile(path.join(folder, 'package.json'), '{"agentService":{"plugin":"/etc/passwd"}}'),
      /not a relative path/,
    ],
    ['package.json is not JSON', (folder) => writeFile(path.join(folder, 'package.json'), '{'), /package\.json is not JSON/],
    [
      'the manifest is a link to elsewhere',
      async (folder) => {
        await rm(path.join(folder, 'dist/plugin.json'))
        await symlink(await outside('plugin.json'), path.join(folder, 'dist/plugin.json'))
      },
      /is a link that leads out of the plugin's folder/,
    ],
    [
      'the entry is a link to elsewhere',
      async (folder) => {
        await rm(path.join(folder, 'dist/index.js'))
        await symlink(await outside('evil.js'), path.join(folder, 'dist/index.js'))
      },
      /\.\/index\.js is a link that leads out of the plugin's folder, to .*evil\.js/,
    ],
    [
      'the folder of the entry is a link to elsewhere',
      async (folder) => {
        await mkdir(path.join(tree.root, 'far/dist'), { recursive: true })
        await writeFile(path.join(tree.root, 'far/dist/plugin.json'), '{}')
        await rm(path.join(folder, 'dist'), { recursive: true })
        await symlink(path.join(tree.root, 'far/dist'), path.join(folder, 'dist'))
      },
      /is a link that leads out/,
    ],
    [
      'the entry is a folder',
      (folder) => rm(path.join(folder, 'dist/index.js')).then(() => mkdir(path.join(folder, 'dist/index.js'))),
      /is not a file/,
    ],
    [
      'its package.json is a pipe that nobody writes to',
      async (folder) => {
        await rm(path.join(folder, 'package.json'))
        execFileSync('mkfifo', [path.join(folder, 'package.json')])
      },
      /package\.json is not a file/,
    ],
    ['the entry is absent', (folder) => rm(path.join(folder, 'dist/index.js')), /is missing; build the plugin/],
    ['everyone may write its folder', (folder) => chmod(folder, 0o777), /is writable by everyone/],
    ['everyone may write its code', (folder) => chmod(path.join(folder, 'dist/index.js'), 0o666), /index\.js is writable by everyone/],
    ['everyone may write the folder of its code', (folder) => chmod(path.join(folder, 'dist'), 0o757), /dist is writable by everyone/],
  ]
  for (const [name, change, reason] of escapes) {
    it(`refuses a plugin when ${name}, built in or not`, async () => {
      const builtIn = await tree.write({ manifest: { id: 'tool-dice' } })
      const third = await tree.write({ manifest: { id: 'tool-coin' } }, path.join(tree.root, 'mine'))
      await change(builtIn)
      await change(third)
      for (const plugin of await discover([third])) {
        expect(plugin.status, plugin.root).to.equal('invalid')
        expect(reasonOf(plugin)).to.match(reason)
      }
    })
  }

  it('refuses a third party if a module beside its entry is writable by everyone or links elsewhere', async () => {
    const folder = await tree.write({ manifest: { id: 'tool-dice' } }, path.join(tree.root, 'mine'))
    const module = path.join(folder, 'dist/deep/module.js')
    await mkdir(path.dirname(module))
    await writeFile(module, '')
    await chmod(module, 0o646)
    expect(reasonOf(await only([folder]))).to.match(/module\.js is writable by everyone/)
    await rm(module)
    await symlink(await outside('evil.js'), module)
    expect(reasonOf(await only([folder]))).to.match(/module\.js is a link that leads out/)
  })

  it('refuses rules outside the folder', async () => {
    const folder = await tree.write({ manifest: { id: 'tool-dice', rules: './rules.js' } })
    await symlink(await outside('rules.js'), path.join(folder, 'dist/rules.js'))
    expect(reasonOf(await only())).to.match(/\.\/rules\.js is a link that leads out/)
  })

  it('refuses files of another user, root apart', async () => {
    const file = await outside('owned.js')
    checkOwnership(file)
    checkOwnership('/etc/passwd')
    if (process.getuid?.() === 0) {
      await chown(file, 12_345, 12_345)
      expect(() => checkOwnership(file)).to.throw('belongs to user 12345')
    }
  })

  it('names the missing path of a source', async () => {
    expect(reasonOf(await only([path.join(tree.root, 'nowhere')]))).to.contain('nowhere/package.json is missing')
    const plain = path.join(tree.root, 'plain')
    await mkdir(plain)
    await writeFile(path.join(plain, 'package.json'), '{}')
    expect(reasonOf(await only([plain]))).to.contain('has no “agentService”')
  })
})
