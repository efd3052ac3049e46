import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, callApi, onePixel, openChat, uploaded } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const picture = { name: 'plan.png', mimeType: 'image/png', buffer: onePixel }
const evil = { name: 'evil.html', mimeType: 'text/html', buffer: Buffer.from('<script>document.title = "hijacked"</script>') }

/** Gives files to the page as a drop or a paste does. */
const give = ({ page }: ConsolePage, kind: 'drop' | 'paste', name: string, text: string): Promise<void> =>
  page.evaluate(
    ([way, fileName, content]) => {
      const scope = globalThis as unknown as {
        readonly document: { querySelector(selector: string): { dispatchEvent(event: unknown): boolean } }
        readonly DataTransfer: new () => { readonly items: { add(file: unknown): void } }
        readonly DragEvent: new (type: string, init: object) => unknown
        readonly ClipboardEvent: new (type: string, init: object) => unknown
        readonly File: new (parts: readonly string[], name: string, init: object) => unknown
      }
      const transfer = new scope.DataTransfer()
      transfer.items.add(new scope.File([content], fileName, { type: 'text/plain' }))
      if (way === 'drop') {
        const event = new scope.DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
        scope.document.querySelector('.chat').dispatchEvent(event)
      } else {
        const event = new scope.ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
        scope.document.querySelector('.composer .text').dispatchEvent(event)
      }
    },
    [kind, name, text] as const,
  )

describe('attachments in the chat of the console', function () {
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

  it('are picked, dropped and pasted, reach the agent, and are shown in the history', async () => {
    const { page, inspect, complaints } = opened
    const script = setScript({ answer: () => says('I see them.') })
    const id = await openChat(opened)
    await page.locator('.composer input[type=file]').setInputFiles([picture, evil])
    await give(opened, 'drop', 'notes.txt', 'Milk and bread')
    await give(opened, 'paste', 'notes.txt', 'Another list')
    await uploaded(page, 4)
    expect(await page.locator('.composer .file-thumb').count()).to.equal(1)
    expect(await inspect('chat-attach')).to.deep.equal([])
    await page.getByRole('button', { name: 'Remove notes.txt' }).last().click()
    expect(await page.locator('.composer .file').count()).to.equal(3)
    // Who sends at once does not wait until it is said once more what becomes of the files.
    const asked = createGate()
    const sentAlready = createGate()
    await page.route('**/api/chats/attachments*', async (route) => {
      asked.open()
      await sentAlready.opened
      await route.fallback()
    })
    await page.reload()
    await page.locator('.composer .file').nth(2).waitFor()
    await asked.opened
    await ask(opened, 'What is this?')
    await page.getByText('I see them.').waitFor()
    sentAlready.open()
    await page.unroute('**/api/chats/attachments*')
    await page.locator('.composer .file').first().waitFor({ state: 'detached' })
    const sent = JSON.stringify(script.requests.at(-1)?.messages)
    expect(sent).to.contain(onePixel.toString('base64'))
    expect(sent).to.contain(Buffer.from('Milk and bread').toString('base64'))
    await page.locator('.chat-picture img').waitFor()
    expect(await page.locator('.chat-picture img').getAttribute('src')).to.match(/^blob:/)
    expect(await page.locator('.turn.you a.file').count()).to.equal(2)
    expect(await inspect('chat-attached')).to.deep.equal([])
    await page.locator('.chat-picture').click()
    await page.locator('.chat-picture-large').waitFor()
    await page.keyboard.press('Escape')
    const { items } = await callApi<{ readonly items: readonly { readonly content: readonly { readonly path?: string }[] }[] }>(
      opened,
      'GET',
      `/api/chats/${id}/messages`,
    )
    expect(items[0]?.content.filter(({ path }) => path?.startsWith('files/attachments/'))).to.have.length(3)
    expect(complaints).to.deep.equal([])
  })

  it('cannot act in the origin of the console', async () => {
    const { page, context } = opened
    const link = await page.locator('.turn.you a.file', { hasText: 'evil.html' }).getAttribute('href')
    const answer = await context.request.get(link ?? '')
    expect(answer.headers()['content-disposition']).to.match(/^attachment/)
    expect(answer.headers()['content-type']).to.equal('application/octet-stream')
    expect(answer.headers()['content-security-policy']).to.contain('sandbox')
    await page.locator('.turn.you a.file', { hasText: 'evil.html' }).click()
    await page.locator('.beside .page-view > iframe:not(.starting)').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download evil.html' }).click()
    expect((await download).suggestedFilename()).to.equal('evil.html')
    expect(await page.title()).to.not.contain('hijacked')
  })

  it('stay when an upload fails, with the reason, and can be tried again', async () => {
    const { page, context, inspect } = opened
    setScript({ answer: () => says('Read it.') })
    await openChat(opened)
    const failing = createGate()
    await context.route('**/api/files/content?*', async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback()
      await route.abort()
      failing.open()
    })
    await page
      .locator('.composer input[type=file]')
      .setInputFiles([{ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('eggs') }])
    await failing.opened
    await page.locator('.composer .file.bad').waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('Read this')
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).to.equal(true)
    expect(await inspect('chat-attach-failed')).to.deep.equal([])
    await context.unroute('**/api/files/content?*')
    await page.getByRole('button', { name: 'Upload list.txt again' }).click()
    await page.locator('.composer .file.bad').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Read it.').waitFor()
  })

  it('are refused before the upload when they are too large, and with the reason when no model can be shown them', async () => {
    const { page, complaints } = opened
    await openChat(opened, { tools: ['get_time'] })
    const picker = page.locator('.composer input[type=file]')
    await picker.setInputFiles([{ name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(4 * 1024 * 1024 + 1) }])
    await page.getByText('At most 4.2 MB for this agent.').waitFor()
    await page.getByRole('button', { name: 'Remove huge.png' }).click()
    await picker.setInputFiles([{ name: 'program.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([1, 0, 2, 0, 255]) }])
    await page.locator('.composer .file.bad', { hasText: 'This agent has no tools for files' }).waitFor()
    expect(await page.getByRole('button', { name: 'Upload program.bin again' }).count()).to.equal(0)
    await ask(opened, 'Look at this')
    await page.getByText('Remove what could not be uploaded').waitFor()
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).to.equal('Look at this')
    await page.getByRole('button', { name: 'Remove program.bin' }).click()
    expect(complaints.filter((text) => !text.includes('422') && !text.includes('Failed to load resource'))).to.deep.equal([])
  })
})
