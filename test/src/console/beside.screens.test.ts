import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { callApi } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage, widths } from './open-page.js'
import { newChat } from './support/chat-page.js'

const credentials = { username: 'ada', password: 'a long enough password' }

describe('the panel beside a chat', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript({ answer: () => says('There.') })
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials, locale: 'de-DE' })
    await write('notes.md', '# Notes\n\nFirst.')
    await write('data.json', '{"a":[1,2],"b":"\u202etxt"}')
    await write('sheet.xlsx', Buffer.from([80, 75, 3, 4, 0, 0, 0, 0]))
    await write(
      'logo.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="window.acted = 1"><script>window.acted = 1</script></svg>',
    )
    await write('empty.txt', '')
    const names = ['notes.md', 'data.json']
    const id = await newChat(opened.page)
    await callApi(opened, 'POST', `/api/chats/${id}/messages`, {
      content: 'Sieh',
      attachments: names.map((name) => ({ path: `files/${name}` })),
    })
    await opened.open(`/chats/${id}`)
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })

  const write = async (name: string, content: string | Buffer): Promise<void> => {
    const answer = await opened.context.request.put(`/api/files/content?path=files/${name}`, {
      data: content,
      headers: { 'content-type': 'application/octet-stream' },
    })
    expect(answer.ok()).to.equal(true)
  }
  const show = (name: string): Promise<void> => opened.page.locator('.turn.you').getByText(name).first().click()
  const panel = () => opened.page.locator('.beside')

  it('shows files of all kinds, the last one in the place of the one before', async () => {
    const { page } = opened
    await show('notes.md')
    await panel().getByRole('heading', { name: 'Notes', exact: true }).waitFor()
    await show('data.json')
    await panel().locator('pre', { hasText: '"a": [\n    1,\n    2\n  ]' }).waitFor()
    expect(await panel().count()).to.equal(1)
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'detached' })
  })

  it('says when its file has changed, and reads it again', async () => {
    const { page, inspect } = opened
    await show('notes.md')
    await panel().getByText('First.').waitFor()
    await write('notes.md', '# Notes\n\nSecond.')
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await panel().getByText('Die Datei hat sich seitdem geändert.').waitFor()
    expect(await inspect('beside-changed')).to.deep.equal([])
    await panel().getByRole('button', { name: 'Neu laden' }).click()
    await panel().getByText('Second.').waitFor()
    expect(await panel().getByText('Die Datei hat sich seitdem geändert.').count()).to.equal(0)
  })

  it('is made wider by the keyboard and the pointer, and keeps its width', async () => {
    const { page } = opened
    await show('notes.md')
    const divider = page.getByRole('separator', { name: 'Breite der Datei' })
    const width = async (): Promise<number> => (await panel().boundingBox())?.width ?? 0
    const before = await width()
    await divider.press('ArrowLeft')
    expect(await divider.getAttribute('aria-valuenow')).to.equal('55')
    expect(await width()).to.be.above(before)
    const box = (await divider.boundingBox()) ?? { x: 0, y: 0 }
    await page.mouse.move(box.x + 4, box.y + 200)
    await page.mouse.down()
    await page.mouse.move(box.x + 250, box.y + 200)
    await page.mouse.up()
    const narrow = await width()
    expect(narrow).to.be.below(before)
    await page.keyboard.press('Escape')
    await page.reload()
    await show('notes.md')
    await divider.waitFor()
    expect(await width()).to.be.closeTo(narrow, 2)
  })

  it('covers the chat where it is asked to, and where there is no room, until it is closed', async () => {
    const { page } = opened
    await show('data.json')
    const chat = page.locator('.beside-chat')
    const isInert = () => page.evaluate(`document.querySelector('.beside-chat').inert`)
    await page.getByRole('button', { name: 'Ganze Breite' }).click()
    expect(await isInert()).to.equal(true)
    await page.getByRole('button', { name: 'Ganze Breite' }).click()
    expect(await isInert()).to.equal(false)
    await page.setViewportSize(widths.phone)
    expect(await isInert()).to.equal(true)
    expect((await panel().boundingBox())?.width).to.equal((await chat.boundingBox())?.width)
    await panel().getByRole('button', { name: 'Datei schließen' }).click()
    await panel().waitFor({ state: 'detached' })
    expect(await isInert()).to.equal(false)
    expect(await page.evaluate('document.activeElement.textContent')).to.contain('data.json')
    await page.setViewportSize(widths.wide)
  })

  it('covers the chat from the first on where there is no room, and gives it back', async () => {
    const { page } = opened
    await page.setViewportSize(widths.phone)
    await page.reload()
    await show('data.json')
    await page.locator('.beside-layout.covers').waitFor()
    expect(await page.evaluate(`document.querySelector('.beside-chat').inert`)).to.equal(true)
    expect((await panel().boundingBox())?.width).to.equal(widths.phone.width)
    await page.keyboard.press('Escape')
    await page.locator('.beside-layout:not(.covers)').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).to.contain('data.json')
    await page.setViewportSize(widths.wide)
  })

  it('leads to the file on the screen of files, which shows all others, too', async () => {
    const { page, open, complaints } = opened
    await show('notes.md')
    await panel().getByRole('link', { name: 'In Dateien öffnen' }).click()
    await page.getByRole('dialog', { name: 'notes.md' }).getByText('Second.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).to.equal('')
    const sheet = page.getByRole('dialog')
    await open('/files?show=sheet.xlsx')
    await sheet.getByText('Für diese Art von Datei gibt es keine Vorschau.').waitFor()
    await open('/files?show=empty.txt')
    await sheet.getByText('Diese Datei ist leer.').waitFor()
    await open('/files?show=logo.svg')
    expect(await sheet.locator('img').getAttribute('src')).to.match(/^data:image\/svg\+xml/)
    expect(await page.evaluate('window.acted')).to.equal(undefined)
    expect(complaints).to.deep.equal([])
  })
})
