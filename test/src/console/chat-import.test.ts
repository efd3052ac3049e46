import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { chatGptExport, type SourceChat, sourceChats } from '../chats/support/foreign-exports.js'
import { createRandom } from '../support/random.js'
import { closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/** A chat of more messages than the console shows at first. */
const longChat: SourceChat = {
  ...{ id: 'long', title: 'A long talk', at: 1_700_000_000, current: 'm119' },
  messages: Array.from({ length: 120 }, (_, index) => ({
    ...{
      id: `m${index}`,
      parent: index === 0 ? null : `m${index - 1}`,
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    },
    ...{ text: `Word ${index}\n\n\`\`\`js\n${'long line '.repeat(30)}\n\`\`\``, at: 1_700_000_000 + index },
  })),
}

describe('importing and printing chats in the console', function () {
  this.timeout(90_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel({})
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  it('brings the chats of a file, says what it could not bring, and prints a whole chat', async () => {
    const opened = await openPage(kernel, { credentials: ada })
    const { page, inspect, complaints, close } = opened
    const before = complaints.length
    const sources = [longChat, ...sourceChats(4, createRandom(7).next, { pictures: false })]
    const bytes = chatGptExport(sources, (index, chat) => (index === 2 ? { ...chat, title: 'Trip', mapping: undefined } : chat))
    await page.goto(`${kernel.url}/chats`)
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import chats' })
    await dialog.getByRole('button', { name: 'Choose a file' }).waitFor()
    expect(await inspect('chat-import')).to.deep.equal([])
    await dialog.locator('input[type=file]').setInputFiles({ name: 'export.zip', mimeType: 'application/zip', buffer: bytes })
    await dialog.getByText('4 chats were imported.').waitFor()
    expect(await dialog.getByText('1 chat could not be imported.').count()).to.equal(1)
    expect(await dialog.locator('.imports-problems').innerText()).to.equal(
      'conversations.json, chat 3 “Trip”\nit has no messages (“mapping”)',
    )
    expect(await inspect('chat-import-done')).to.deep.equal([])

    // The same file once more, with the dialog closed: a notice leads to what came of it.
    await dialog.getByRole('button', { name: 'Import another file' }).click()
    await dialog.locator('input[type=file]').setInputFiles({ name: 'export.zip', mimeType: 'application/zip', buffer: bytes })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.toast').getByRole('button', { name: 'Show' }).click()
    await dialog.getByText('4 chats were here already and were left as they are.').waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('main').getByRole('link', { name: 'A long talk' }).click()
    await page.getByText('Word 119').waitFor()
    await page.evaluate(
      `window.print = () => { window.printed = { text: document.querySelector('.print-sheet').innerText, title: document.title } }`,
    )
    await page.getByRole('button', { name: 'Actions of this chat' }).first().click()
    await page.getByRole('menuitem', { name: 'Print or save as PDF' }).click()
    await page.waitForFunction(() => 'printed' in globalThis)
    const printed = (await page.evaluate(`window.printed`)) as { readonly text: string; readonly title: string }
    for (let index = 0; index < 120; index += 1) expect(printed.text).to.match(new RegExp(`Word ${index}\\b`))
    expect(printed.title).to.equal('A long talk')
    await page.emulateMedia({ media: 'print' })
    const seen = await page.evaluate(`({
      page: document.querySelector('#root').checkVisibility(),
      sheet: document.querySelector('.print-sheet').checkVisibility(),
      wide: [...document.querySelectorAll('.print-sheet pre')].some((code) => code.scrollWidth > code.clientWidth + 1),
    })`)
    expect(seen).to.deep.equal({ page: false, sheet: true, wide: false })
    await page.emulateMedia({ media: null })
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    await page.locator('.print-sheet').waitFor({ state: 'detached' })
    expect(complaints.slice(before)).to.deep.equal([])
    await close()
  })
})
