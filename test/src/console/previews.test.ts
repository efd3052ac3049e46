import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { callApi } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'
import { newChat } from './support/chat-page.js'
import { hostilePages } from './support/hostile-pages.js'
import { type Listening, startListening } from './support/listening.js'

const credentials = { username: 'ada', password: 'a long enough password' }

const app = {
  'app/index.html': `<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="css/style.css"><script defer src="./script.js?v=1"></script></head>
    <body><h1>Clay pots</h1><img src="pot.svg" alt="A pot"><form id="f"><button>Order</button></form><p id="said">nothing</p><a href="#end">Down</a>
    <img src="../secret.png" alt=""><div style="block-size:3000px"></div><p id="end">The end</p></body></html>`,
  'app/css/style.css': `@import "base.css"; h1 { color: rgb(1, 2, 3) } body { background-image: url('../pot.svg') }`,
  'app/css/base.css': `h1 { font-size: 31px }`,
  'app/script.js': `document.getElementById('f').onsubmit = (event) => { event.preventDefault(); said.textContent = 'ordered </scr' + 'ipt>' }`,
  'app/pot.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="brown"/></svg>`,
  'secret.png': 'no picture',
} as const

describe('files beside a chat', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  let outside: Listening
  before(async () => {
    setScript({ answer: () => says('There.') })
    agents = await startAgentsKernel()
    outside = await startListening()
    opened = await openPage(agents.kernel, { credentials })
  })
  after(async () => {
    outside.close()
    await closeBrowser()
    await agents.close()
  })

  const write = async (path: string, content: string | Buffer): Promise<void> => {
    const answer = await opened.context.request.put(`/api/files/content?path=${encodeURIComponent(path)}`, {
      data: content,
      headers: { 'content-type': 'application/octet-stream' },
    })
    if (!answer.ok()) throw new Error(`${path} was answered with ${answer.status()}.`)
  }
  /** A chat whose message has these files. */
  const openChatWith = async (...paths: readonly string[]): Promise<void> => {
    const id = await newChat(opened.page)
    await callApi(opened, 'POST', `/api/chats/${id}/messages`, { content: 'Look.', attachments: paths.map((path) => ({ path })) })
    await opened.open(`/chats/${id}`)
  }
  const show = (name: string): Promise<void> => opened.page.locator('.turn.you').getByText(name).first().click()
  const panel = () => opened.page.locator('.beside')
  const shownPage = () => opened.page.frameLocator('.page-view > iframe').frameLocator('iframe')

  it('are pages with what lies beside them, which run, and stay where they are', async () => {
    const { page, inspect } = opened
    for (const [name, content] of Object.entries(app)) await write(`files/${name}`, content)
    await openChatWith('files/app/index.html')
    await show('index.html')
    const heading = shownPage().getByRole('heading', { name: 'Clay pots' })
    await heading.waitFor()
    const frame = page.frames().find((each) => each.url() === 'about:srcdoc')
    const styles = await frame?.evaluate(`(({ color, fontSize }) => [color, fontSize])(getComputedStyle(document.querySelector('h1')))`)
    expect(styles).to.deep.equal(['rgb(1, 2, 3)', '31px'])
    expect(await frame?.evaluate(`document.images[0].decode().then(() => document.images[0].naturalWidth)`)).to.equal(40)
    expect(await frame?.evaluate('getComputedStyle(document.body).backgroundImage')).to.match(/^url\("data:image\/svg/)
    await shownPage().getByRole('button', { name: 'Order' }).click()
    await shownPage().getByText('ordered </script>').waitFor()
    await shownPage().getByRole('link', { name: 'Down' }).click()
    expect(await frame?.evaluate('[scrollY > 1000, origin, typeof RTCPeerConnection]')).to.deep.equal([true, 'null', 'undefined'])
    expect(await inspect('beside-page')).to.deep.equal([])
    await panel().getByText('Source', { exact: true }).click()
    await panel().getByText('<h1>Clay pots</h1>').waitFor()
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).to.contain('index.html')
  })

  it('of an attacker reach nothing', async () => {
    const { page } = opened
    const pages = hostilePages(outside)
    // All that can be tried by one page at once; what leads away has a page each elsewhere.
    const all = Object.entries(pages).filter(([name]) => !/address|refresh|itself|base|changed/.test(name))
    await write('files/evil.html', `<!doctype html><body><p>the beginning of it</p>${all.map(([, html]) => html).join('\n')}`)
    await openChatWith('files/evil.html')
    outside.forget()
    await show('evil.html')
    await page.locator('.page-view > iframe:not(.starting), .page-note').first().waitFor()
    expect(await outside.arrivedBefore(opened.context)).to.deep.equal([])
    expect(new URL(page.url()).pathname).to.match(/^\/chats\//)
  })

  it('are tables, of which only what is near is made, and say when they are gone', async () => {
    const { page, inspect } = opened
    const rows = Array.from({ length: 1_200 }, (_, index) => `Pot ${index};${index * 2},5;"a ""good"" one\nwith lines"`)
    await write('files/pots.csv', Buffer.from(`\uFEFFname;price;note\r\n${rows.join('\r\n')}\r\n`))
    await write('files/old.csv', Buffer.from('Stra\xdfe,Nr\nH\xf6he,1\n', 'latin1'))
    await openChatWith('files/pots.csv', 'files/old.csv')
    await show('pots.csv')
    await panel().getByText('1,200 rows').waitFor()
    expect(await panel().locator('thead th').allTextContents()).to.deep.equal(['name', 'price', 'note'])
    expect(await panel().locator('tbody tr').count()).to.be.below(400)
    expect(await panel().locator('tbody tr').nth(1).locator('td').allTextContents()).to.deep.equal([
      'Pot 1',
      '2,5',
      'a "good" one\nwith lines',
    ])
    expect(await panel().locator('tbody td').nth(1).getAttribute('class')).to.equal('number')
    expect(await inspect('beside-table')).to.deep.equal([])
    await panel().getByRole('region', { name: 'pots.csv' }).focus()
    await page.keyboard.press('End')
    await panel().getByRole('cell', { name: 'Pot 1199', exact: true }).waitFor()
    await show('old.csv')
    await panel().getByRole('columnheader', { name: 'Straße' }).waitFor()
    await write('files/old.csv', 'other,columns\n1,2\n')
    await panel().getByRole('button', { name: 'Read the file again' }).click()
    await panel().getByRole('columnheader', { name: 'columns' }).waitFor()
    await opened.context.request.delete('/api/files/content?path=files/old.csv')
    await panel().getByRole('button', { name: 'Read the file again' }).click()
    await panel().getByText('old.csv is no longer there.').waitFor()
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'detached' })
  })

  it('have the workspaces of agents as roots, also of former ones, on the screen of files', async () => {
    const { page, open, inspect } = opened
    const { items } = await callApi<{ readonly items: readonly { readonly name: string; readonly workspace: string }[] }>(
      opened,
      'GET',
      '/api/agents',
    )
    const { name = '', workspace = '' } = items[0] ?? {}
    await write(`workspaces/${workspace}/drafts/plan.md`, '# The plan')
    await write('workspaces/gone-agent/left.txt', 'left behind')
    await open('/files')
    const tree = page.getByRole('navigation', { name: 'Folders' })
    await tree.getByRole('link', { name: 'My files' }).waitFor()
    await tree.getByRole('link', { name: 'gone-agent' }).waitFor()
    await tree.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.locator('ul.rows').getByRole('link', { name: 'drafts' }).click()
    await page.getByRole('button', { name: 'plan.md', exact: true }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'The plan' }).waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).search).to.equal(`/workspaces/${workspace}/drafts?show=plan.md`)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('navigation', { name: 'Place' }).getByRole('link', { name, exact: true }).count()).to.equal(1)
    expect(await inspect('files-workspace')).to.deep.equal([])
    await page.locator('input[type=file]').setInputFiles({ name: 'extra.txt', mimeType: 'text/plain', buffer: Buffer.from('more') })
    await page.getByRole('button', { name: 'extra.txt', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Actions for extra.txt' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Workspaces have no bin.').waitFor()
    await page.getByRole('button', { name: 'Delete extra.txt for good' }).click()
    await page.getByRole('button', { name: 'extra.txt', exact: true }).waitFor({ state: 'detached' })
    await open('/workspaces')
    await page.getByText('of a former agent').waitFor()
    expect(await inspect('files-workspaces')).to.deep.equal([])
  })
})
