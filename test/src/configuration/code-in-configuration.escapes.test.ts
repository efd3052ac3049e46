import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, runCommandLine, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type Api, confirm, signUp } from '../support/api.js'
import { type ConfigurationClient, configurationClient, pathsOf } from './support/configuration-client.js'
import { type RulesFolder, writeRulesFolder } from './support/rules-folder.js'

const written = 'server:\n  log_level: error\n'

describe('the configuration as a way to run code', function () {
  this.timeout(30_000)
  let folder: string
  let file: string
  let kernel: TestKernel | undefined
  let admin: Api

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'code-in-configuration-')))
    file = path.join(folder, 'data', 'config.yaml')
    await mkdir(path.dirname(file))
    await writeFile(file, written)
  })
  afterEach(async () => {
    await kernel?.stop()
    kernel = undefined
    await rm(folder, { recursive: true, force: true })
  })

  const start = async (sources: readonly RulesFolder[] = []): Promise<ConfigurationClient> => {
    kernel = await createTestKernel({
      folder,
      registration: 'as-configured',
      ...(sources.length === 0 ? {} : { plugins: sources.map((source) => source.folder) }),
    })
    admin = await signUp(kernel.url, 'ada')
    return configurationClient(kernel.url, admin.token)
  }
  const save = (text: string): Promise<void> => writeFile(file, text)
  const namingInFile = ({ folder: source }: RulesFolder, more = ''): string => `${written}plugins:\n  sources: ['${source}']\n${more}`
  const tokenOf = async (api: Api): Promise<string> => {
    const { body } = await api.request('POST', '/api/auth/tokens', { name: 'script', scopes: ['read', 'write', 'admin'] })
    return String(body['token'])
  }
  it('check imports nothing of a source that only the candidate names, and says so', async () => {
    const source = await writeRulesFolder(folder, 'tool-rules')
    const client = await start()
    const { status, body } = await client.check({ set: { 'plugins.sources': [source.folder] } })
    expect(status).to.equal(200)
    expect(body['problems']).to.deep.equal([])
    expect(String(body['warnings'])).to.contain('tool-rules')
    expect(source.ran()).to.equal(false)
    expect(await readFile(file, 'utf8')).to.equal(written)
  })

  it('check imports nothing of what a candidate names by a name that the service has, in a section, or beside others', async () => {
    const source = await writeRulesFolder(folder, 'tool-rules')
    await symlink(source.folder, path.join(folder, 'link'))
    const client = await start()
    for (const set of [
      { plugins: { sources: [source.folder] } },
      { '"plugins"."sources"': [path.join(folder, 'link')] },
      { 'plugins.sources': [source.folder], 'plugins.required': ['tool-rules'], 'server.port': 'x' },
    ])
      expect((await client.check({ set })).status).to.equal(200)
    expect(source.ran()).to.equal(false)
  })

  it('neither reading, checking nor saving imports a source that was written into the file after the start; a restart asks its rules', async () => {
    const source = await writeRulesFolder(folder, 'tool-rules', 'error')
    const client = await start()
    await confirm(admin)
    await save(namingInFile(source))
    expect(await client.get()).to.deep.include({ problems: [] })
    expect((await client.check({})).body['problems']).to.deep.equal([])
    expect((await client.patch({ set: { 'auth.allow_registration': false } })).status).to.equal(200)
    expect(source.ran()).to.equal(false)
    const { status, body } = await client.send('POST', '/api/admin/restart')
    expect([status, body['code'], pathsOf(body['errors'])]).to.deep.equal([422, 'restart_refused', ['server.log_level']])
  })

  it('the rules of a plugin that runs are asked about a change', async () => {
    const source = await writeRulesFolder(folder, 'tool-rules', 'warn')
    const client = await start([source])
    expect(source.ran()).to.equal(true)
    const { body } = await client.check({ set: { 'server.log_level': 'warn' } })
    expect(pathsOf(body['problems'])).to.deep.equal(['server.log_level'])
    expect((await client.patch({ set: { 'server.log_level': 'warn' } })).status).to.equal(422)
  })

  it('the rules of a disabled plugin never run: not at the start, not in a check, not when a candidate enables it', async () => {
    const source = await writeRulesFolder(folder, 'tool-rules')
    await save(namingInFile(source, '  disabled: [tool-rules]\n'))
    const client = await start()
    await confirm(admin)
    await client.get()
    await client.check({})
    await client.check({ reset: ['plugins.disabled'] })
    expect((await client.patch({ reset: ['plugins.disabled'] })).status).to.equal(200)
    await client.check({})
    expect(source.ran()).to.equal(false)
  })

  it('the rules of a plugin that an administrator switched off run only when it is switched on, which they may refuse', async () => {
    const source = await writeRulesFolder(folder, 'tool-rules', 'error')
    await mkdir(path.join(folder, 'data', 'system'))
    await writeFile(path.join(folder, 'data', 'system', 'plugins.json'), '{"disabled":["tool-rules"]}')
    const client = await start([source])
    await client.check({})
    expect(source.ran()).to.equal(false)
    await confirm(admin)
    const { status, body } = await client.send('POST', '/api/admin/plugins/tool-rules/enable')
    expect([status, body['code'], pathsOf(body['errors'])]).to.deep.equal([422, 'plugin_configuration_invalid', ['server.log_level']])
    expect([source.ran(), source.loaded()]).to.deep.equal([true, false])
    await kernel?.stop()
    await save('')
    const next = await start([source])
    await confirm(admin)
    const enabled = await next.send('POST', '/api/admin/plugins/tool-rules/enable')
    expect([enabled.body['state'], enabled.body['reason'], source.loaded()]).to.deep.equal(['active', null, true])
    expect(pathsOf((await next.check({ set: { 'server.log_level': 'error' } })).body['problems'])).to.deep.equal(['server.log_level'])
  })

  it('a source in the data folder is refused and not read, whatever link leads there and wherever the change moves that folder', async () => {
    const workspace = path.join(folder, 'data', 'users', 'ada', 'workspaces', 'one')
    const source = await writeRulesFolder(workspace, 'tool-rules')
    await symlink(path.join(folder, 'data', 'users'), path.join(folder, 'link'))
    const linked = path.join(folder, 'link', 'ada', 'workspaces', 'one', 'tool-rules')
    const client = await start()
    await confirm(admin)
    for (const named of [source.folder, linked]) {
      const { body } = await client.check({ set: { 'plugins.sources': [named] } })
      expect(pathsOf(body['problems'])).to.deep.equal(['plugins.sources[0]'])
      const moved = { 'plugins.sources': [named], 'storage.data_dir': path.join(folder, 'elsewhere') }
      for (const set of [{ 'plugins.sources': [named] }, moved])
        expect(pathsOf((await client.patch({ set })).body['errors'])).to.deep.equal(['plugins.sources[0]'])
    }
    expect(source.ran()).to.equal(false)
    expect(await readFile(file, 'utf8')).to.equal(written)
  })

  it('a plugin outside that would load a file of the data folder is refused', async () => {
    const source = await writeRulesFolder(folder, 'tool-rules')
    const inside = await writeRulesFolder(path.join(folder, 'data', 'users', 'ada', 'workspaces'), 'tool-rules')
    await writeFile(
      path.join(folder, 'package.json'),
      JSON.stringify({ name: 'outer', type: 'module', agentService: { plugin: './plugin.json' } }),
    )
    const rules = path.relative(folder, path.join(inside.folder, 'rules.js'))
    await writeFile(
      path.join(folder, 'plugin.json'),
      JSON.stringify({
        id: 'outer',
        apiVersion: 1,
        version: '1.0.0',
        description: 'x',
        entry: './tool-rules/index.js',
        rules: `./${rules}`,
      }),
    )
    await save(`${written}plugins:\n  sources: ['${folder}']\n`)
    const client = await start()
    await client.check({})
    expect(kernel?.report.find(({ source: named }) => named === folder)).to.include({ state: 'invalid' })
    expect([source.ran(), inside.ran()]).to.deep.equal([false, false])
  })

  it('over HTTP only a confirmed session changes what is not harmless, however the change is written', async () => {
    const source = await writeRulesFolder(folder, 'tool-rules')
    const original = namingInFile(source, '')
    await save(original)
    const client = await start()
    const script = configurationClient((kernel as TestKernel).url, await tokenOf(admin))
    const patches: readonly object[] = [
      { set: { 'plugins.sources': [] } },
      { set: { 'server.static_dir': '/tmp' } },
      { set: { 'storage.cache_dir': '/tmp' } },
      { set: { 'database.path': '/tmp' } },
      { set: { 'database.url': 'postgres://elsewhere.example/x' } },
      { set: { 'sso.authority': 'https://elsewhere.example' } },
      // Each of these was once changed by a token alone.
      { set: { 'plugins.settings.feature-backup.folder': '/app/static' } },
      { set: { 'plugins.settings.feature-backup': { folder: '/app/static' } } },
      { set: { 'sandbox.disabled': true } },
      { set: { 'server.cors_origins': 'https://elsewhere.example' } },
      { set: { 'server.host': '0.0.0.0' } },
      { set: { 'server.trusted_proxies': '0.0.0.0/0' } },
      { set: { 'server.external_url': 'https://elsewhere.example' } },
      { set: { 'mail.host': 'elsewhere.example' } },
      { set: { 'providers.work.base_url': 'https://elsewhere.example' } },
      { set: { 'auth.allow_registration': true } },
      { set: { plugins: { sources: ['/tmp'], disabled: [] } } },
      { set: { plugins: {} } },
      { set: { server: { log_level: 'warn' } } },
      { set: { 'server.log_level': 'warn', 'server.unknown': 1 } },
      { set: { '': {} } },
      { set: { '"plugins"."sources"': ['/tmp'] } },
      { set: { 'plugins."sources"': ['/tmp'] } },
      { set: { 'plugins.sources[0]': '/tmp' } },
      { set: { storage: {}, database: {} } },
      { reset: ['plugins.sources'] },
      { reset: ['plugins'] },
      { reset: ['"storage"'] },
      { reset: ['server'] },
      { set: { 'server.log_level': 'warn' }, reset: ['database.path'] },
    ]
    for (const patch of patches) {
      const session = await client.patch(patch)
      expect([session.status, session.body['code']], JSON.stringify(patch)).to.deep.equal([403, 'confirmation_required'])
      const token = await script.patch(patch)
      expect([token.status, token.body['code']], JSON.stringify(patch)).to.deep.equal([403, 'session_required'])
      expect(await readFile(file, 'utf8'), JSON.stringify(patch)).to.equal(original)
    }
    expect((await script.patch({ set: { 'server.log_level': 'warn' }, reset: ['cache'] })).status).to.equal(200)

    await confirm(admin)
    expect((await script.patch({ reset: ['plugins.sources'] })).body['code']).to.equal('session_required')
    expect((await client.patch({ reset: ['plugins.sources'] })).status).to.equal(200)
    expect(await readFile(file, 'utf8')).to.not.contain(source.folder)
  })

  it('on the command line, check and set import nothing of a source that only the change names', async () => {
    const source = await writeRulesFolder(folder, 'tool-rules', 'warn')
    const run = (words: readonly string[]) =>
      runCommandLine(['config', ...words], {
        workingDirectory: folder,
        environment: { HOME: folder, SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone' },
      })
    const set = await run(['set', 'plugins.sources', JSON.stringify([source.folder])])
    expect([set.status, source.ran()], set.output).to.deep.equal([0, false])
    // Naming it was the operator's consent.
    const check = await run(['set', 'server.log_level', 'warn'])
    expect([check.status, source.ran()], check.output).to.deep.equal([78, true])
  })

  it('on the command line, nothing of a disabled plugin is imported, by doctor neither', async () => {
    const source = await writeRulesFolder(folder, 'tool-rules')
    const run = (words: readonly string[]) => runCommandLine(words, { workingDirectory: folder, environment: { HOME: folder } })
    await save(namingInFile(source, '  disabled: [tool-rules]\n'))
    for (const words of [['config', 'check'], ['config', 'explain'], ['config', 'schema'], ['plugins', 'list', '--offline'], ['doctor']]) {
      const { status, output } = await run(words)
      expect([words, status, source.ran(), source.loaded()], output).to.deep.equal([words, 0, false, false])
    }
    await save(namingInFile(source))
    expect((await run(['doctor'])).status).to.equal(0)
    expect([source.ran(), source.loaded()]).to.deep.equal([true, true])
  })

  it('the pages overlap nothing that is kept: the start ends with 78, and a save is refused', async () => {
    await symlink(path.join(folder, 'data'), path.join(folder, 'link'))
    await symlink(path.join(folder, 'data', 'later'), path.join(folder, 'dangling'))
    const client = await start()
    await confirm(admin)
    const placed = [folder, path.join(folder, 'data'), path.join(folder, 'data', 'pages'), path.join(folder, 'link', 'pages')]
    for (const pages of [...placed, path.join(folder, 'dangling'), '/', path.join(folder, 'data', 'db')]) {
      const { status, body } = await client.patch({ set: { 'server.static_dir': pages } })
      expect([status, pathsOf(body['errors'])], pages).to.deep.equal([422, ['server.static_dir']])
    }
    expect((await client.patch({ set: { 'server.static_dir': path.join(folder, 'pages') } })).status).to.equal(200)
    const ended = await runCommandLine(['start'], {
      workingDirectory: folder,
      environment: { HOME: folder, SERVICE_SERVER_STATIC_DIR: path.join(folder, 'link') },
    })
    expect([ended.status, ended.output.includes('server.static_dir')], ended.output).to.deep.equal([78, true])
  })
})
