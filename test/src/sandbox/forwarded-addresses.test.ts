import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { writeTestPlugin } from '../agents/support/write-test-plugin.js'
import { signUp } from '../support/api.js'
import { setUpCodeOf } from '../support/set-up-code.js'
import { agentOf, shell, textOf } from './support/probed-kernel.js'
import servicePlugin, { usedSandbox } from './support/service-plugin.js'

const password = 'a long enough password'
const forged = '203.0.113.7'

/** With the driver of this machine, whose forwarded port reaches the service from the loopback. */
describe('requests of confined processes, behind a trusted proxy on the same machine', function () {
  this.timeout(60_000)
  let folder: string
  let kernel: TestKernel

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-forwarded-'))
    const plugin = await writeTestPlugin(
      path.join(folder, 'service-plugin'),
      servicePlugin,
      new URL('./support/service-plugin.js', import.meta.url),
    )
    kernel = await createTestKernel({ folder, plugins: [plugin], environment: { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1, ::1' } })
  })
  after(async () => {
    await kernel?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('cannot sign in from any address, whatever they claim, while the proxy is believed', async () => {
    const admin = await signUp(kernel.url, 'ada', password, setUpCodeOf(kernel))
    const agent = await agentOf(admin, 'ada')
    const body = JSON.stringify({ username: 'ada', password: 'wrong' })
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': forged }
    const program = `
      const authorization = 'Bearer ' + require('fs').readFileSync(process.env.AGENT_SERVICE_TOKEN_FILE, 'utf8')
      const login = (more) => fetch(process.env.AGENT_SERVICE_URL + '/api/auth/login', { method: 'POST', headers: { ...${JSON.stringify(headers)}, ...more }, body: ${JSON.stringify(body)} }).then((answer) => answer.json())
      Promise.all([login({}), login({ authorization })]).then((answers) => console.log(answers.map(({ code }) => code).join(' ')))`
    const running = await shell(usedSandbox(), agent, '', {
      command: [process.execPath, '-e', program],
      timeoutMs: 50_000,
    })
    expect(await textOf(running)).to.equal('unauthenticated people_only\n')
    const proxied = await fetch(`${kernel.url}/api/auth/login`, { method: 'POST', headers, body })
    expect(proxied.status).to.equal(401)
    const { status, body: answer } = await admin.request('GET', '/api/admin/audit?kind=sign_in.failed')
    expect(status, JSON.stringify(answer)).to.equal(200)
    const addresses = (answer['items'] as readonly { readonly address: string }[]).map(({ address }) => address)
    expect(addresses).to.deep.equal([forged])
  })
})
