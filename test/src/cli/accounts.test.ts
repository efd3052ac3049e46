import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runCommandLine } from '@agent-service/kernel/testing'
import { expect } from 'chai'
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
