import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, runCommandLine, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { removeFolder } from '../support/service-process.js'

describe('agent-service tokens', function () {
  this.timeout(60_000)
  let service: TestKernel
  const person = { AGENT_SERVICE_USERNAME: 'ada', AGENT_SERVICE_PASSWORD: 'a long enough password' }

  // Each test has a service of its own: sign-ins and tokens are limited by address.
  beforeEach(async () => {
    service = await createTestKernel({ folder: await mkdtemp(path.join(tmpdir(), 'agent-service-tokens-')) })
    await signUp(service.url, 'ada', person.AGENT_SERVICE_PASSWORD)
  })
  afterEach(async () => {
    await service?.stop()
    if (service) await removeFolder(service.folder)
  })

  const run = (args: readonly string[], environment: Readonly<Record<string, string>> = person) =>
    runCommandLine(['tokens', ...args], {
      workingDirectory: service.folder,
      environment: { AGENT_SERVICE_URL: service.url, ...environment },
    })

  it('creates a token that signs in, lists it without its secret, and revokes it', async () => {
    const made = await run(['create', 'nightly\u001b[2J', '--scopes', 'read', '--expires-in-days', '7', '--json'])
    const { id, token, scopes } = JSON.parse(made.output) as { readonly id: string; readonly token: string; readonly scopes: unknown }
    expect([made.status, scopes]).to.deep.equal([0, ['read']])
    const listed = await run(['list'], { AGENT_SERVICE_TOKEN: token })
    expect(listed.output).to.match(new RegExp(`^ID .*\\n${id}  nightly␛\\[2J  svc_pat_....…  read  .*\\n$`))
    expect(listed.output).not.to.include(token)
    expect((await run(['revoke', id])).status).to.equal(0)
    const refused = await run(['list'], { AGENT_SERVICE_TOKEN: token })
    expect([refused.status, refused.output]).to.deep.include(1)
    expect(refused.output).to.include('(unauthenticated, 401)')
  })

  it('prints the token in a line of its own, with a note about it', async () => {
    const { status, output } = await run(['create', 'program'])
    expect(status).to.equal(0)
    expect(output).to.match(/^svc_pat_\w+\nThis token is shown only now\. It permits read, write, inference, until it is revoked\.\n$/)
  })

  it('says that a token cannot make tokens', async () => {
    const { output } = await run(['create', 'first', '--json'])
    const { token } = JSON.parse(output) as { readonly token: string }
    const { status, output: reason } = await run(['create', 'second'], { AGENT_SERVICE_TOKEN: token })
    expect([status, reason]).to.deep.include(1)
    expect(reason).to.include('session_required')
  })

  it('ends with 2 for wrong usage', async () => {
    for (const args of [['create'], ['create', 'x', '--scopes', 'everything'], ['create', 'x', '--expires-in-days', '0'], ['revoke']])
      expect((await run(args)).status, args.join(' ')).to.equal(2)
  })
})
