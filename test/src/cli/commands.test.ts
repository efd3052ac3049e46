import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, runCommandLine } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { runCommand } from '../support/command.js'
import { removeFolder } from '../support/service-process.js'

const secret = { SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone' }

describe('agent-service', function () {
  this.timeout(60_000)
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-cli-'))
  })

  afterEach(() => removeFolder(folder))

  /** Runs a command in this process. */
  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    runCommandLine(args, { workingDirectory: folder, environment: { ...secret, HOME: folder, ...environment } })
  const runAsProcess = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const command = runCommand(folder, args, { ...secret, ...environment })
    return { status: await command.ended, output: command.output() }
  }

  it('prints its version and its help', async () => {
    const manifest = JSON.parse(await readFile(new URL('../../../kernel/cli/package.json', import.meta.url), 'utf8')) as {
      readonly version: string
    }
    expect(await runAsProcess(['--version'])).to.deep.equal({ status: 0, output: `${manifest.version}\n` })
    const help = await runAsProcess(['--help'])
    expect(help.status).to.equal(0)
    for (const command of ['start', 'chat', 'plugins', 'users', 'backup', 'restore', 'doctor']) expect(help.output).to.include(command)
  })

  it('ends with 2 for wrong usage, and names the help', async () => {
    const wrong = await runAsProcess(['strat'])
    expect(wrong.status).to.equal(2)
    expect(wrong.output).to.include("unknown command 'strat'")
    expect((await run(['users', 'create', 'ada', '--role', 'king'])).status).to.equal(2)
  })

  it('ends with 78 on a wrong configuration, with every problem and its place', async () => {
    await mkdir(path.join(folder, 'data'))
    await writeFile(path.join(folder, 'data', 'config.yaml'), 'server:\n  prot: 3001\n  port: many\n')
    const { status, output } = await runAsProcess(['start'])
    expect(status).to.equal(78)
    expect(output).to.match(/server\.prot: .*port.*2:/s)
    expect(output).to.match(/server\.port: .*3:/s)
    expect(output).not.to.include('    at ')
  })

  it('refuses the demo in production with 78', async () => {
    const { status, output } = await run(['start', '--demo'], { NODE_ENV: 'production' })
    expect(status).to.equal(78)
    expect(output).to.include('--demo')
  })

  it('creates and lists accounts in the data folder', async () => {
    const made = await runAsProcess(['users', 'create', 'ada', '--role', 'admin', '--json'], {
      AGENT_SERVICE_PASSWORD: 'a long enough password',
    })
    expect(made.status, made.output).to.equal(0)
    expect(JSON.parse(made.output)).to.include({ username: 'ada', role: 'admin' })
    const again = await runAsProcess(['users', 'create', 'ada'], { AGENT_SERVICE_PASSWORD: 'a long enough password' })
    expect(again.status).to.equal(1)
    expect(again.output).to.include('ada')
    const listed = await run(['users', 'list', '--json'])
    expect((JSON.parse(listed.output) as { items: { username: string }[] }).items.map((user) => user.username)).to.deep.equal(['ada'])
    const refused = await run(['users', 'create', 'bob'], { AGENT_SERVICE_PASSWORD: 'password' })
    expect(refused.status).to.equal(1)
  })

  it('lists plugins without a service, from their manifests', async () => {
    const { status, output } = await run(['plugins', 'list', '--offline', '--json'])
    expect(status, output).to.equal(0)
    const { running, items } = JSON.parse(output) as { running: boolean; items: { id: string; state: string }[] }
    expect(running).to.equal(false)
    expect(items.map((plugin) => plugin.id)).to.include.members([
      'database-sqlite',
      'feature-agents',
      'feature-inference',
      'provider-openai',
    ])
  })

  it('lists the plugins of a running service, and enables and disables them', async () => {
    const service = await createTestKernel({ folder })
    try {
      await signUp(service.url, 'ada')
      const person = { AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: 'a long enough password' }
      const listed = await run(['plugins', 'list', '--url', service.url], person)
      expect(listed.output).to.match(/feature-agents\s+\S+\s+active/)
      const off = await runAsProcess(['plugins', 'disable', 'feature-inference', '--url', service.url], person)
      expect(off.output).to.include('feature-inference was disabled. Also stopped: ')
      for (const user of ['feature-agents', 'feature-model-api']) expect(off.output).to.include(user)
      const on = await run(['plugins', 'enable', 'feature-inference', '--url', service.url], person)
      expect(on.status, on.output).to.equal(0)
      expect((await run(['plugins', 'list', '--url', service.url], person)).output).to.match(/feature-agents\s+\S+\s+active/)
      const refused = await run(['plugins', 'disable', 'database-sqlite', '--url', service.url], person)
      expect(refused.status).to.equal(1)
      expect(refused.output).to.include('plugin_in_use')
    } finally {
      await service.stop()
    }
  })

  it('backs up the database, and restores the backup', async () => {
    await run(['users', 'create', 'ada'], { AGENT_SERVICE_PASSWORD: 'a long enough password' })
    const copied = await runAsProcess(['backup', 'copy'])
    expect(copied.status, copied.output).to.equal(0)
    const elsewhere = { SERVICE_SERVER_DATA_DIR: path.join(folder, 'elsewhere') }
    const restored = await runAsProcess(['restore', 'copy'], elsewhere)
    expect(restored.status, restored.output).to.equal(0)
    expect((await run(['users', 'list'], elsewhere)).output).to.include('ada')
    const refused = await run(['restore', 'copy'], elsewhere)
    expect(refused.status).to.equal(1)
  })

  it('examines an installation without changing it', async () => {
    const { status, output } = await runAsProcess(['doctor'])
    expect(status, output).to.equal(0)
    expect(output).to.match(/Migrations\s+none/)
  })
})
