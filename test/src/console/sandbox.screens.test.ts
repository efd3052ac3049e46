import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'
import { expect } from 'chai'
import { agentOf, type ProbedKernel, shell, startProbedKernel } from '../sandbox/support/probed-kernel.js'
import { signUp } from '../support/api.js'
import { closeBrowser, openPage } from './open-page.js'
import { newChat } from './support/chat-page.js'

const bob = { username: 'bob', password: 'a long enough password' }
const ada = { username: 'ada', password: bob.password }

describe('the sandbox in the console', function () {
  this.timeout(90_000)
  let probed: ProbedKernel
  let agent: SandboxPrincipal

  before(async () => {
    probed = await startProbedKernel()
    agent = await agentOf(await signUp(probed.kernel.url, bob.username, bob.password), 'bob', { name: 'Runner' })
  })
  after(async () => {
    await closeBrowser()
    await probed?.stop()
  })

  it('shows what runs from its start to its end with its output, and what the policies let an agent do', async () => {
    const { page, open, inspect, complaints, close } = await openPage(probed.kernel, { credentials: bob, at: 'none' })
    await open('/sandbox')
    await page.getByText('Nothing ran within the last hour').waitFor()
    expect(await inspect('sandbox-empty')).to.deep.equal([])
    const script = `printf '\\033[31m20%%\\033[0m\\n'; read line; echo second >&2; exit 3`
    const process = await shell(probed.sandbox, agent, script, { title: 'waits for a line' })
    const other = await shell(probed.sandbox, agent, 'read line', { title: 'goes on' })
    const row = page.locator('.sandbox-process', { hasText: 'waits for a line' })
    await row.getByText('Running', { exact: true }).waitFor()
    await page.getByText('2 running').waitFor()
    await page.getByRole('button', { name: 'Stop goes on' }).click()
    await page.getByText('Stopped', { exact: true }).waitFor()
    expect((await other.exited).reason).to.equal('stopped')
    expect(await inspect('sandbox-processes')).to.deep.equal([])
    await row.getByRole('link').click()
    const log = page.locator('.log pre')
    await log.getByText('20%').waitFor()
    await process.write(Buffer.from('\n'))
    await page.getByText('Ended with code 3').waitFor()
    await log.getByText('second').waitFor()
    expect(await log.textContent()).to.equal('20%\nsecond')
    expect(await inspect('sandbox-process')).to.deep.equal([])

    await open(`/sandbox/agents/${agent.id}`)
    await page.getByText(`workspaces/${agent.workspace}`).waitFor()
    await page.getByLabel('Host').fill('closed.example')
    const forbid = 'forbid (principal, action == Action::"connect", resource) when { resource.host == "closed.example" };'
    await probed.under(forbid, async () => {
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('May not connect to closed.example:443.').waitFor()
    })
    expect(await inspect('sandbox-agent')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
    await close()
  })

  it('shows administrators what runs of all users without its title, and warns where nothing confines', async () => {
    const process = await shell(probed.sandbox, agent, 'read line', { title: 'a secret title' })
    const { page, open, inspect, complaints, close } = await openPage(probed.kernel, { credentials: ada, at: 'none' })
    await open('/sandbox/users')
    const row = page.locator('.sandbox-process', { hasText: 'bob' })
    await row.waitFor()
    expect(await page.getByText('a secret title').count()).to.equal(0)
    expect(await inspect('sandbox-users')).to.deep.equal([])
    await row.getByRole('button').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    expect(process.view().exit?.reason).to.equal('stopped')

    // As a service says it that is set so.
    let changes: object = { disabled: true }
    await page.route('**/api/sandbox', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...changes } })
    })
    await open('/sandbox/machine')
    await page.locator('.sandbox-banner', { hasText: 'The sandbox is switched off (sandbox.disabled)' }).waitFor()
    expect(await inspect('sandbox-disabled')).to.deep.equal([])
    await open(`/chats/${await newChat(page, { tools: ['shell'] })}`)
    await page.getByText('The sandbox is switched off: code of this agent').waitFor()
    expect(await inspect('chat-unconfined')).to.deep.equal([])
    changes = { confines: false, driver: null, mode: 'none', fences: null, reason: 'No plugin with a sandbox driver for linux runs.' }
    await open('/sandbox/machine')
    await page.locator('.sandbox-banner', { hasText: 'Nothing confines programs on this machine' }).waitFor()
    expect(await inspect('sandbox-no-driver')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
    await close()
  })
})
