import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { callsWith } from '../agents/support/asking-kernel.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/** What the start page and the sidebar read as lists. */
const lists = ['/api/spaces', '/api/agents', '/api/models', '/api/approvals']

const rich = [
  'Text with `code` and a [link](https://example.org/).',
  '```ts\nconst one: number = 1\n```',
  '| One | Two |\n| --- | --: |\n| a | 1 |',
  'With $x^2$ and\n\n$$\n\\frac{1}{2}\n$$',
  '```mermaid\nflowchart TD\n  A --> B\n```',
].join('\n\n')

describe('how a chat of the console looks', function () {
  this.timeout(180_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: ada })
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  it('empty, and with code, a table, formulas, a diagram, a file, a failed answer and an approval', async () => {
    const { page, inspect, complaints } = opened
    let asked = ''
    setScript({
      async *answer(request) {
        const done = resultsIn(request).length
        if (asked === 'fail')
          throw providerError.create({
            failure: 'quota_exceeded',
            retryable: false,
            connection: request.connection.handle,
            model: request.model,
            reason: 'The credit of this key is used up.',
          })
        if (asked === 'approve') yield* callsWith({ name: 'tool__write', arguments: { folder: 'garden' } })
        else if (done === 0) yield* callsWith({ name: 'write_file', arguments: { path: 'report.md', content: '# Report' } })
        else yield* says(rich)
      },
    })
    await openChat(opened, { tools: ['write_file', 'tool__write'], approval: { write_file: 'never', '*': 'always' } })
    expect(await inspect('chat-empty')).to.deep.equal([])
    await ask(opened, 'Everything')
    await page.locator('.diagram-picture img').waitFor()
    await page.getByRole('region', { name: 'Files that were made' }).waitFor()
    asked = 'fail'
    await ask(opened, 'Fail')
    await page.locator('.chat-failed').waitFor()
    asked = 'approve'
    await ask(opened, 'Ask me')
    await page.locator('.ask').waitFor()
    expect(await inspect('chat-everything')).to.deep.equal([])
    await page.locator('.turn').first().scrollIntoViewIfNeeded()
    expect(await inspect('chat-everything-top')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })

  it('temporary, which outlasts a reload, then kept, deleted and restored', async () => {
    const { page, open, inspect, complaints } = opened
    setScript({ answer: () => says('Rhubarb it is.') })
    const inList = page.locator('nav.side section a.nav', { hasText: 'Which secret fruit?' })
    const note = page.getByText('Temporary chat: in no list')
    await open('/')
    await page.getByRole('button', { name: 'New temporary chat' }).click()
    await page.getByRole('button', { name: 'Temporary chat', exact: true, pressed: true }).waitFor()
    expect(await inspect('home-temporary')).to.deep.equal([])
    await page.getByRole('textbox', { name: 'What should get done?' }).fill('Which secret fruit?')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/chats\/[0-9a-f-]{36}$/)
    await page.getByText('Rhubarb it is.').waitFor()
    await page.reload()
    await note.waitFor()
    await page.getByText('Rhubarb it is.').waitFor()
    expect(await inspect('chat-temporary')).to.deep.equal([])
    expect(await inList.count()).to.equal(0)
    await page.getByRole('button', { name: 'Keep this chat' }).click()
    await note.waitFor({ state: 'detached' })
    await inList.waitFor()
    await page.locator('.chat > .bar').getByRole('button', { name: 'Actions of this chat' }).click()
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await page.waitForURL(/\/$/)
    await inList.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New chat', exact: true }).click()
    await page.getByRole('button', { name: 'Temporary chat', exact: true, pressed: false }).waitFor()
    await open('/chats?deleted=true')
    await page.getByRole('button', { name: 'Restore Which secret fruit?' }).waitFor()
    expect(await inspect('chats-deleted')).to.deep.equal([])
    await page.getByRole('button', { name: 'Restore Which secret fruit?' }).click()
    await inList.waitFor()
    expect(complaints).to.deep.equal([])
  })

  it('and the start page where lists cannot be read', async () => {
    const { page, open, context, inspect, complaints } = opened
    await callApi(opened, 'POST', '/api/spaces', { name: 'Garden' })
    let isBroken = true
    await context.route(
      (url) => lists.includes(url.pathname),
      (route) => (isBroken ? route.abort() : route.continue()),
    )
    await open('/')
    await page.locator('.composer').getByText('Agents could not be read.').waitFor()
    await page.locator('nav.side section', { hasText: 'Spaces' }).getByRole('alert').waitFor()
    expect(await inspect('read-failures')).to.deep.equal([])
    isBroken = false
    await page.evaluate("for (const each of document.querySelectorAll('button')) if (each.textContent.trim() === 'Try again') each.click()")
    await page.locator('nav.side a', { hasText: 'Garden' }).waitFor()
    await page.locator('.composer .pick').waitFor()
    // The browser itself reports the requests that fail.
    expect(complaints.filter((text) => text.startsWith('uncaught'))).to.deep.equal([])
  })
})
