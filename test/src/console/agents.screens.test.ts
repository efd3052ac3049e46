import { fileURLToPath } from 'node:url'
import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/** Calls the API as the page's person, as another device would. */
const call = (page: ConsolePage['page'], method: string, path: string, body?: unknown): Promise<Record<string, unknown>> =>
  page.evaluate(
    async ([verb, address, text]) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(address ?? '', { method: verb ?? 'GET', headers, ...(text !== undefined && { body: text }) })
      if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}.`)
      return (await answer.json()) as Record<string, unknown>
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)],
  )

describe('the agents of the console', function () {
  this.timeout(90_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel({
      plugins: [fileURLToPath(new URL('../../../examples/provider-scripted', import.meta.url))],
      environment: {
        SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
        SERVICE_MODELS: JSON.stringify({ primary: { provider: 'demo', model: 'scripted', api: 'scripted' } }),
      },
    })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('are created, changed, compared, restored and deleted', async () => {
    const { page, open, inspect, complaints, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/agents')
    await page.getByRole('button', { name: 'New agent' }).click()
    const dialog = page.getByRole('dialog', { name: 'New agent' })
    await dialog.getByRole('button', { name: 'Create agent' }).click()
    await dialog.getByText('Fill in this field.').waitFor()
    await dialog.getByLabel('Name').fill('Ops')
    await dialog.getByLabel('Instructions').fill('You keep our servers healthy.\nRead logs before you guess.')
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Create agent' }).click()
    await page.getByRole('heading', { name: 'Ops', level: 1 }).waitFor()
    expect(await page.title()).to.equal('Ops · Agent Service')

    await page.getByText('scripted from demo').waitFor()
    expect(await inspect('agent-new')).to.deep.equal([])
    await page.getByLabel('Description').fill('Looks after servers, backups and certificates.')
    await page
      .getByLabel('Instructions')
      .fill('You keep our servers healthy.\nRead logs before you guess.\nPrefer small, reversible steps.')
    await page.getByLabel('Network in the sandbox').uncheck()
    await page.getByText('3 changes are not saved').waitFor()
    expect(await inspect('agent-profile')).to.deep.equal([])
    await page.getByRole('button', { name: 'Compare with 1' }).click()
    const comparison = page.getByRole('dialog', { name: 'Compare with 1' })
    await comparison.locator('ins', { hasText: 'Prefer small, reversible steps.' }).waitFor()
    expect(await inspect('agent-compare')).to.deep.equal([])
    await page.keyboard.press('Escape')

    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByLabel('When to ask before a tool runs').selectOption('first_time')
    const tool = page.locator('.agents-tool').first()
    await tool.getByRole('combobox').selectOption('always')
    expect(await inspect('agent-tools')).to.deep.equal([])
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2.').first().waitFor()
    expect(await page.locator('.agents-save').count()).to.equal(0)

    const id = new URL(page.url()).pathname.split('/').at(-1)
    const saved = await call(page, 'GET', `/api/agents/${id}`)
    expect(saved['sandbox']).to.deep.equal({ network: false })
    expect(saved['approval']).to.include({ '*': 'first_time' })
    await tool.getByRole('combobox').selectOption('')
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('Saved as version 3.').first().waitFor()
    expect((await call(page, 'GET', `/api/agents/${id}`))['approval']).to.deep.equal({ '*': 'first_time' })

    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'Changes of version 2' }).click()
    await page.locator('ins', { hasText: 'Prefer small, reversible steps.' }).waitFor()
    expect(await inspect('agent-versions')).to.deep.equal([])
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await page.getByText('Version 1 is back, as version 4.').first().waitFor()
    expect((await call(page, 'GET', `/api/agents/${id}`))['sandbox']).to.deep.equal({ network: true })

    await open('/agents')
    await page.getByRole('link', { name: 'Ops' }).first().waitFor()
    expect(await inspect('agents')).to.deep.equal([])
    await page.locator('#main').getByRole('link', { name: 'Ops' }).first().click()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete Ops' }).click()
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
    await page.getByText('Ops was deleted.').first().waitFor()
    expect(await page.locator('#main').getByRole('link', { name: 'Ops' }).count()).to.equal(0)
    expect(complaints).to.deep.equal([])
    await close()
  })

  it('that were saved elsewhere are merged: what only one side changed stays, and a person decides the rest', async () => {
    const { page, open, inspect, close } = await openPage(kernel, { credentials: ada, at: 'none' })
    await open('/agents')
    const { id } = await call(page, 'POST', '/api/agents', { name: 'Desk', instructions: 'Answer briefly.' })
    await open(`/agents/${id}`)
    await page.getByLabel('Instructions').fill('Answer briefly and kindly.')
    await page.getByLabel('Avatar').fill('D')
    await call(page, 'PATCH', `/api/agents/${id}`, { instructions: 'Answer at length.', description: 'The front desk.' })
    await page.getByRole('button', { name: 'Save 2 changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'The agent changed in the meantime' })
    await dialog.waitFor()
    expect(await inspect('agent-stale')).to.deep.equal([])
    await page.keyboard.press('Escape')
    expect(await page.getByLabel('Instructions').inputValue()).to.equal('Answer briefly and kindly.')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await dialog.getByText('Version 2', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Continue with this' }).click()
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await page.getByText('Saved as version 3.').first().waitFor()
    const saved = await call(page, 'GET', `/api/agents/${id}`)
    expect(saved).to.include({ instructions: 'Answer at length.', description: 'The front desk.', avatar: 'D' })
    await close()
  })

  it('show at the field what the service refuses, keep what was typed, and ask before it is left', async () => {
    const { page, open, close } = await openPage(kernel, { credentials: ada, locale: 'de-DE', at: 'none' })
    await open('/agents')
    const { id } = await call(page, 'POST', '/api/agents', { name: 'Form' })
    await open(`/agents/${id}`)
    await page.getByLabel('Kürzel').fill('Not A Handle')
    await page.getByRole('button', { name: '1 Änderung speichern' }).click()
    await page.locator('.field', { hasText: 'Kürzel' }).locator('.help.err').waitFor()
    expect(await page.getByLabel('Kürzel').inputValue()).to.equal('Not A Handle')
    await page.locator('nav.side').getByRole('link', { name: 'Start' }).click()
    await page.getByRole('button', { name: 'Hier bleiben' }).click()
    expect(await page.getByLabel('Kürzel').inputValue()).to.equal('Not A Handle')
    await page.getByRole('button', { name: 'Verwerfen' }).click()
    expect(await page.getByLabel('Kürzel').inputValue()).to.equal('form')
    await page
      .getByRole('button', { name: 'Undo' })
      .or(page.getByRole('button', { name: 'Rückgängig' }))
      .click()
    expect(await page.getByLabel('Kürzel').inputValue()).to.equal('Not A Handle')
    await close()
  })
})
