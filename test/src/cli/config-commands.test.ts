import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runCommandLine } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { removeFolder } from '../support/service-process.js'

const written = [
  'server:',
  '  # the port',
  '  port: 4000',
  '  max_concurrent_tasks: 3',
  'providers:',
  '  work: { provider: groq, api_key: "${WORK_KEY}" }',
  '  home: { provider: groq, api_key: canary-in-the-file }',
  'models:',
  '  primary: { provider: work, model: v/m, api: completions, top_p: 1, extra_params: { top_p: 0.5 } }',
  'voice:',
  '  telephony_auth_token: canary-of-voice',
  '',
].join('\n')

describe('agent-service config', function () {
  this.timeout(60_000)
  let folder: string
  let file: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-config-'))
    file = path.join(folder, 'data', 'config.yaml')
    await mkdir(path.dirname(file))
  })
  beforeEach(() => writeFile(file, written))
  after(() => removeFolder(folder))

  const run = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const secrets = { SERVICE_AUTH_ENCRYPTION_SECRET: 'canary-in-the-environment', WORK_KEY: 'canary-of-the-key' }
    const result = await runCommandLine(['config', ...args], { workingDirectory: folder, environment: { ...secrets, ...environment } })
    expect(result.output, 'a secret was shown').to.not.contain('canary')
    return result
  }

  describe('check', () => {
    it('ends with 0 when the service starts, with warnings and overlaps', async () => {
      const { status, output } = await run(['check'])
      expect(status, output).to.equal(0)
      expect(output).to.contain(`File: ${file}`)
      expect(output).to.not.contain('max_concurrent_tasks')
      expect(output).to.match(/warning {2}voice: has no effect: .*\(10:1\)/)
      expect(output).to.contain('overlap  models.primary.extra_params.top_p: “top_p” overrides the typed setting “top_p”')
      expect(output).to.contain('The service starts with this configuration.')
    })

    it('ends with 78 and reports every problem with its position, in the file and the environment', async () => {
      await writeFile(file, `${written}serve:\n  port: 1\nscheduler:\n  poll_secs: soon\n`)
      const { status, output } = await run(['check'], { SERVICE_CACHE_ENTITY_TTL_SECS: 'x', SERVICE_SERVER_PROT: '1' })
      expect(status).to.equal(78)
      expect(output).to.match(/problem {2}serve: is not known here; did you mean “server”\? \(12:1\)/)
      expect(output).to.match(/problem {2}scheduler\.poll_secs: must be a whole number.*\(15:14\)/)
      expect(output).to.contain('SERVICE_CACHE_ENTITY_TTL_SECS')
      expect(output).to.contain('SERVICE_SERVER_PROT does not name a field; did you mean “SERVICE_SERVER_PORT”?')
      expect(output).to.contain('The service does not start with this configuration: 4 problems.')
    })

    it('prints everything as JSON, also for a file that cannot be parsed', async () => {
      const good = await run(['check', '--json'])
      expect(JSON.parse(good.output)).to.deep.include({ file, exists: true, problems: [] })
      expect(JSON.parse(good.output)).to.have.all.keys('file', 'exists', 'revision', 'problems', 'warnings', 'overlaps')
      await writeFile(file, 'server: {\n')
      const broken = await run(['check', '--json'])
      expect(broken.status).to.equal(78)
      expect((JSON.parse(broken.output) as { problems: unknown[] }).problems).to.have.length.greaterThan(0)
    })

    it('uses all defaults without a file, unless SERVICE_CONFIG names it', async () => {
      const elsewhere = path.join(folder, 'elsewhere')
      const absent = await run(['check'], { SERVICE_SERVER_DATA_DIR: elsewhere })
      expect([absent.status, absent.output.includes('does not exist: all defaults')], absent.output).to.deep.equal([0, true])
      const named = await run(['check'], { SERVICE_CONFIG: path.join(elsewhere, 'none.yaml') })
      expect([named.status, named.output.includes('the file does not exist')], named.output).to.deep.equal([78, true])
    })
  })

  describe('explain', () => {
    it('lists every field with its value and where that comes from', async () => {
      const { status, output } = await run(['explain'], { SERVICE_SERVER_PORT: '9000' })
      expect(status, output).to.equal(0)
      expect(output).to.match(/^server\.port +9000 +SERVICE_SERVER_PORT, overrides 4000 in the file$/m)
      expect(output).to.match(/^server\.host +127\.0\.0\.1 +default$/m)
      expect(output).to.match(/^server\.max_concurrent_tasks +3 +file 4:25$/m)
      expect(output).to.match(/^providers\.work\.api_key +set +file 6:36 \$\{WORK_KEY\}$/m)
      expect(output).to.match(/^auth\.encryption_secret +set +SERVICE_AUTH_ENCRYPTION_SECRET$/m)
      expect(output).to.match(/^database\.url +not set +default$/m)
      expect(output).to.match(/^models\.primary\.top_p +1 +file 9:67$/m)
      expect(output).to.match(/^voice\.telephony_auth_token +set +file 11:25 +No effect: /m)
    })

    it('says which variables set nothing, as the check does', async () => {
      const links = { SERVICE_SERVER_PORT: 'tcp://10.96.0.7:3001', SERVICE_PORT: 'tcp://10.96.0.8:80' }
      for (const args of [['check'], ['explain'], ['explain', 'server.port']]) {
        const { status, output } = await run(args, links)
        expect(status, output).to.equal(0)
        expect(output).to.contain('SERVICE_PORT, SERVICE_SERVER_PORT: not a setting').and.contain('enableServiceLinks: false')
      }
      expect((await run(['explain', 'server.port'], links)).output).to.match(/^ {2}value +4000$/m)
    })

    it('shows everything known about a field, and about everything below a path', async () => {
      const field = await run(['explain', 'providers.work.api_key'])
      expect(field.status).to.equal(0)
      for (const line of [
        /^ {2}value +set$/m,
        /^ {2}from +file 6:36$/m,
        /^ {2}reference +\$\{WORK_KEY\}$/m,
        /^ {2}type +string, secret$/m,
        /^ {2}variable +SERVICE_PROVIDERS__WORK__API_KEY$/m,
        /^ {2}owner +feature-inference$/m,
      ])
        expect(field.output).to.match(line)
      const group = JSON.parse((await run(['explain', 'models.primary', '--json'])).output) as readonly { path: string; owner: string }[]
      expect(group.find(({ path: at }) => at === 'models.primary.top_p')?.owner).to.equal('provider-openai')
      expect(group.every(({ path: at }) => at.startsWith('models.primary.'))).to.equal(true)
      const locked = JSON.parse(
        (await run(['explain', 'server.port', '--json'], { SERVICE_SERVER_PORT: '1' })).output,
      ) as readonly unknown[]
      expect(locked).to.have.length(1)
      expect(locked[0]).to.include({
        value: 1,
        saved: 4000,
        source: 'environment',
        place: 'SERVICE_SERVER_PORT',
        locked_by: 'SERVICE_SERVER_PORT',
      })
    })

    it('explains missing entries, and suggests the nearest name for an unknown one', async () => {
      expect((await run(['explain', 'providers.new.base_url'])).output).to.match(/^ {2}value +—$/m)
      const unknown = await run(['explain', 'server.prot'])
      expect([unknown.status, unknown.output]).to.deep.equal([
        2,
        '“server.prot” is not a configuration field; did you mean “server.port”?\n',
      ])
    })

    it('shows as much as possible of an invalid configuration, and ends with 78', async () => {
      await writeFile(file, 'server:\n  port: many\n')
      const { status, output } = await run(['explain'])
      expect(status).to.equal(78)
      expect(output).to.match(/^server\.port .*PROBLEM: must be a whole number/m)
      await writeFile(file, 'server: {')
      expect((await run(['explain'])).status).to.equal(78)
    })
  })

  describe('get', () => {
    it('prints an effective value as a program reads it', async () => {
      expect(await run(['get', 'server.port'])).to.deep.equal({ status: 0, output: '4000\n' })
      expect(await run(['get', 'providers.home.api_key'])).to.deep.equal({ status: 0, output: 'set\n' })
      expect(JSON.parse((await run(['get', 'models.primary.retry'])).output)).to.include({ max_retries: 10 })
      expect(JSON.parse((await run(['get', 'server.port', '--json'])).output)).to.deep.equal({
        path: 'server.port',
        value: 4000,
        source: 'file',
        place: '3:9',
      })
    })

    it('names the reference of an effective value, and prints it instead of a secret', async () => {
      await writeFile(file, `${written.replace('port: 4000', 'port: ${PORT}')}`)
      const variables = { PORT: '4711' }
      expect((await run(['get', 'server.port'], variables)).output).to.equal('4711\nThe file has server.port as ${PORT}.\n')
      expect(JSON.parse((await run(['get', 'server.port', '--json'], variables)).output)).to.deep.include({
        value: 4711,
        reference: '${PORT}',
      })
      expect((await run(['get', 'providers.work.api_key'], variables)).output).to.equal(
        'set\nThe file has providers.work.api_key as ${WORK_KEY}.\n',
      )
      expect((await run(['explain'], variables)).output).to.match(/^server\.port +4711 +file 3:9 \$\{PORT\}$/m)
      const explained = (await run(['explain', 'server.port'], variables)).output
      expect(explained)
        .to.match(/^ {2}value +4711$/m)
        .and.match(/^ {2}reference +\$\{PORT\}$/m)
    })

    it('ends with 1 if the field is not set, and with 2 if there is no such field', async () => {
      expect(await run(['get', 'server.base_url'])).to.deep.equal({ status: 1, output: 'server.base_url is not set and has no default.\n' })
      expect((await run(['get', 'server..port'])).status).to.equal(2)
      expect((await run(['get', 'models.primary.top_q'])).output).to.contain('did you mean “models.primary.top_p”?')
    })
  })

  it('schema prints the schema of the file, also while the file cannot be read', async () => {
    await writeFile(file, 'server: {')
    const { status, output } = await run(['schema'])
    expect(status).to.equal(0)
    const schema = JSON.parse(output) as { $schema: string; properties: Record<string, unknown> }
    expect(schema.$schema).to.equal('https://json-schema.org/draft/2020-12/schema')
    expect(Object.keys(schema.properties)).to.include.members(['server', 'models', 'voice'])
  })

  describe('set and reset', () => {
    it('write values by their types, and report the new values and when they take effect', async () => {
      const pairs = [
        'server.port',
        '4001',
        'plugins.disabled',
        '["tool-dice"]',
        'auth.allow_registration',
        'false',
        'server.base_url',
        'https://a.example',
      ]
      const { status, output } = await run(['set', ...pairs])
      expect(status, output).to.equal(0)
      expect(output.split('\n').slice(0, 7)).to.deep.equal([
        `Saved to ${file}:`,
        '  server.port = 4001',
        '  plugins.disabled = ["tool-dice"]',
        '  auth.allow_registration = false',
        '  server.base_url = "https://a.example"',
        `The previous file is ${file}.previous.`,
        'The change takes effect at the next start of the service.',
      ])
      const text = await readFile(file, 'utf8')
      expect(text).to.contain('  # the port\n  port: 4001\n')
      expect(await readFile(`${file}.previous`, 'utf8')).to.equal(written)
      const back = await run(['reset', 'server.base_url', 'plugins.disabled', 'auth.allow_registration'])
      expect(back.output).to.contain('  server.base_url: not in the file, so the default applies\n')
      expect(await readFile(file, 'utf8')).to.equal(written.replace('port: 4000', 'port: 4001'))
    })

    it('remove a default, keep a reference, show no secret', async () => {
      const { output } = await run([
        'set',
        'server.port',
        '3001',
        'providers.home.api_key',
        '${HOME_KEY}',
        'auth.encryption_secret',
        'canary-typed',
      ])
      expect(output).to.contain('  server.port: not in the file, so the default applies\n')
      expect(output).to.contain('  providers.home.api_key = (not shown)\n')
      const text = await readFile(file, 'utf8')
      expect(text).to.contain('${HOME_KEY}').and.to.contain('canary-typed').and.not.to.contain('port: ')
    })

    it('say which path a variable sets', async () => {
      const { status, output } = await run(['set', 'server.port', '4001'], { SERVICE_SERVER_PORT: '9' })
      expect(status).to.equal(0)
      expect(output).to.contain('server.port is also set by SERVICE_SERVER_PORT, which takes precedence until it is unset.')
      const json = await run(['set', 'server.port', '4002', '--json'], { SERVICE_SERVER_PORT: '9' })
      expect(JSON.parse(json.output)).to.deep.include({
        file,
        changed: true,
        previous: `${file}.previous`,
        locked: [{ path: 'server.port', variable: 'SERVICE_SERVER_PORT' }],
      })
    })

    it('write no unreadable (2) and no invalid (78) value', async () => {
      for (const [words, status, told] of [
        [['server.port', 'many'], 2, 'server.port: must be a whole number.'],
        [['server.prot', '1'], 2, 'did you mean “server.port”?'],
        [['server.port'], 2, "missing required argument 'value'"],
        [['server.port', '1', 'server.host'], 2, '“server.host” has no value'],
        [['server.port', '1', 'server.port', '2'], 2, '“server.port” is given twice.'],
        [['server.port', '70000'], 78, 'server.port: must be at most 65535'],
        [['models.primary.provider', 'nobody'], 78, 'models.primary.provider: '],
        [['models.primary.min_p', '0.1', 'models.primary.api', 'responses'], 78, 'models.primary.min_p: '],
      ] as const) {
        const result = await run(['set', ...words])
        expect([result.status, result.output.includes(told)], result.output).to.deep.equal([status, true])
      }
      const json = await run(['set', 'server.port', '70000', '--json'])
      expect(json.output).to.match(/"code": "configuration_patch_invalid"/)
      expect(await readFile(file, 'utf8')).to.equal(written)
    })

    it('create a missing file', async () => {
      const elsewhere = path.join(folder, 'fresh')
      const { status, output } = await run(['set', 'server.port', '4001'], { SERVICE_SERVER_DATA_DIR: elsewhere })
      expect(status, output).to.equal(0)
      expect(await readFile(path.join(elsewhere, 'config.yaml'), 'utf8')).to.equal('server:\n  port: 4001\n')
      expect((await run(['reset', 'server.port'], { SERVICE_SERVER_DATA_DIR: elsewhere })).status).to.equal(0)
      expect((await run(['reset', 'server.port'], { SERVICE_SERVER_DATA_DIR: elsewhere })).output).to.contain('Nothing to change')
    })
  })

  it('has help with examples', async () => {
    const { status, output } = await run(['set', '--help'])
    expect(status).to.equal(0)
    expect(output).to.contain('agent-service config set server.port 8080')
    expect((await run([])).output).to.contain('explain [options] [path]')
  })
})
