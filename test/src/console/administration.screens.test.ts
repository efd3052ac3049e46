import { readFile } from 'node:fs/promises'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { loggerToken } from '@agent-service/kernel-core/process'
import { expect } from 'chai'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const bob = { username: 'bob', password: 'another long password' }
const canary = 'svc_pat_canaryCanaryCanaryCanaryCanaryCanary'

describe('audit log, log and health in the console', function () {
  this.timeout(120_000)
  let kernel: TestKernel
  let admin: ConsolePage
  let user: ConsolePage
  before(async () => {
    kernel = await createTestKernel()
    admin = await openPage(kernel, { credentials: ada, at: 'none' })
    user = await openPage(kernel, { credentials: bob })
    admin.page.setDefaultTimeout(15_000)
  })
  after(async () => {
    await admin.close()
    await user.close()
    await closeBrowser()
    await kernel.stop()
  })

  const logIn = (password: string): Promise<unknown> =>
    user.page.evaluate(
      async (body) => {
        await fetch('/api/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      },
      JSON.stringify({ username: 'bob', password }),
    )
  const logger = () => kernel.container.resolve(loggerToken)

  it('lists who did what, filters it, and shows an entry with its request', async () => {
    const { page, open, inspect, complaints } = admin
    await logIn('not the password')
    await open('/admin/audit')
    const failed = page.getByRole('button', { name: /Sign-in failed/ })
    await failed.waitFor()
    expect(await inspect('audit')).to.deep.equal([])
    await page.getByLabel('Outcome').selectOption('failed')
    await page
      .getByRole('button', { name: /Account created/ })
      .first()
      .waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('')
    await page.getByLabel('Relation').selectOption('subject')
    await page.getByLabel('Person').fill('bob')
    await page.locator('.audit-row', { hasText: 'ada' }).first().waitFor({ state: 'detached' })
    await failed.waitFor()
    await page.getByLabel('Person').fill('nobody-of-this-name')
    await page.getByText('No account has this username.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await failed.focus()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Sign-in failed' })
    await sheet.getByText('sign_in.failed').waitFor()
    expect(await inspect('audit-entry')).to.deep.equal([])
    const request = await sheet
      .locator('dd', { hasText: /^[0-9a-f-]{36}$/ })
      .first()
      .innerText()
    await sheet.getByRole('link', { name: 'Show in the log' }).click()
    await page.getByRole('heading', { name: 'Log', exact: true }).waitFor()
    expect(await page.getByLabel('Search').inputValue()).to.equal(request)
    await page.locator('.logs-line').first().waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('exports what the filters leave', async () => {
    const { page, open } = admin
    await open('/admin/audit')
    await page.getByLabel('Action').selectOption('account.created')
    await page.getByRole('button', { name: /Sign-in failed/ }).waitFor({ state: 'detached' })
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()])
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines).to.have.length(3)
    expect(lines[0]).to.match(/^at,kind,outcome,actor_name,/)
    expect(lines.slice(1).every((line) => line.includes('account.created,succeeded'))).to.equal(true)
  })

  it('follows the log live, filters it, pauses, and shows no secret', async () => {
    const { page, open, inspect, complaints } = admin
    await open('/admin/logs')
    await page.locator('.logs-line').first().waitFor()
    logger().child({ plugin: 'tool-lamp' }).warn(`The lamp flickers: Bearer ${canary}.`, { token: canary, room: 'attic' })
    logger()
      .child({ plugin: 'tool-lamp' })
      .error('The lamp broke.', { error: new Error('glass') })
    await page.getByText('The lamp broke.').waitFor()
    expect(await page.content()).to.not.include(canary)
    expect(await inspect('logs')).to.deep.equal([])
    await page.getByLabel('Source').selectOption('tool-lamp')
    await page.locator('.logs-source', { hasText: 'http' }).first().waitFor({ state: 'detached' })
    await page.getByLabel('Level').selectOption('error')
    await page.getByText('The lamp flickers').waitFor({ state: 'detached' })
    await page.getByText('The lamp broke.').click()
    await page.getByText('Error: glass').first().waitFor()
    expect(await inspect('logs-entry')).to.deep.equal([])
    await page.getByRole('button', { name: 'Pause' }).click()
    logger().child({ plugin: 'tool-lamp' }).error('The lamp burns.')
    await page.getByRole('button', { name: 'Continue (1 new line)' }).click()
    await page.getByText('The lamp burns.').waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('shows what runs and what to do, and runs the checks again', async () => {
    const { page, open, inspect, complaints } = admin
    await open('/admin/health')
    await page.getByText('sqlite is writable').waitFor()
    await page.getByText('No model can be called.', { exact: true }).waitFor()
    const checks = page.locator('.health-check')
    await checks.filter({ hasText: 'Database' }).getByText('Well').waitFor()
    expect(await inspect('health')).to.deep.equal([])
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/api/admin/health/checks')),
      page.getByRole('button', { name: 'Run again' }).click(),
    ])
    expect(answer.status()).to.equal(200)
    expect(complaints).to.deep.equal([])
  })

  it('is in German too', async () => {
    const german = await openPage(kernel, { credentials: ada, locale: 'de-DE', at: 'none' })
    for (const [path, heading] of [
      ['audit', 'Prüfprotokoll'],
      ['logs', 'Log'],
      ['health', 'Zustand'],
    ]) {
      await german.open(`/admin/${path}`)
      await german.page.getByRole('heading', { name: heading ?? '', level: 1 }).waitFor()
      await german.page.locator('.audit-row, .logs-line, .health-check').first().waitFor()
      expect(await german.inspect(`${path}-german`)).to.deep.equal([])
    }
    await german.close()
  })

  it('is for administrators alone', async () => {
    for (const path of ['/admin/audit', '/admin/logs', '/admin/health']) {
      await user.page.goto(path)
      await user.page.getByText('For admins only').waitFor()
    }
    const statuses = await user.page.evaluate(async () => {
      const get = ['/api/admin/audit', '/api/admin/logs', '/api/admin/logs/stream', '/api/admin/health']
      const answers = [...get.map((path) => fetch(path)), fetch('/api/admin/health/checks', { method: 'POST' })]
      return (await Promise.all(answers)).map(({ status }) => status)
    })
    expect(statuses).to.deep.equal([403, 403, 403, 403, 403])
  })
})
