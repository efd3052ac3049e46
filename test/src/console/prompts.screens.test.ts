import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import { messageField, saidOn } from './support/chat-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const translate = { command: 'translate', title: 'Translate a text', text: 'Into {{language=German}}:\n{{text}}' }

describe('saved prompts in the console', function () {
  this.timeout(90_000)
  let agents: AgentsKernel
  let person: Person
  let opened: ConsolePage

  before(async () => {
    setScript({ answer: () => says('Yes.') })
    agents = await startAgentsKernel()
    person = await agents.person('ada')
    opened = await openPage(agents.kernel, { credentials: ada, at: 'none' })
  })
  after(async () => {
    await opened?.close()
    await closeBrowser()
    await agents?.close()
  })

  it('are made by the person, and shared with everyone', async () => {
    const { page, open, inspect } = opened
    await open('/prompts')
    await page.getByText('No prompts yet').waitFor()
    expect(await inspect('prompts-none')).to.deep.equal([])
    await page.getByRole('button', { name: 'New prompt' }).click()
    await page.getByLabel('Title', { exact: true }).fill(translate.title)
    await page.getByLabel('Command', { exact: true }).fill('Not one')
    await page.getByLabel('Text', { exact: true }).fill(translate.text)
    await page.getByRole('checkbox', { name: 'For everyone' }).check()
    await page.getByRole('button', { name: 'Save prompt' }).click()
    await page.locator('.help.err').waitFor()
    expect(await inspect('prompts-new')).to.deep.equal([])
    await page.getByLabel('Command', { exact: true }).fill('translate')
    await page.getByRole('button', { name: 'Save prompt' }).click()
    await page.locator('.prompts-row').filter({ hasText: '/translate' }).filter({ hasText: 'For everyone' }).waitFor()
    expect(await inspect('prompts')).to.deep.equal([])
    const { body } = await (await agents.person('bea')).request('GET', '/api/prompts')
    const seen = (body['items'] as readonly { readonly command: string; readonly own: boolean }[]).map(({ command, own }) => ({
      command,
      own,
    }))
    expect(seen).to.deep.equal([{ command: 'translate', own: false }])
  })

  it('are put into a message by the keyboard, filled in, as text alone', async () => {
    const { page, inspect } = opened
    await person.request('POST', '/api/prompts', { command: 'hello-there', title: 'Hello', text: 'Hello.' })
    await openChat(opened)
    const field = messageField(page)
    await field.pressSequentially('/')
    const list = page.getByRole('listbox', { name: 'Commands' })
    await list.waitFor()
    const active = async (): Promise<string> => page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`).innerText()
    expect(await active()).to.contain('/hello-there')
    expect(await field.getAttribute('aria-controls')).to.equal(await list.getAttribute('id'))
    expect(await inspect('prompts-slash')).to.deep.equal([])
    await field.press('ArrowDown')
    expect(await active()).to.contain('/translate')
    await field.press('ArrowUp')
    await field.press('ArrowUp')
    expect(await active()).to.contain('/attach')
    await field.pressSequentially('tr')
    expect(await active()).to.contain('/translate')
    await field.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Translate a text' })
    await dialog.waitFor()
    expect(await dialog.getByLabel('language').inputValue()).to.equal('German')
    expect(await inspect('prompts-variables')).to.deep.equal([])
    await dialog.getByLabel('text').fill('<b>{{date}}</b>')
    await dialog.getByLabel('text').press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await field.inputValue()).to.equal('Into German:\n<b>{{date}}</b>')
    await page.locator('.composer textarea:focus').waitFor()
    await field.press('Enter')
    await page.getByText('Yes.').first().waitFor()
    expect((await saidOn(page)).at(-1)).to.equal('Into German:\n<b>{{date}}</b>')
    const [first] = (await person.request('GET', '/api/prompts?order=used')).body['items'] as readonly { readonly command: string }[]
    expect(first?.command).to.equal('translate')
  })

  it('leave the text to the person: Escape closes, and what is no command is sent as it was typed', async () => {
    const { page } = opened
    const field = messageField(page)
    const list = page.getByRole('listbox', { name: 'Commands' })
    await field.pressSequentially('/tr')
    await list.waitFor()
    await field.press('Escape')
    await list.waitFor({ state: 'detached' })
    await field.pressSequentially('a')
    expect([await field.inputValue(), await list.count()]).to.deep.equal(['/tra', 0])
    await field.fill('')
    await field.pressSequentially('Hello')
    await field.press('Shift+Enter')
    await field.pressSequentially('/hel')
    await list.waitFor()
    await field.press('Tab')
    await list.waitFor({ state: 'detached' })
    await eventually(async () => expect(await field.inputValue()).to.equal('Hello\nHello.'))
    await field.fill('')
    await field.pressSequentially('/etc/hosts')
    expect(await list.count()).to.equal(0)
    await field.press('Enter')
    await page.locator('.turn.you').filter({ hasText: '/etc/hosts' }).waitFor()
    await field.pressSequentially('/att')
    await list.waitFor()
    const chooser = page.waitForEvent('filechooser')
    await field.press('Enter')
    await chooser
    expect(await field.inputValue()).to.equal('')
  })

  it('fit a narrow screen, above the field', async () => {
    const { page } = opened
    const size = page.viewportSize()
    await page.setViewportSize({ width: 360, height: 640 })
    try {
      const field = messageField(page)
      await field.pressSequentially('/')
      const pop = page.locator('.slash-pop')
      await pop.waitFor()
      const [list, text] = [await pop.boundingBox(), await field.boundingBox()]
      expect(list?.x).to.be.at.least(0)
      expect((list?.x ?? 0) + (list?.width ?? 0)).to.be.at.most(360)
      expect((list?.y ?? 0) + (list?.height ?? 0)).to.be.at.most(text?.y ?? 0)
      await field.press('Escape')
      await field.fill('')
    } finally {
      if (size) await page.setViewportSize(size)
    }
  })

  it('take no other line of the list away when they cannot be read', async () => {
    const { page, context } = opened
    const refused = { code: 'forbidden', title: 'Forbidden', status: 403, detail: 'No prompts today.' }
    await context.route('**/api/prompts?*', (route) =>
      route.fulfill({ status: 403, contentType: 'application/problem+json', body: JSON.stringify(refused) }),
    )
    try {
      const field = messageField(page)
      await field.pressSequentially('/')
      const list = page.getByRole('listbox', { name: 'Commands' })
      await list.waitFor()
      expect(await list.getByRole('option').allInnerTexts()).to.satisfy((lines: readonly string[]) => lines[0]?.includes('/new'))
      await page.locator('.toast').filter({ hasText: 'No prompts today.' }).waitFor()
      await field.press('Escape')
      await field.fill('')
    } finally {
      await context.unroute('**/api/prompts?*')
    }
  })
})
