import { mkdtemp } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runCommandLine } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { writePlugin } from '../http/support/write-http-plugin.js'
import { removeFolder } from '../support/service-process.js'

const checks = import.meta.resolve('@agent-service/sdk/contracts/doctor-check')
const drivers = import.meta.resolve('@agent-service/sdk/contracts/sandbox-driver')

const contributing = (id: string, title: string, run: string): string => `
  return import(${JSON.stringify(checks)}).then(({ doctorChecks }) => context.contribute(doctorChecks, {
    specVersion: 1, id: ${JSON.stringify(id)}, title: ${JSON.stringify(title)}, run: ${run},
  }))`

const driving = (id: string, platform: string): string => `
  return Promise.all([import(${JSON.stringify(checks)}), import(${JSON.stringify(drivers)})]).then(([{ doctorChecks }, { sandboxDoctorCheck }]) => {
    const closed = { state: 'closed', by: 'a wall', reason: '' }
    const health = async () => ({
      confines: true, mode: 'walls',
      fences: {
        files: closed, processes: closed, network: { state: 'partial', by: 'a fence', reason: 'Moles get through.' },
        destinations: { state: 'open', by: '', reason: 'There is no gate.' }, limits: closed,
      },
    })
    context.contribute(doctorChecks, sandboxDoctorCheck({ id: 'walls', platforms: [${JSON.stringify(platform)}], health }, { id: ${JSON.stringify(id)} }))
  })`

describe('the checks of plugins in agent-service doctor', function () {
  this.timeout(60_000)
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-checks-'))
  })
  afterEach(() => removeFolder(folder))

  const doctor = async (plugins: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const sources = await Promise.all(
      Object.entries(plugins).map(([id, setup]) => writePlugin(folder, { id, contributes: ['doctor.check'] }, setup)),
    )
    return runCommandLine(['doctor', ...args], {
      workingDirectory: folder,
      environment: {
        HOME: folder,
        SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone',
        SERVICE_PLUGINS_SOURCES: JSON.stringify(sources),
      },
    })
  }

  it('show their findings, the first beside the title, and a warning keeps the exit status', async () => {
    const run = `async () => ({
      findings: [{ state: 'well', text: 'six \\u001b[31mof them' }, { state: 'warning', text: 'one is loaded' }], json: { dice: 6 },
    })`
    const plugins = { dice: contributing('dice', 'Dice', run) }
    const { status, output } = await doctor(plugins)
    expect(status, output).to.equal(0)
    expect(output).to.include('Dice           six ␛[31mof them\n  one is loaded\n')
    const json = JSON.parse((await doctor(plugins, '--json')).output) as { readonly checks: readonly { readonly id: string }[] }
    expect(json.checks.find(({ id }) => id === 'dice')).to.deep.equal({
      ...{ id: 'dice', title: 'Dice', json: { dice: 6 } },
      findings: [
        { state: 'well', text: 'six \u001b[31mof them' },
        { state: 'warning', text: 'one is loaded' },
      ],
    })
  })

  it('know the addresses of the service: the mail server is greeted with its host', async () => {
    const greeted: string[] = []
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write('220 relay.example ESMTP\r\n')
      socket.on('data', (bytes) => {
        const line = String(bytes).trim()
        greeted.push(line)
        socket.write(/^EHLO/.test(line) ? '550 5.7.1 not this name\r\n' : '501 5.5.4 nor this one\r\n')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { output } = await runCommandLine(['doctor'], {
        workingDirectory: folder,
        environment: {
          ...{ HOME: folder, SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone' },
          ...{ SERVICE_SERVER_BASE_URL: 'https://agents.example.org', SERVICE_MAIL_FROM: '"Agents, House" <a@mail.example>' },
          ...{
            SERVICE_MAIL_HOST: '127.0.0.1',
            SERVICE_MAIL_PORT: String((server.address() as AddressInfo).port),
            SERVICE_MAIL_SECURITY: 'none',
          },
        },
      })
      expect(greeted[0]).to.equal('EHLO agents.example.org')
      expect(output).to.include('mail.ehlo_name').and.include('nor this one')
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it('end with 1 if the identity provider names another issuer, and show both and the setting', async () => {
    const server = createHttpServer((_request, response) =>
      response.end(JSON.stringify({ issuer: 'https://login.example/auth/realms/house' })),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const authority = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/house`
    try {
      const { status, output } = await runCommandLine(['doctor'], {
        workingDirectory: folder,
        environment: {
          ...{ HOME: folder, SERVICE_AUTH_ENCRYPTION_SECRET: 'a secret for tests alone', SERVICE_SSO_ENABLED: 'true' },
          ...{ SERVICE_SSO_AUTHORITY: authority, SERVICE_SSO_CLIENT_ID: 'house', SERVICE_SSO_CLIENT_SECRET: 'canary-of-the-client' },
        },
      })
      expect(status, output).to.equal(1)
      for (const words of ['“https://login.example/auth/realms/house”', authority, 'sso.authority']) expect(output).to.include(words)
      expect(output).to.not.include('canary-of-the-client')
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it('end with 1 for a finding that failed, a throw, a broken report, and a plugin that cannot be set up', async () => {
    const found = await doctor({
      lost: contributing('lost', 'Lost', `async () => ({ findings: [{ state: 'failed', text: 'none is here' }] })`),
    })
    expect([found.status, found.output.includes('Lost           none is here')]).to.deep.equal([1, true])
    const { status, output } = await doctor({
      throws: contributing('throws', 'Throws', `async () => { throw new Error('no hands') }`),
      breaks: contributing('breaks', 'Breaks', `async () => ({ findings: 'six' })`),
      wants: `context.use({ id: 'kernel.database' })`,
    })
    expect(status, output).to.equal(1)
    expect(output).to.match(/Throws {9}could not be checked: no hands\n/)
    expect(output).to.match(/Breaks {9}could not be checked: the plugin broke its contract: \/findings must be/)
    expect(output).to.match(/wants {10}could not be checked: .*kernel\.clock, kernel\.deployment, kernel\.resources alone/)
  })

  it('show what confines by a sandbox driver of this system, and nothing of one for another', async () => {
    const here = await doctor({ walls: driving('walls', process.platform) })
    expect(here.status, here.output).to.equal(0)
    expect(here.output).to.include(
      [
        'Sandbox        code is confined by walls',
        '  files outside: closed by a wall',
        '  processes outside: closed by a wall',
        '  the network while it is off: closed in part by a fence. Moles get through.',
        '  forbidden addresses while the network is on: open. There is no gate.',
        '  limits: closed by a wall',
      ].join('\n'),
    )
    expect((await doctor({ bricks: driving('bricks', 'plan9') })).output).not.to.include('walls')
  })
})
