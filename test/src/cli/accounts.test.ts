import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, runCommandLine } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { confirm, signIn } from '../support/api.js'
import { runCommand } from '../support/command.js'
import { removeFolder } from '../support/service-process.js'

describe('agent-service users and rekey', function () {
  this.timeout(60_000)
  const first = { SERVICE_AUTH_ENCRYPTION_SECRET: 'the first secret for tests alone' }
  const second = { SERVICE_AUTH_ENCRYPTION_SECRET: 'the second secret for tests alone' }
  let folder: string

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-accounts-'))
    const { status } = await run(['users', 'create', 'ada', '--role', 'admin'], first, 'a long enough password')
    expect(status).to.equal(0)
  })
  after(() => removeFolder(folder))

  const run = (args: readonly string[], environment: Readonly<Record<string, string>>, input?: string) =>
    runCommandLine(args, { workingDirectory: folder, environment, ...(input === undefined ? {} : { input }) })
  /** With a real standard input. */
  const runAsProcess = async (args: readonly string[], environment: Readonly<Record<string, string>>, input?: string) => {
    const command = runCommand(folder, args, environment)
    if (input !== undefined) command.say(input)
    command.child.stdin?.end()
    return { status: await command.ended, output: command.output() }
  }

  it('takes a password from standard input, and never shows it', async () => {
    const { status, output } = await runAsProcess(['users', 'reset-password', 'ada'], first, 'another long password')
    expect([status, output]).to.deep.equal([0, 'Changed the password of ada and ended all of its sessions.\n'])
  })

  it('reports a missing or weak password and an unknown account', async () => {
    for (const start of [run, runAsProcess]) {
      const { status, output } = await start(['users', 'reset-password', 'ada'], first)
      expect(status).to.equal(1)
      expect(output).to.include('AGENT_SERVICE_PASSWORD')
    }
    expect((await run(['users', 'reset-password', 'ada'], first, 'short')).output).to.include('8 to 1024 bytes')
    expect((await run(['users', 'reset-password', 'eve'], first, 'a long enough password')).output).to.include('There is no account “eve”')
  })

  it('makes an invitation, which works when the service runs', async () => {
    for (const time of ['31d', '0h', '7', 'soon']) {
      const refused = await run(['users', 'invite', '--expires', time], first)
      expect([refused.status, refused.output]).to.satisfy(([status]: readonly [number, string]) => status !== 0, time)
    }
    const { status, output } = await run(
      ['users', 'invite', '--json', '--role', 'admin', '--expires', '2d', '--email', 'cyd@example.org'],
      first,
    )
    expect(status, output).to.equal(0)
    const { link } = JSON.parse(output) as { readonly link: string }
    const kernel = await createTestKernel({ folder, environment: first, registration: 'as-configured' })
    try {
      const answer = await fetch(`${kernel.url}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'cyd', password: 'a long enough password', invitation: link.replace(/^.*#invitation=/, '') }),
      })
      const { user } = (await answer.json()) as { readonly user: object }
      expect([answer.status, user]).to.deep.include(201)
      expect(user).to.include({ role: 'admin', email: 'cyd@example.org', email_verified: false })
    } finally {
      await kernel.stop()
    }
  })

  it('vouches for an e-mail address, where there is one', async () => {
    expect((await run(['users', 'confirm-email', 'eve'], first)).output).to.include('There is no account “eve”')
    const without = await run(['users', 'confirm-email', 'ada'], first)
    expect([without.status, without.output]).to.satisfy(
      ([status, output]: readonly [number, string]) => status === 1 && output.includes('has no e-mail address'),
    )
    const kernel = await createTestKernel({ folder, environment: first })
    try {
      const ada = await signIn(kernel.url, 'ada', 'another long password')
      await confirm(ada, 'another long password')
      expect((await ada.request('PATCH', '/api/auth/me', { email: 'ada@example.org' })).body).to.include({ email_verified: false })
    } finally {
      await kernel.stop()
    }
    const vouched = await run(['users', 'confirm-email', 'ADA@example.org', '--json'], first)
    expect(JSON.parse(vouched.output)).to.include({ username: 'ada', email: 'ada@example.org' })
    const listed = await run(['users', 'list', '--json'], first)
    expect(JSON.parse(listed.output).items[0]).to.include({ email: 'ada@example.org', email_verified: true })
  })

  it('encrypts the database with another secret, after which the old one is refused', async () => {
    const changed = await runAsProcess(['rekey'], { ...first, AGENT_SERVICE_NEW_ENCRYPTION_SECRET: second.SERVICE_AUTH_ENCRYPTION_SECRET })
    expect([changed.status, changed.output]).to.satisfy(
      ([status, output]: readonly [number, string]) => status === 0 && output.includes('with the new secret'),
    )
    const refused = await run(['users', 'list'], first)
    expect(refused.status).to.equal(1)
    expect(refused.output).to.include('encrypted with another')
    const listed = await run(['users', 'list', '--json'], second)
    expect(JSON.parse(listed.output)).to.have.nested.property('items[0].username', 'ada')
    for (const { output } of [changed, refused]) expect(output).to.not.include('secret for tests alone')
  })

  it('refuses a new secret that is too short or unchanged', async () => {
    expect((await run(['rekey'], second, 'short')).output).to.include('at least 16 are needed')
    expect((await run(['rekey'], second, second.SERVICE_AUTH_ENCRYPTION_SECRET)).output).to.include('is the one in use')
  })
})
