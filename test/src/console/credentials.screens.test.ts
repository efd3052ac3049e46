import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { type ConsolePage, closeBrowser, looks, openPage, refusalReport } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const secret = 'ghp_console_canary_secret'
const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

async function* asksForGithub(): AsyncGenerator<ModelEvent> {
  const call = {
    call_id: 'vendor-0',
    name: 'request_credential',
    arguments: { credential: 'github', purpose: 'To open the pull request.' },
  }
  yield { type: 'response.started' }
  yield { type: 'tool_call.started', part: 0, provider_call_id: call.call_id, name: call.name }
  yield { type: 'tool_call.delta', part: 0, arguments_text: JSON.stringify(call.arguments) }
  yield { type: 'response.finished', content: [{ type: 'tool_call', ...call }], stop_reason: 'tool_calls', usage }
}

describe('credentials in the console', function () {
  this.timeout(90_000)
  let agents: AgentsKernel
  let person: Person
  let opened: ConsolePage

  before(async () => {
    setScript({ answer: (request) => (resultsIn(request).length === 0 ? asksForGithub() : says('It is open.')) })
    agents = await startAgentsKernel()
    person = await agents.person(ada.username)
    await person.request('PATCH', `/api/agents/${person.agentId}`, { name: 'Assistant', tools: ['request_credential'] })
    await person.request('POST', '/api/agents', { handle: 'clerk', name: 'Clerk' })
    opened = await openPage(agents.kernel, { credentials: ada, at: 'none' })
  })
  after(async () => {
    await closeBrowser()
    await agents?.close()
  })

  it('are kept without being shown again, granted in a matrix of agents, and followed live', async () => {
    const { page, open, inspect } = opened
    await open('/credentials')
    await page.getByText('No credentials yet').waitFor()
    await page.getByRole('button', { name: 'Add credential' }).click()
    const form = page.getByRole('dialog', { name: 'Add credential' })
    await form.getByLabel('Title').fill('GitHub')
    expect(await form.getByLabel('Name for agents').inputValue()).to.equal('github')
    await form.getByLabel('Value', { exact: true }).fill('short')
    await form.getByRole('button', { name: 'Add a field' }).click()
    const second = form.getByRole('group', { name: 'Field 2' })
    await second.getByLabel('Name of the field').fill('user')
    await second.getByLabel('Secret').uncheck()
    await second.getByLabel('Value', { exact: true }).fill('ada')
    await form.getByRole('button', { name: 'Add credential' }).click()
    await form.getByText('Enter at least 6 characters').waitFor()
    await page.keyboard.press('Escape')
    expect(await second.getByLabel('Value', { exact: true }).inputValue()).to.equal('ada')
    const first = form.getByRole('group', { name: 'Field 1' })
    await first.getByLabel('Value', { exact: true }).fill(secret)
    await first.getByText('Where programs find it').click()
    await first.getByLabel('Variable', { exact: true }).fill('PATH')
    await form.getByRole('button', { name: 'Add credential' }).click()
    await first.getByText('must not be “PATH”').waitFor()
    expect(await inspect('credentials-add')).to.deep.equal([])
    await first.getByLabel('Variable', { exact: true }).fill('GH_TOKEN')
    await form.getByRole('button', { name: 'Add credential' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText('Secret: token').waitFor()
    await page.getByText('Not secret: user (ada)').waitFor()
    await page.getByText('No agent may use it').waitFor()
    expect(await page.content()).not.to.contain(secret)

    await page.getByRole('link', { name: 'Grants' }).click()
    await page.getByRole('button', { name: 'Grant GitHub to Clerk' }).focus()
    await page.keyboard.press('Enter')
    const grant = page.getByRole('dialog', { name: 'Grant GitHub' })
    await grant.getByLabel('How long').selectOption({ label: 'For good' })
    await grant.getByLabel('Choose the variables myself').check()
    expect(await grant.getByLabel('Variable of token', { exact: true }).inputValue()).to.equal('GH_TOKEN')
    expect(await inspect('credentials-grant')).to.deep.equal([])
    await grant.getByLabel('Variable of token', { exact: true }).fill('CLERKS_TOKEN')
    await grant.getByRole('button', { name: 'Grant', exact: true }).click()
    await page.getByRole('button', { name: 'GitHub for Clerk: For good' }).waitFor()
    const [made] = (await person.request('GET', '/api/credentials/grants')).body['items'] as readonly Record<string, unknown>[]
    expect(made).to.deep.include({ agent: 'clerk', name: 'github', once: false, expires_at: null })
    expect(made?.['fields']).to.deep.equal([
      { name: 'token', secret: true, variable: 'CLERKS_TOKEN', as: 'value' },
      { name: 'user', secret: false, variable: 'GITHUB_USER', as: 'value' },
    ])
    await person.request('PATCH', `/api/credentials/grants/${String(made?.['id'])}`, { once: true })
    await page.getByRole('button', { name: 'GitHub for Clerk: Once' }).click()
    const change = page.getByRole('dialog', { name: 'GitHub for Clerk' })
    await change.getByText('Never used.').waitFor()
    await change.getByLabel('How long').selectOption({ label: 'One day' })
    await change.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /^GitHub for Clerk: Ends in 24 hours/ }).waitFor()
    expect(await inspect('credentials-matrix')).to.deep.equal([])
    await page.getByRole('button', { name: /^GitHub for Clerk/ }).click()
    await change.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Grant GitHub to Clerk' }).waitFor()
  })

  it('show agents that wait for one, and then who did what in which chat', async () => {
    const { page, open, inspect } = opened
    await open('/credentials')
    const chatId = await person.newChat()
    const stream = await person.stream()
    const runId = await person.post(chatId, 'Open the pull request.')
    const asking = page.getByRole('region', { name: 'Agents that wait for a credential' })
    await asking.getByText('To open the pull request.').waitFor()
    await asking.getByText('Assistant asks for “github”').waitFor()
    expect(await asking.getByRole('link', { name: 'Answer in the chat' }).getAttribute('href')).to.equal(`/chats/${chatId}`)
    expect(await inspect('credentials')).to.deep.equal([])
    const waiting = (await person.request('GET', '/api/approvals?status=pending')).body['items'] as readonly { readonly call_id: string }[]
    await person.request('POST', `/api/runs/${runId}/approvals/${waiting[0]?.call_id}`, { decision: 'answer', note: 'One hour' })
    await endOf(stream, runId)
    stream.close()
    await asking.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'One agent may use it' }).waitFor()

    await page.getByRole('link', { name: 'Access log' }).click()
    const log = page.getByRole('list', { name: 'Access log' })
    await log.getByText('Asked for it').waitFor()
    expect(await log.getByRole('link', { name: 'Chat' }).first().getAttribute('href')).to.equal(`/chats/${chatId}`)
    expect(await log.getByText('Revoked').count()).to.equal(1)
    expect(await inspect('credentials-log')).to.deep.equal([])
    await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'Clerk' })
    await log.getByText('Asked for it').waitFor({ state: 'detached' })
    expect(await log.getByText('Revoked').count()).to.equal(1)
    await page.getByRole('combobox', { name: 'Credentials' }).selectOption({ label: 'github' })
    await log.getByText('Clerk').first().waitFor()
    expect(opened.complaints).to.deep.equal([refusalReport(422, 'Unprocessable Entity')])
  })

  it('are rotated and deleted with what it stops, also in German on a phone', async () => {
    const phone = await openPage(agents.kernel, { credentials: ada, at: 'none', locale: 'de-DE', look: looks[3] })
    const { page, open, inspect } = phone
    await open('/credentials/grants')
    await page.getByRole('button', { name: /^GitHub für Assistent: Endet in/ }).waitFor()
    expect(await inspect('credentials-matrix-german')).to.deep.equal([])
    await page.getByRole('link', { name: 'Zugangsdaten', exact: true }).last().click()
    const menu = page.getByRole('button', { name: 'Aktionen für GitHub' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Werte ersetzen' }).click()
    const replace = page.getByRole('dialog', { name: 'Die Werte von GitHub ersetzen' })
    const value = replace.getByRole('group', { name: 'Feld 1' }).getByLabel('Wert', { exact: true })
    expect(await value.inputValue()).to.equal('')
    expect(await replace.getByRole('group', { name: 'Feld 2' }).getByLabel('Wert', { exact: true }).inputValue()).to.equal('ada')
    await value.fill('ghp_another_console_secret')
    expect(await inspect('credentials-replace-german')).to.deep.equal([])
    await replace.getByRole('button', { name: 'Ersetzen' }).click()
    await page.getByText('Die Werte von GitHub wurden ersetzt.').first().waitFor()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Löschen' }).click()
    await page.getByText('Diese Agenten verlieren sie sofort: Assistent.').waitFor()
    await page.getByRole('button', { name: 'Löschen', exact: true }).click()
    await page.getByText('Noch keine Zugangsdaten').waitFor()
    expect((await person.request('GET', '/api/credentials/grants')).body['items']).to.deep.equal([])
    expect(phone.complaints).to.deep.equal([])
    await phone.close()
  })
})
