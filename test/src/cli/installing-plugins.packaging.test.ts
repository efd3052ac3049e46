import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createTestKernel, runCommandLine, type TestKernel } from '@agent-service/kernel/testing'
import { contributionsToken } from '@agent-service/kernel/testing/tokens'
import { tools } from '@agent-service/sdk/contracts/tool'
import { expect } from 'chai'

const run = promisify(execFile)

/** What stands in the code of a plugin that is installed from a package of its own. */
const code = (manifest: object): string => `import { definePlugin, Type } from '@agent-service/sdk'
import { tools } from '@agent-service/sdk/contracts/tool'
export default definePlugin({
  manifest: ${JSON.stringify(manifest)},
  setup(context) {
    context.contribute(tools, {
      specVersion: 1, name: 'roll_dice', title: 'Roll dice', description: 'Rolls a number of dice.', parameters: Type.Object({}),
      supports: { probe: false }, execute: async () => ({ content: [{ type: 'text', text: 'six' }] }),
    })
  },
})
`

const rules = `import { writeFileSync } from 'node:fs'
writeFileSync(new URL('../ran', import.meta.url), '')
export const rules = []
`

describe('installing plugins', function () {
  this.timeout(60_000)
  let folder: string
  let kernel: TestKernel | undefined
  let registry: Server | undefined
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'installing-')))
  })
  afterEach(async () => {
    await kernel?.stop()
    kernel = undefined
    registry?.closeAllConnections()
    registry?.close()
    registry = undefined
    await rm(folder, { recursive: true, force: true })
  })

  /** The folder of a package, as its author has it: with a script that would betray itself. */
  const writePackage = async (version = '1.0.0', more: object = {}, id = 'tool-dice'): Promise<string> => {
    const place = path.join(folder, `author-${version}-${id}`)
    await mkdir(path.join(place, 'dist'), { recursive: true })
    const manifest = { id, apiVersion: 1, description: 'Dice.', contributes: ['tool'], ...more }
    const betray = `node -e "require('fs').writeFileSync(${JSON.stringify(path.join(folder, 'script-ran')).replaceAll('"', "'")}, '')"`
    const about = {
      ...{ name: id, version, type: 'module', files: ['dist'], agentService: { plugin: './dist/plugin.json' } },
      scripts: { preinstall: betray, install: betray, postinstall: betray, prepare: betray, prepack: betray },
      peerDependencies: { '@agent-service/sdk': '0.1.0' },
    }
    await writeFile(path.join(place, 'package.json'), JSON.stringify(about))
    await writeFile(path.join(place, 'dist/plugin.json'), JSON.stringify({ ...manifest, version, entry: './index.js' }))
    await writeFile(path.join(place, 'dist/index.js'), code(manifest))
    await writeFile(path.join(place, 'dist/rules.js'), rules)
    return place
  }
  const linkSdk = async (source: string): Promise<void> => {
    await mkdir(path.join(source, 'node_modules/@agent-service'), { recursive: true })
    const sdk = path.dirname(path.dirname(new URL(import.meta.resolve('@agent-service/sdk')).pathname))
    await symlink(sdk, path.join(source, 'node_modules/@agent-service/sdk'), 'dir')
  }
  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    ...{ PATH: process.env['PATH'] ?? '', HOME: folder, npm_config_offline: 'true', SERVICE_SERVER_DATA_DIR: path.join(folder, 'data') },
    SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
    ...more,
  })
  const command = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runCommandLine(['plugins', ...words], { workingDirectory: folder, environment: environment(more) })
  const installed = path.join('data-plugins', 'tool-dice')
  const stateOf = (id: string) => kernel?.report.find((plugin) => plugin.id === id)

  it('installs a folder without running its code, and runs it after it is granted', async () => {
    const result = await command([
      'install',
      await writePackage('1.0.0', {
        permissions: [{ kind: 'network', targets: ['dice.example'], reason: 'Real dice.' }],
        rules: './rules.js',
      }),
    ])
    expect(result.status, result.output).to.equal(0)
    expect(result.output).to.contain('network: dice.example').and.contain('It is not a sandbox').and.contain('plugins grant tool-dice')
    expect(existsSync(path.join(folder, 'script-ran'))).to.equal(false)

    const listed = JSON.parse((await command(['list', '--offline', '--json'])).output) as {
      readonly items: readonly { readonly id: string; readonly state: string; readonly reason: string }[]
    }
    expect(listed.items.find(({ id }) => id === 'tool-dice')).to.include({ state: 'disabled' })
    kernel = await createTestKernel({ folder })
    expect(stateOf('tool-dice')).to.include({ state: 'disabled' })
    expect(stateOf('tool-dice')?.reason).to.contain('agent-service plugins grant tool-dice')
    expect(existsSync(path.join(folder, installed, 'node_modules/tool-dice/ran'))).to.equal(false)
    await kernel.stop()

    expect((await command(['grant', 'tool-dice', '--yes'])).output).to.contain('Granted')
    kernel = await createTestKernel({ folder })
    expect(stateOf('tool-dice')).to.include({ state: 'active', reason: null, source: 'tool-dice' })
    const lease = kernel.container.resolve(contributionsToken).acquire(tools, 'tool_dice__roll_dice')
    expect(await lease?.value.execute({}, {} as never)).to.deep.equal({ content: [{ type: 'text', text: 'six' }] })
    lease?.release()
    expect(existsSync(path.join(folder, installed, 'node_modules/tool-dice/ran'))).to.equal(true)
  })

  it('installs an archive, records its integrity and a lock file, and removes it', async () => {
    const source = await writePackage()
    await run('npm', ['pack', '--ignore-scripts', `--pack-destination=${folder}`], { cwd: source })
    const archive = path.join(folder, 'tool-dice-1.0.0.tgz')
    const result = await command(['install', './tool-dice-1.0.0.tgz', '--yes', '--json'])
    expect(result.status, result.output).to.equal(0)
    const integrity = `sha512-${createHash('sha512')
      .update(await readFile(archive))
      .digest('base64')}`
    expect(JSON.parse(result.output)).to.include({ id: 'tool-dice', version: '1.0.0', integrity, granted: true })
    expect(await readFile(path.join(folder, 'data-plugins/installed.json'), 'utf8')).to.contain(integrity)
    expect(existsSync(path.join(folder, installed, 'package-lock.json'))).to.equal(true)
    const sdk = await realpath(path.join(folder, installed, 'node_modules/@agent-service/sdk'))
    expect(path.join(sdk, 'dist/index.js')).to.equal(await realpath(new URL(import.meta.resolve('@agent-service/sdk')).pathname))

    expect((await command(['remove', 'tool-dice'])).status).to.equal(0)
    expect(existsSync(path.join(folder, installed))).to.equal(false)
    const again = await command(['remove', 'tool-dice'])
    expect(again.status).to.equal(1)
    expect(again.output).to.contain('No plugins are installed')
  })

  it('needs a new grant only if another version asks for more', async () => {
    await command(['install', await writePackage('1.0.0'), '--yes'])
    const same = await command(['install', await writePackage('1.0.1'), '--json'])
    expect(JSON.parse(same.output)).to.include({ version: '1.0.1', granted: true })
    const wider = await command(['install', await writePackage('1.1.0', { permissions: [{ kind: 'process', reason: 'Runs a shaker.' }] })])
    expect(wider.output).to.contain('does not run until you grant it').and.contain('goes on with the version that it has loaded')
    kernel = await createTestKernel({ folder })
    expect(stateOf('tool-dice')).to.include({ state: 'disabled' })
    expect(stateOf('tool-dice')?.reason).to.contain('asks for more than was granted (process: anything)')
  })

  it('installs a package by name from a registry', async () => {
    const source = await writePackage()
    await run('npm', ['pack', '--ignore-scripts', `--pack-destination=${folder}`], { cwd: source })
    const archive = await readFile(path.join(folder, 'tool-dice-1.0.0.tgz'))
    registry = createServer((request, response) => {
      if (request.url?.endsWith('.tgz')) return void response.end(archive)
      const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`
      const dist = { tarball: `http://${request.headers.host}/tool-dice/-/tool-dice-1.0.0.tgz`, integrity }
      response.end(
        JSON.stringify({
          name: 'tool-dice',
          'dist-tags': { latest: '1.0.0' },
          versions: { '1.0.0': { name: 'tool-dice', version: '1.0.0', dist } },
        }),
      )
    })
    await new Promise<void>((resolve) => registry?.listen(0, '127.0.0.1', resolve))
    const { port } = registry.address() as AddressInfo
    const result = await command(['install', 'tool-dice', '--yes', '--json'], {
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_offline: 'false',
    })
    expect(result.status, result.output).to.equal(0)
    expect(JSON.parse(result.output)).to.include({ id: 'tool-dice', package: 'tool-dice', granted: true })
  })

  it('refuses packages that are not plugins, that use a built-in id or that are missing, and leaves nothing behind', async () => {
    const noPlugin = path.join(folder, 'other')
    await mkdir(noPlugin)
    await writeFile(path.join(noPlugin, 'package.json'), JSON.stringify({ name: 'other', version: '1.0.0' }))
    for (const [source, reason] of [
      [noPlugin, 'has no “agentService”'],
      [await writePackage('1.0.0', {}, 'feature-agents'), 'belongs to the built-in plugin “feature-agents”'],
      ['./nowhere', 'npm could not fetch'],
      ['--global', 'unknown option'],
    ] as const) {
      const result = await command(['install', source])
      expect(result.status, result.output).to.be.oneOf([1, 2])
      expect(result.output).to.contain(reason)
    }
    const left = await command(['list', '--offline', '--json'])
    expect(left.output).not.to.contain('"other"')
  })

  it('validates a folder as this service would load it', async () => {
    const source = await writePackage()
    await linkSdk(source)
    expect((await command(['validate', source])).output).to.contain('tool-dice 1.0.0: this service would load it')
    const verdict = JSON.parse((await command(['validate', source, '--json'])).output) as object
    expect(verdict).to.deep.equal({ id: 'tool-dice', version: '1.0.0', problems: [], setup: { outcome: 'ran' } })
    const broken = await writePackage('1.0.2', { contributes: ['tools'] })
    const refused = await command(['validate', broken, '--json'])
    expect(refused.status).to.equal(1)
    expect(JSON.parse(refused.output))
      .to.have.property('problems')
      .that.satisfies((problems: readonly string[]) => problems[0]?.includes('did you mean “tool”'))
  })

  it('validates what a plugin does in setup, and not what only a deployment has', async () => {
    const write = async (version: string, setup: string, more: object = {}): Promise<string> => {
      const source = await writePackage(version, more)
      const manifest = { id: 'tool-dice', apiVersion: 1, description: 'Dice.', contributes: ['tool'], ...more }
      await linkSdk(source)
      const text = `import { definePlugin } from '@agent-service/sdk'
import { tools } from '@agent-service/sdk/contracts/tool'
export default definePlugin({ manifest: ${JSON.stringify(manifest)}, setup(context) { ${setup} } })`
      await writeFile(path.join(source, 'dist/index.js'), text)
      return source
    }
    const throwing = await command(['validate', await write('1.0.0', "throw new Error('no dice here')")])
    expect(throwing.status).to.equal(1)
    expect(throwing.output).to.contain('setup failed').and.contain('no dice here')
    const misnamed = await write('1.0.1', "context.contribute(tools, { name: 'Roll' })")
    const refused = JSON.parse((await command(['validate', misnamed, '--json'])).output) as { readonly problems: readonly string[] }
    expect(refused.problems.join(' ')).to.contain('its contribution “Roll” to tool is not valid')

    const config = { type: 'object', properties: { sides: { type: 'integer' } }, required: ['sides'], additionalProperties: false }
    const needy = await write('1.0.2', "if (context.config.sides < 2) throw new Error('too few sides')", { config })
    const untried = await command(['validate', needy])
    expect(untried.status, untried.output).to.equal(0)
    expect(untried.output).to.contain('Setup was not tried').and.contain('sides')
    await writeFile(path.join(folder, 'settings.json'), JSON.stringify({ sides: 1 }))
    const tried = await command(['validate', needy, '--config', 'settings.json'])
    expect(tried.status).to.equal(1)
    expect(tried.output).to.contain('too few sides')
  })

  it('creates a plugin as the author’s own command does', async () => {
    const created = await command(['create', 'tool', 'tool-hello', '--json'])
    expect(created.status, created.output).to.equal(0)
    const { id, files } = JSON.parse(created.output) as { readonly id: string; readonly files: readonly string[] }
    expect(id).to.equal('tool-hello')
    for (const file of files) expect(existsSync(path.join(folder, 'tool-hello', file)), file).to.equal(true)
    expect((await command(['create', 'tool', 'tool-hello'])).output).to.contain('already exist')
    const unknown = await command(['create', 'tol', 'tool-other'])
    expect(unknown.status).to.equal(1)
    expect(unknown.output).to.contain('did you mean “tool”?')
    expect((await command(['create'])).status).to.equal(2)
    expect((await command(['create', '--help'])).output).to.contain('tool, route, job, command or provider')
  })

  it('refuses a source inside the data folder', async () => {
    const inside = path.join(folder, 'data/users/ada/workspaces/tool-dice')
    await mkdir(path.dirname(inside), { recursive: true })
    await rename(await writePackage(), inside)
    await writeFile(path.join(folder, 'data', 'config.yaml'), `plugins:\n  sources: ['${inside}']\n`)
    const check = await runCommandLine(['config', 'check'], { workingDirectory: folder, environment: environment() })
    expect(check.status).to.not.equal(0)
    expect(check.output).to.contain('plugins.sources[0]').and.contain('lies in the data folder')
    const refused = await createTestKernel({ folder, plugins: [inside] }).then(
      (started) => started.stop(),
      (error: Error) => error.message,
    )
    expect(refused).to.contain('lies in the data folder')
  })

  it('keeps every plugin when installs and grants run at the same time', async () => {
    const ids = ['tool-dice', 'tool-cards', 'tool-coins']
    const sources = await Promise.all(ids.map((id) => writePackage('1.0.0', {}, id)))
    const results = await Promise.all(sources.map((source) => command(['install', source, '--yes', '--json'])))
    for (const { status, output } of results) expect(status, output).to.equal(0)
    const list = JSON.parse(await readFile(path.join(folder, 'data-plugins/installed.json'), 'utf8')) as {
      readonly plugins: Readonly<Record<string, { readonly grant?: object }>>
    }
    expect(Object.keys(list.plugins).sort()).to.deep.equal([...ids].sort())
    for (const id of ids) expect(list.plugins[id]?.grant, id).to.be.an('object')
    await Promise.all([command(['remove', 'tool-cards']), command(['remove', 'tool-coins'])])
    const left = JSON.parse(await readFile(path.join(folder, 'data-plugins/installed.json'), 'utf8')) as typeof list
    expect(Object.keys(left.plugins)).to.deep.equal(['tool-dice'])
  })
})
