import type { SandboxPrincipal } from '@agent-service/sdk/services/sandbox'
import { expect } from 'chai'
import { agentOf, type ProbedKernel, shell, startProbedKernel } from '../sandbox/support/probed-kernel.js'
import { signUp } from '../support/api.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const bob = { username: 'bob', password: 'a long enough password' }

describe('the sandbox in the console', function () {
  this.timeout(90_000)
  let probed: ProbedKernel
  let agent: SandboxPrincipal
  let opened: ConsolePage

  before(async () => {
    probed = await startProbedKernel()
    agent = await agentOf(await signUp(probed.kernel.url, bob.username, bob.password), 'bob', { name: 'Runner' })
    opened = await openPage(probed.kernel, { credentials: bob, at: 'none' })
  })
  after(async () => {
    await opened?.close()
    await closeBrowser()
    await probed?.stop()
  })

  it('lists processes as they start and end, with an empty state before', async () => {
    const { page, open, inspect } = opened
    await open('/sandbox')
    await page.getByText('Nothing ran within the last hour').waitFor()
    expect(await inspect('sandbox-empty')).to.deep.equal([])
    const first = await shell(probed.sandbox, agent, 'read line; exit 3', { title: 'waits for a line' })
    const row = page.locator('.sandbox-process', { hasText: 'waits for a line' })
    await row.getByText('Running', { exact: true }).waitFor()
    await page.getByText('1 running').waitFor()
    await first.write(Buffer.from('\n'))
    await row.getByText('Ended with code 3').waitFor()
    const ended = await shell(probed.sandbox, agent, 'true', { title: 'ends well' })
    await ended.exited
    await page.locator('.sandbox-process', { hasText: 'ends well' }).getByText('Ended with code 0').waitFor()
    const running = await shell(probed.sandbox, agent, 'read line', { title: 'goes on' })
    await page.locator('.sandbox-process', { hasText: 'goes on' }).getByRole('button', { name: 'Stop goes on' }).waitFor()
    expect(await inspect('sandbox-processes')).to.deep.equal([])
    await page.getByText('Running', { exact: true }).first().click()
    await row.waitFor({ state: 'detached' })
    await page.locator('.sandbox-process', { hasText: 'goes on' }).waitFor()
    await running.stop()
  })

  it('says “Stopping” until the service has confirmed that a process has ended', async () => {
    const { page, context, open } = opened
    const process = await shell(probed.sandbox, agent, 'read line', { title: 'to be stopped' })
    await open('/sandbox')
    const row = page.locator('.sandbox-process', { hasText: 'to be stopped' })
    let confirm: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      confirm = resolve
    })
    await context.route('**/api/sandbox/processes/*/stop', async (route) => {
      await held
      await route.continue()
    })
    await row.getByRole('button', { name: 'Stop to be stopped' }).click()
    await row.getByText('Stopping', { exact: true }).waitFor()
    expect(process.view().endedAt).to.equal(null)
    confirm()
    await row.getByText('Stopped', { exact: true }).waitFor()
    expect(process.view().exit?.reason).to.equal('stopped')
    await context.unroute('**/api/sandbox/processes/*/stop')
  })

  it('shows output live, without what only a terminal draws, and goes on where an interruption was', async () => {
    const { page, context, open, inspect } = opened
    const script = `printf '\\033[31mred\\033[0m 10%%\\r20%%\\n'; read line; echo second; read line; echo third >&2`
    const process = await shell(probed.sandbox, agent, script, { title: 'writes lines' })
    // The first answer breaks off after one piece: what follows comes once.
    const wanted: (string | null)[] = []
    await context.route('**/output/stream*', async (route) => {
      wanted.push(new URL(route.request().url()).searchParams.get('from'))
      if (wanted.length > 1) return route.continue()
      const piece = { stream: 'stdout', from: 0, text: '\u001b[31mred\u001b[0m 10%\r20%\n' }
      return route.fulfill({ contentType: 'text/event-stream', body: `id: 21\nevent: output\ndata: ${JSON.stringify(piece)}\n\n` })
    })
    await open(`/sandbox/processes/${process.id}`)
    const log = page.locator('.log pre')
    await log.getByText('20%').waitFor()
    expect(await log.textContent()).to.equal('20%')
    await process.write(Buffer.from('\n'))
    await log.getByText('second').waitFor()
    await process.write(Buffer.from('\n'))
    await log.getByText('third').waitFor()
    await page.getByText('Ended with code 0').waitFor()
    expect(await log.textContent()).to.equal('20%\nsecond\nthird')
    expect(wanted).to.deep.equal(['0', '21'])
    await context.unroute('**/output/stream*')
    expect(await inspect('sandbox-process')).to.deep.equal([])
  })

  it('shows each way out with its state, and warns of nothing where all are closed', async () => {
    const { page, open } = opened
    await open('/sandbox/machine')
    await page.getByText('The code of agents is confined').waitFor()
    expect(await page.locator('.sandbox-fence').count()).to.equal(5)
    expect(await page.locator('.sandbox-fence').getByText('Closed', { exact: true }).count()).to.equal(5)
    expect(await page.locator('.sandbox-banner').count()).to.equal(0)
  })

  it('answers whether the code of an agent may connect to a destination, as the policies have it', async () => {
    const { page, open, inspect } = opened
    await open(`/sandbox/agents/${agent.id}`)
    await page.getByText(`workspaces/${agent.workspace}`).waitFor()
    await page.getByText('Everything public, except what a policy forbids.').waitFor()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Name a host or an address.').waitFor()
    const ask = async (host: string, answer: string): Promise<void> => {
      await page.getByLabel('Host').fill(host)
      await page.keyboard.press('Enter')
      await page.getByText(answer).waitFor()
    }
    await ask('example.org', 'May connect to example.org:443.')
    const forbid = 'forbid (principal, action == Action::"connect", resource) when { resource.host == "closed.example" };'
    await probed.under(forbid, () => ask('closed.example', 'May not connect to closed.example:443.'))
    expect(await inspect('sandbox-agent')).to.deep.equal([])
  })

  it('shows administrators what runs of all users and lets them end it, and nobody else', async () => {
    await opened.open('/sandbox')
    expect(await opened.page.getByRole('link', { name: 'All users' }).count()).to.equal(0)
    const process = await shell(probed.sandbox, agent, 'read line', { title: 'a secret title' })
    const admin = await openPage(probed.kernel, { credentials: { username: 'ada', password: bob.password }, at: 'none' })
    await admin.open('/sandbox/users')
    const row = admin.page.locator('.sandbox-process', { hasText: 'bob' })
    await row.waitFor()
    expect(await admin.page.getByText('a secret title').count()).to.equal(0)
    expect(await admin.inspect('sandbox-users')).to.deep.equal([])
    await row.getByRole('button').click()
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    expect(process.view().exit?.reason).to.equal('stopped')
    expect(admin.complaints).to.deep.equal([])
    await admin.close()
  })

  it('speaks German', async () => {
    const german = await openPage(probed.kernel, { credentials: bob, locale: 'de-DE', at: 'none' })
    await german.open('/sandbox/machine')
    await german.page.getByText('Der Code der Agenten ist abgeschottet').waitFor()
    await german.page.getByText('Wege hinaus').waitFor()
    // Where the machine leaves a way partly open, the driver's reason is German too.
    expect(await german.page.locator('.sandbox-fence p[lang="en"]').allInnerTexts()).to.deep.equal([])
    await german.close()
    expect(opened.complaints).to.deep.equal([])
  })
})
