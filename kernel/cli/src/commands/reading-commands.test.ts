import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { Command } from 'commander'
import { createProgram } from '../program.js'
import { createTestKernel } from '../testing/create-test-kernel.js'
import { runCommandLine } from '../testing/run-command-line.js'
import { findInstallation } from './installation.js'

const password = 'a long enough password'
/** Nothing listens there. */
const nowhere = 'http://127.0.0.1:9'

/** What makes a data folder, and why it may. */
const makes: Readonly<Record<string, string>> = {
  start: 'it starts the service',
  'users create': 'the first account may exist before the first start',
  restore: 'it restores into an empty folder',
  'config set': 'it writes the configuration',
  'config reset': 'it writes the configuration',
  'plugins install': 'it installs into the data folder',
  'plugins create': 'it writes the folder that it is given',
}

/** Every other command, as it is called where there is no service. */
const reads: Readonly<Record<string, readonly string[]>> = {
  'plugins list': ['--offline'],
  'plugins enable': ['tool-web', '--url', nowhere],
  'plugins disable': ['tool-web', '--url', nowhere],
  'plugins data list': ['--url', nowhere],
  'plugins data keep': ['tool-dice', '--url', nowhere],
  'plugins data delete': ['tool-dice', '--yes', '--url', nowhere],
  'plugins remove': ['tool-dice'],
  'plugins grant': ['tool-dice', '--yes'],
  'plugins validate': ['tool-dice'],
  'config check': [],
  'config explain': [],
  'config get': ['server.port'],
  'config schema': [],
  'users list': [],
  'users reset-password': ['ada'],
  'users confirm-email': ['ada'],
  'users invite': [],
  'tokens list': ['--url', nowhere],
  'tokens create': ['ci', '--url', nowhere],
  'tokens revoke': ['1', '--url', nowhere],
  'policies reset': [],
  rekey: [],
  backup: ['copy.tar'],
  'backups list': [],
  'backups verify': [],
  doctor: [],
  export: ['me.zip', '--url', nowhere],
}

const namesOf = (command: Command): readonly string[] =>
  command.commands.flatMap((each) => (each.commands.length === 0 ? [each.name()] : namesOf(each).map((name) => `${each.name()} ${name}`)))

describe('commands where no service has run', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-nowhere-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    runCommandLine(args, {
      workingDirectory: folder,
      environment: {
        SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
        SERVICE_SERVER_PORT: '9',
        HOME: folder,
        AGENT_SERVICE_PASSWORD: password,
        AGENT_SERVICE_NEW_ENCRYPTION_SECRET: 'another secret for tests',
        ...environment,
      },
    })
  const left = (): Promise<readonly string[]> => readdir(folder)

  it('are all known to this test: those that make a data folder, and those that may not', () => {
    const terminal = { write: () => undefined, problem: () => undefined } as never
    const context = { terminal, environment: {}, workingDirectory: folder, installation: findInstallation(), setStatus: () => undefined }
    expect([...namesOf(createProgram(context))].sort()).to.deep.equal([...Object.keys(makes), ...Object.keys(reads)].sort())
  })

  for (const [name, args] of Object.entries(reads))
    it(`${name} leaves nothing behind`, async () => {
      await run([...name.split(' '), ...args])
      expect(await left()).to.deep.equal([])
    })

  for (const name of ['backup', 'users list', 'users reset-password', 'users confirm-email', 'users invite', 'policies reset', 'rekey'])
    it(`${name} says that there is no service, also in the empty folder of a volume, and ends with 1`, async () => {
      const missing = await run([...name.split(' '), ...(reads[name] ?? [])])
      expect(missing.status, missing.output).to.equal(1)
      expect(missing.output).to.include(
        `There is no service in ${path.join(folder, 'data')}: ${path.join(folder, 'data', 'db')} does not exist`,
      )
      await mkdir(path.join(folder, 'data', 'db'), { recursive: true })
      expect(await run([...name.split(' '), ...(reads[name] ?? [])])).to.deep.equal(missing)
      expect(await readdir(folder, { recursive: true })).to.have.members(['data', path.join('data', 'db')])
    })

  it('backup does not back up a folder of this machine when an address is named', async () => {
    await run(['users', 'create', 'ada'])
    for (const [args, environment] of [
      [['--url', nowhere], {}],
      [[], { AGENT_SERVICE_URL: nowhere }],
    ] as const) {
      const { status, output } = await run(['backup', 'copy.tar', ...args], environment)
      expect([status, await left()]).to.deep.equal([1, ['data']])
      expect(output).to.match(/^No service answers at http:\/\/127\.0\.0\.1:9 .* leave out --url and AGENT_SERVICE_URL\.$/m)
    }
    expect((await run(['backup', 'copy.tar'])).status).to.equal(0)
  })

  it('plugins list does not show the plugins of this machine when an address is named', async () => {
    const { status, output } = await run(['plugins', 'list', '--url', nowhere])
    expect([status, output]).to.deep.equal([1, output])
    expect(output).to.match(/^No service answers at http:\/\/127\.0\.0\.1:9 /)
    expect((await run(['plugins', 'list'])).output).to.include('Read from the manifests')
  })

  it('backup of a service without an account ends with 1 and writes no file, stopped or running', async () => {
    const kernel = await createTestKernel({ folder })
    try {
      const { status, output } = await run(['backup', 'copy.tar', '--url', kernel.url])
      expect([status, output]).to.deep.include(1)
      expect(output).to.include(`The service at ${kernel.url} has no account, so there is nothing to back up.`)
    } finally {
      await kernel.stop()
    }
    const { status, output } = await run(['backup', 'copy.tar'])
    expect([status, output]).to.deep.include(1)
    expect(output).to.include(`The service in ${path.join(folder, 'data')} has no account, so there is nothing to back up.`)
    expect(await left()).to.deep.equal(['data'])
  })

  it('backup with an address is made by the service there, wherever the command runs', async () => {
    await run(['users', 'create', 'ada', '--role', 'admin'])
    const kernel = await createTestKernel({ folder })
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'agent-service-elsewhere-'))
    try {
      const environment = { AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: password }
      const { status, output } = await runCommandLine(['backup', 'copy.tar', '--url', kernel.url], {
        workingDirectory: elsewhere,
        environment,
      })
      expect(status, output).to.equal(0)
      expect(await readdir(elsewhere)).to.deep.equal(['copy.tar'])
    } finally {
      await kernel.stop()
      await rm(elsewhere, { recursive: true, force: true })
    }
  })
})
