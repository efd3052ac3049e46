import type { JsonObject } from '@agent-service/sdk'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { callsWith } from '../agents/support/asking-kernel.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const garden = { folder: 'garden' }
const asks = { tools: ['tool__write', 'tool__unsafe'], approval: { '*': 'first_time' } }

describe('approvals in the console', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  /** A model that makes these calls one after the other, and what has run. */
  function scripted(...given: readonly { readonly name?: string; readonly arguments: JsonObject }[]): readonly JsonObject[] {
    const ran: JsonObject[] = []
    setScript({
      answer(request) {
        const next = given[resultsIn(request).length]
        return next === undefined ? says('All is written.') : callsWith({ name: 'tool__write', ...next })
      },
      async tool(_name, input) {
        ran.push(input)
        return { content: [{ type: 'text', text: 'written' }] }
      },
    })
    return ran
  }
  const agentId = async (): Promise<string> => {
    const { items } = await callApi<{ readonly items: readonly { readonly id: string }[] }>(opened, 'GET', '/api/agents')
    return String(items[0]?.id)
  }
  const grants = async () => {
    const path = `/api/agents/${await agentId()}/grants`
    return (await callApi<{ readonly items: readonly { readonly tool: string; readonly label: string }[] }>(opened, 'GET', path)).items
  }
  const revokeAll = async (): Promise<void> => {
    for (const tool of new Set((await grants()).map((grant) => grant.tool)))
      await callApi(opened, 'DELETE', `/api/agents/${await agentId()}/grants/${tool}`)
  }
  afterEach(revokeAll)
  const card = () => opened.page.locator('.ask')
  const button = (name: string) => opened.page.getByRole('button', { name })

  it('allow what they say from now on, and nothing wider: the same kind runs unasked, another asks', async () => {
    const { page, inspect, complaints } = opened
    const other = { folder: 'cellar' }
    const ran = scripted({ arguments: garden }, { arguments: { ...garden, text: 'again' } }, { arguments: other })
    await openChat(opened, asks)
    await ask(opened, 'Write')
    await button('Always allow…').click()
    const labels = await card()
      .getByRole('radio')
      .evaluateAll((all) => all.map((each) => each.closest('label')?.textContent))
    expect(labels).to.deep.equal(['Exactly this call', 'Write into garden'])
    expect(await button('Approve and always allow this').isDisabled(), 'nothing is chosen before the person chooses').to.equal(true)
    expect(await inspect('approval-scopes')).to.deep.equal([])
    await page.getByRole('radio', { name: 'Write into garden' }).check()
    await button('Approve and always allow this').click()
    await page.getByText('Approved, and from now on without asking: Write into garden').waitFor()
    await card().getByText('"folder": "cellar"').waitFor()
    expect(ran).to.deep.equal([garden, { ...garden, text: 'again' }])
    expect((await grants()).map(({ label }) => label)).to.deep.equal(['Write into garden'])
    await button('Approve once').click()
    await page.getByText('All is written.').waitFor()
    await page.getByText('Approved once', { exact: true }).waitFor()
    expect(await grants()).to.have.length(1)
    await page.reload()
    await page.getByText('Approved, and from now on without asking: Write into garden').waitFor()
    await page.getByText('Approved once', { exact: true }).waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('are given and denied by keys only while the card has the focus, and never by Enter', async () => {
    const { page, complaints } = opened
    const ran = scripted({ arguments: garden })
    await openChat(opened, asks)
    await ask(opened, 'Write')
    await button('Always allow…').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('radio', { name: 'Exactly this call' }).and(page.locator(':focus')).waitFor()
    // Neither the key of an answer that is not shown, nor Enter, answers here.
    for (const key of ['a', 'Enter', 'd']) await page.keyboard.press(key)
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('radio', { name: 'Write into garden' }).isChecked()).to.equal(true)
    expect(await card().count()).to.equal(1)
    await button('Back').click()
    await button('Always allow…').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('d')
    await button('Deny').focus()
    await page.keyboard.press('a')
    await button('Back').click()
    await button('Deny…').and(page.locator(':focus')).waitFor()
    expect(ran).to.deep.equal([])
    await page.keyboard.press('a')
    await page.getByText('All is written.').waitFor()
    expect(ran).to.deep.equal([garden])
    expect(await grants()).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })

  it('show every character of what is approved, also those that a screen hides or reorders', async () => {
    const { page, inspect, complaints } = opened
    const text = 'a\u202egnp.exe\u200b\u2066\u0007\u0085\nb'
    scripted({ arguments: { folder: 'in\u202eside', text } })
    await openChat(opened, asks)
    await ask(opened, 'Write')
    const shown = await card().locator('pre').innerText()
    expect(shown.split('\n')).to.deep.equal([
      'tool__write {',
      '  "folder": "in<U+202E>side",',
      '  "text": "a<U+202E>gnp.exe<U+200B><U+2066>\\u0007<U+0085>\\nb"',
      '}',
    ])
    expect(await inspect('approval-hidden')).to.deep.equal([])
    await button('Always allow…').click()
    await page.getByRole('radio', { name: 'Write into in<U+202E>side' }).waitFor()
    await button('Back').click()
    await button('Approve once').click()
    await page.getByText('All is written.').waitFor()
    await page.locator('.tool-head').click()
    expect(await page.locator('.tool .out').first().innerText()).to.equal(shown.replace('tool__write ', ''))
    expect(await page.locator('.tool-head code').innerText()).to.equal('in<U+202E>side')
    expect(complaints).to.deep.equal([])
  })

  it('show every space of what is asked and of what was allowed', async () => {
    const { page } = opened
    const label = 'Delete anything in the folder “two  words”'
    scripted({ name: 'delete_file', arguments: { path: 'two  words/a' } })
    await openChat(opened, { ...asks, tools: ['delete_file'] })
    await ask(opened, 'Delete')
    await button('Always allow…').click()
    expect(await card().locator('h2').innerText()).to.equal('Delete two  words/a')
    expect(await card().locator('bdi').allInnerTexts()).to.include(label)
    await page.getByRole('radio', { name: label }).check()
    await button('Approve and always allow this').click()
    await page.getByText('All is written.').waitFor()
    expect(await page.locator('.chat-decision').innerText()).to.contain('two  words')
    await opened.open(`/agents/${await agentId()}`)
    await page.getByRole('tab', { name: 'Tools' }).click()
    expect(await page.locator('.agents-words > bdi').innerText()).to.equal(label)
  })

  it('cut no end of a long word, neither of what is asked nor of what was allowed', async () => {
    const { page } = opened
    const folder = 'm'.repeat(110)
    const scrolled = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => element.scrollWidth - element.clientWidth)
    scripted({ name: 'delete_file', arguments: { path: `${folder}/a` } })
    await openChat(opened, { ...asks, tools: ['delete_file'] })
    await ask(opened, 'Delete')
    await button('Always allow…').click()
    expect(await scrolled('.ask h2'), 'the heading').to.equal(0)
    await page.getByRole('radio', { name: `Delete anything in the folder “${folder}”` }).check()
    await button('Approve and always allow this').click()
    await page.getByText('All is written.').waitFor()
    await opened.open(`/agents/${await agentId()}`)
    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByText(`Delete anything in the folder “${folder}”`).waitFor()
    expect(await scrolled('.agents-words:has(bdi)'), 'the words').to.equal(0)
    expect(await scrolled('html'), 'the page').to.equal(0)
  })

  it('show long arguments in full', async () => {
    const { page } = opened
    scripted({ arguments: { folder: 'garden', text: `${'long '.repeat(8_000)}the end` } })
    await openChat(opened, asks)
    await ask(opened, 'Write')
    await card().locator('pre', { hasText: 'the end' }).waitFor()
    expect(await page.getByText('The arguments are longer than what is shown here.').count()).to.equal(0)
    await button('Approve once').click()
    await page.getByText('All is written.').waitFor()
  })

  it('that were given from now on are listed in words, and revoked one by one or all of a tool', async () => {
    const { page, context, open, inspect, complaints } = opened
    const calls = [garden, { folder: 'cellar' }, { folder: 'attic' }].map((given) => ({ arguments: given }))
    scripted(...calls, { name: 'tool__unsafe', arguments: {} })
    await openChat(opened, asks)
    await ask(opened, 'Write')
    for (const label of ['Write into garden', 'Write into cellar', 'Write into attic', 'Every call of this tool, whatever its arguments']) {
      await button('Always allow…').click()
      await page.getByRole('radio', { name: label }).check()
      await button('Approve and always allow this').click()
      await page.getByText(`Approved, and from now on without asking: ${label}`).waitFor()
    }
    await page.getByText('All is written.').waitFor()
    // A grant from before tools named kinds: what the service says of it is put in its mouth.
    await context.route('**/api/agents/*/grants?*', async (route) => {
      const response = await route.fetch()
      const { items, ...page } = (await response.json()) as { readonly items: readonly { readonly tool: string }[] }
      await route.fulfill({ response, json: { ...page, items: items.map((each) => ({ ...each, applies: each.tool !== 'tool__unsafe' })) } })
    })
    const id = await agentId()
    await open(`/agents/${id}`)
    await page.getByRole('tab', { name: 'Tools' }).click()
    const list = page.getByRole('region', { name: 'What it may do without asking' })
    const write = list.getByRole('region', { name: 'tool__write' })
    await write.getByRole('listitem').nth(2).waitFor()
    await list.getByRole('region', { name: 'tool__unsafe' }).getByText('Allows nothing any more').waitFor()
    expect(await write.getByText('Allows nothing any more').count()).to.equal(0)
    expect(await inspect('agent-grants')).to.deep.equal([])
    await button('Revoke the permission for tool__write: Write into cellar').click()
    await write.getByText('Write into cellar').waitFor({ state: 'detached' })
    const left = async () => (await grants()).map(({ label }) => label).sort()
    expect(await left()).to.deep.equal(['Every call of this tool, whatever its arguments', 'Write into attic', 'Write into garden'])
    await button('Revoke all permissions for tool__write').click()
    await write.waitFor({ state: 'detached' })
    expect(await left()).to.deep.equal(['Every call of this tool, whatever its arguments'])
    await context.unroute('**/api/agents/*/grants?*')
    expect(complaints).to.deep.equal([])
  })
})
