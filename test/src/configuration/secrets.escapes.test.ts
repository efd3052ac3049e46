import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, openTestConfigurations, runCommandLine } from '@agent-service/kernel/testing'
import { loggerToken } from '@agent-service/kernel/testing/tokens'
import type { JsonValue } from '@agent-service/sdk'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { runCommand } from '../support/command.js'
import { fieldsOf } from './support/schema-fields.js'
import { canariesIn, fileWithSecrets, type SecretField, secretFields, secretText } from './support/secret-fields.js'

describe('the secrets of the configuration', function () {
  this.timeout(60_000)
  let folder: string
  const environment = { SERVICE_SERVER_LOG_LEVEL: 'debug', SERVICE_SERVER_PORT: '0' }

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-secrets-'))
    await mkdir(path.join(folder, 'data'))
  })

  afterEach(() => rm(folder, { recursive: true, force: true }))

  const write = (file: JsonValue): Promise<void> => writeFile(path.join(folder, 'data', 'config.yaml'), JSON.stringify(file))

  /** Runs a command as a process of its own, to its end; what it printed must hold no canary. */
  async function outputOf(args: readonly string[], status: number, variables: Readonly<Record<string, string>> = {}): Promise<string> {
    const command = runCommand(folder, args, { ...environment, ...variables })
    expect([args, await command.ended], command.output()).to.deep.equal([args, status])
    expect(canariesIn(command.output()), command.output()).to.deep.equal([])
    return command.output()
  }
  /** The same in this process, for what ends before there is a log. */
  async function outputHere(args: readonly string[], status: number): Promise<string> {
    const ended = await runCommandLine(args, { workingDirectory: folder, environment: { HOME: folder, ...environment } })
    expect([args, ended.status], ended.output).to.deep.equal([args, status])
    expect(canariesIn(ended.output), ended.output).to.deep.equal([])
    return ended.output
  }

  it('are the fields that the schema marks', async () => {
    const configurations = await openTestConfigurations()
    try {
      const { schema } = await configurations.load()
      if (schema === undefined) throw new Error('There is no schema.')
      const marked = [...fieldsOf(schema)].filter(([, { node }]) => node['x-secret']).map(([name]) => name.replace('<handle>', 'work'))
      expect(marked.sort()).to.deep.equal(secretFields.map((field) => field.path.join('.')).sort())
    } finally {
      await configurations.remove()
    }
  })

  it('are in nothing that a start, a running service and a stop print', async () => {
    await write(fileWithSecrets())
    const command = runCommand(folder, ['start'], environment)
    await command.shows('The service is ready.')
    command.child.kill('SIGTERM')
    expect(await command.ended, command.output()).to.equal(0)
    expect(canariesIn(command.output()), command.output()).to.deep.equal([])
    expect(command.output()).to.contain('voice: has no effect')
  })

  it('are in nothing that is printed when an uncaught error ends the service', async () => {
    await write(fileWithSecrets())
    const crash = path.join(folder, 'crash.mjs')
    await writeFile(crash, `process.on('SIGUSR2', () => { throw new Error(process.env.CRASH, { cause: process.env.CRASH }) })`)
    const text = secretFields.map(secretText).join(', ')
    const command = runCommand(folder, ['start'], { ...environment, CRASH: `It broke at ${text}.`, NODE_OPTIONS: `--import=${crash}` })
    await command.shows('The service is ready.')
    command.child.kill('SIGUSR2')
    expect(await command.ended, command.output()).to.equal(1)
    expect(command.output()).to.contain('an uncaught error: It broke at [redacted], [redacted]')
    expect(canariesIn(command.output()), command.output()).to.deep.equal([])
  })

  it('are in nothing that the commands about the configuration print', async () => {
    await write(fileWithSecrets())
    expect(await outputHere(['config', 'explain'], 0)).to.contain('vault.vaulttwo_client_secret')
    expect(await outputHere(['config', 'explain', '--json'], 0)).to.contain('vault.vaulttwo_client_secret')
    await outputHere(['config', 'get', 'sso.client_secret'], 0)
    await outputHere(['config', 'check'], 0)
    await outputOf(['doctor'], 0)
  })

  it('are in nothing that a start prints which fails elsewhere', async () => {
    await write(fileWithSecrets(secretText, { server: { port: 'many' } }))
    expect(await outputOf(['start'], 78)).to.contain('server.port: must be a whole number')
    // Past the configuration: the database cannot be there.
    await write(fileWithSecrets(secretText, { database: { path: '/dev/null/db' } }))
    await outputOf(['start'], 1)
  })

  it('are in nothing that is printed where the file has references to them', async () => {
    const nameOf = ({ path: [...parts] }: SecretField): string => `MY_${parts.join('_').toUpperCase()}`
    const variables = Object.fromEntries(secretFields.map((field) => [nameOf(field), secretText(field)]))
    await write(fileWithSecrets((field) => `\${${nameOf(field)}}`, { database: { path: '/dev/null/db' } }))
    await outputOf(['start'], 1, variables)
    await write(fileWithSecrets((field) => [`\${${nameOf(field)}}`]))
    await outputOf(['start'], 78, variables)
  })

  const wrong: readonly (readonly [what: string, choose: (field: SecretField) => JsonValue])[] = [
    ['a list', (field) => [secretText(field)]],
    ['an object', (field) => ({ [secretText(field)]: secretText(field) })],
    ['a broken reference', (field) => `\${${secretText(field)}:-x}`],
  ]
  for (const [what, choose] of wrong) {
    it(`are in nothing that a start prints because each of them is ${what}`, async () => {
      await write(fileWithSecrets(choose))
      const output = await outputOf(['start'], 78)
      for (const field of secretFields) expect(output).to.contain(`${field.path.join('.')}: `)
    })
  }

  it('are in nothing that is said of a file that cannot be parsed', async () => {
    for (const broken of [
      'sso: { client_secret: CANARY }}',
      'sso:\n  client_secret: "CANARY\n',
      'sso: [CANARY: CANARY: CANARY]',
      'CANARY: &CANARY *CANARYX',
    ]) {
      await writeFile(path.join(folder, 'data', 'config.yaml'), broken.replaceAll('CANARY', secretFields[1]?.canary ?? ''))
      await outputHere(['start'], 78)
    }
  })

  it('are in nothing that is said of variables, whether they hold or not', async () => {
    const variables = (choose: (field: SecretField) => string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        secretFields.map((field) => [`SERVICE_${field.path[0]}_${field.path.slice(1).join('__')}`.toUpperCase(), choose(field)]),
      )
    await write({ providers: { work: { provider: 'groq' } }, models: { primary: { provider: 'work', model: 'm' } } })
    await outputOf(['doctor'], 0, { ...variables(secretText), SERVICE_DATABASE_URL: '' })
    const misplaced = Object.fromEntries(
      Object.entries(variables(secretText)).flatMap(([name, value]) => [
        [`${name}__DEEPER`, value],
        [`${name}S`, value],
      ]),
    )
    await outputOf(['start'], 78, {
      ...misplaced,
      SERVICE_SERVER_PORT: secretText(secretFields[0] as SecretField),
      SERVICE_AUTH_ALLOW_REGISTRATION: 'canary-x',
    })
  })

  it('are in no line of the log, no error and no answer', async () => {
    const data = path.join(folder, 'data')
    await write(fileWithSecrets())
    const kernel = await createTestKernel({ folder, environment: { SERVICE_SERVER_DATA_DIR: data, SERVICE_AUTH_ENCRYPTION_SECRET: '' } })
    try {
      const log = kernel.container.resolve(loggerToken)
      for (const field of secretFields) {
        const text = secretText(field)
        log.info(`It is ${text}, or ${field.canary}.`, { value: text, inner: [{ text }], [text]: 1 })
        log.error('It failed.', {
          error: new Error(`with ${text}`, { cause: { text } }),
          url: `https://a.example/?x=${encodeURIComponent(text)}`,
        })
      }
      const admin = await signUp(kernel.url, 'ada')
      const answers = [
        await admin.request('GET', '/api/admin/config'),
        await admin.request('POST', '/api/admin/config/check', {}),
        await admin.request('POST', '/api/admin/config/check', {
          set: Object.fromEntries(secretFields.map((field) => [field.path.join('.'), [secretText(field)]])),
        }),
      ]
      expect(kernel.log.length).to.be.greaterThan(2 * secretFields.length)
      expect(canariesIn(JSON.stringify(kernel.log))).to.deep.equal([])
      for (const answer of answers) expect(canariesIn(JSON.stringify(answer)), JSON.stringify(answer)).to.deep.equal([])
    } finally {
      await kernel.stop()
    }
  })
})
