import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import { openChat, uploaded } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const cells = 'Name\tSum\nAda\t12'
const cellsHtml = '<table><tr><td>Name</td><td>Sum</td></tr><tr><td>Ada</td><td>12</td></tr></table>'
const imageHtml = '<meta charset="utf-8"><!--StartFragment--><img src="https://example.org/cat.png" alt="A cat"/><!--EndFragment-->'
const png = { name: 'image.png', type: 'image/png' }

interface Clipboard {
  readonly text?: string
  readonly html?: string
  readonly files: readonly { readonly name: string; readonly type: string }[]
}

describe('what is pasted into a message', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: { username: 'ada', password: 'a long enough password' } })
  })
  beforeEach(() => openChat(opened).then(() => undefined))
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  /** Gives the page a clipboard. True if the browser puts the text into the field, as it does by itself. */
  const paste = (clipboard: Clipboard): Promise<boolean> =>
    opened.page.evaluate(`(() => {
      const { text, html, files } = ${JSON.stringify(clipboard)}
      const transfer = new DataTransfer()
      if (text !== undefined) transfer.setData('text/plain', text)
      if (html !== undefined) transfer.setData('text/html', html)
      for (const { name, type } of files) transfer.items.add(new File(['From: ada@example.org\\nSubject: The plan\\n\\ncontent'], name, { type }))
      const event = new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
      return document.querySelector('.composer .text').dispatchEvent(event)
    })()`) as Promise<boolean>
  const attached = (): Promise<readonly string[]> => opened.page.locator('.composer .file bdi').allTextContents()

  const texts: Readonly<Record<string, Clipboard>> = {
    'cells of a spreadsheet': { text: cells, html: cellsHtml, files: [png] },
    'words of a text program': { text: 'A sentence.', html: '<p>A <b>sentence</b>.</p>', files: [png] },
    'words without markup': { text: 'A sentence.', files: [png] },
    'words around a picture': { text: 'Look: here', html: '<p>Look: <img src="x.png"> here</p>', files: [png] },
    'a cell with the address of a picture': {
      text: 'https://example.org/cat.png',
      html: '<table><tr><td><a href="https://example.org/cat.png">https://example.org/cat.png</a></td></tr></table>',
      files: [png],
    },
    'a cell with the name that the picture got': { text: 'image.png', html: '<table><tr><td>image.png</td></tr></table>', files: [png] },
    'the address of a page': { text: 'https://example.org/report.html', files: [png] },
  }
  for (const [what, clipboard] of Object.entries(texts))
    it(`is text, and a picture only if it is wanted: ${what}`, async () => {
      const { page } = opened
      expect(await paste(clipboard), 'the text is kept from the field').to.equal(true)
      await page.getByText('Pasted as text.').last().waitFor()
      expect(await attached()).to.deep.equal([])
      await page.getByRole('button', { name: 'Attach the picture too' }).last().click()
      await uploaded(page, 1)
      expect(await attached()).to.deep.equal(['image.png'])
    })

  const files: Readonly<Record<string, Clipboard>> = {
    'a screenshot': { files: [png] },
    'a screenshot with the place where it was saved': { text: '/home/ada/Pictures/Screenshot from today.png', files: [png] },
    'a picture of a page': { html: imageHtml, files: [png] },
    'a picture of a page with its address': { text: 'https://example.org/cat.png', html: imageHtml, files: [png] },
    'files of a file manager, with their names': {
      text: 'plan.pdf\nhouse.png',
      files: [
        { name: 'plan.pdf', type: 'application/pdf' },
        { name: 'house.png', type: 'image/png' },
      ],
    },
    'a file with its path': { text: '/home/ada/My plans/house.png', files: [{ name: 'house.png', type: 'image/png' }] },
    'a file with its address': {
      text: 'copy\nfile:///home/ada/My%20plans/h%C3%A4user.png',
      files: [{ name: 'häuser.png', type: 'image/png' }],
    },
    'a file of Windows': { text: '"C:\\plans\\house.png"', files: [{ name: 'house.png', type: 'image/png' }] },
  }
  for (const [what, clipboard] of Object.entries(files))
    it(`is files: ${what}`, async () => {
      expect(await paste(clipboard), 'the text is put into the field too').to.equal(false)
      await uploaded(opened.page, clipboard.files.length)
      expect(await attached()).to.deep.equal(clipboard.files.map(({ name }) => name))
    })

  it('is both where a document comes with words that are not its name', async () => {
    expect(await paste({ text: 'Subject: the plan', files: [{ name: 'mail.eml', type: 'message/rfc822' }] })).to.equal(true)
    await uploaded(opened.page, 1)
    expect(await attached()).to.deep.equal(['mail.eml'])
  })

  it('is left to the browser where there are no files', async () => {
    expect(await paste({ text: cells, html: cellsHtml, files: [] })).to.equal(true)
    expect(await attached()).to.deep.equal([])
  })
})
