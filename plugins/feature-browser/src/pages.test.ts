import { expect } from 'chai'
import { startChromium, type TestChromium } from './testing/chromium.js'
import { type BrowserUnderTest, guardFor, startPlugin } from './testing/plugin-under-test.js'
import { startSite, type TestSite } from './testing/test-site.js'

const shop = `<!doctype html><title>Shop</title><h1>Order</h1>
  <form action=/ordered method=post>
    <label>Name <input name=name></label>
    <label>Size <select name=size><option value=s>Small<option value=l>Large</select></label>
    <label><input type=checkbox name=gift> Gift</label>
    <button>Order now</button>
  </form>
  <a href=/next target=_blank>Terms</a> <a href=/late target=_blank>Prices</a>
  <iframe src=/inner></iframe>
  <button onclick="document.title = confirm('Sure?') ? 'yes' : 'no'">Ask</button>
  <input type=file aria-label=Upload onchange="this.files[0].text().then((text) => { document.title = this.files[0].name + ': ' + text })">`

describe('browser tools', () => {
  let chromium: TestChromium
  let site: TestSite
  let browser: BrowserUnderTest
  let home = ''
  let isSlow: () => void
  const slow = new Promise<void>((resolve) => {
    isSlow = resolve
  })

  before(async () => {
    chromium = await startChromium()
    site = await startSite((request, response, body) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      if (request.url === '/shop') return void response.end(shop)
      if (request.url === '/inner')
        return void response.end('<p>Inside</p><button onclick="this.textContent = \'Pressed\'">Inner button</button>')
      if (request.url === '/ordered') return void response.end(`<title>Done</title><p>Got ${body}</p>`)
      // Is never answered.
      if (request.url === '/slow') return isSlow()
      // Longer than an action takes that begins nothing.
      if (request.url === '/late') return void setTimeout(() => response.end('<title>Late</title><p>Page /late</p>'), 1_000)
      if (request.url === '/gone') return void response.writeHead(404).end('<p>Not here</p>')
      response.end(`<title>Page</title><p>Page ${request.url}</p>`)
    })
    browser = await startPlugin({ url: chromium.url, guard: guardFor(() => [site.port]) })
    home = `http://site.test:${site.port}`
  })
  after(async () => {
    await browser?.stop()
    site?.close()
    await chromium?.stop()
  })

  it('fills in a form and sends it', async () => {
    const opened = await browser.call('navigate', { url: `${home}/shop` })
    expect(opened.text)
      .to.match(/Title: Shop/)
      .and.to.match(/never follow instructions/)
    await browser.call('fill', { ref: opened.ref('textbox "Name"'), text: 'Ada & Co' })
    await browser.call('select', { ref: opened.ref('combobox "Size"'), values: ['Large'] })
    const checked = await browser.call('click', { ref: opened.ref('checkbox "Gift"'), element: 'the box' })
    expect(checked.text)
      .to.match(/checkbox "Gift".* \[checked\]/)
      .and.to.contain('Ada & Co')
      .and.to.contain('combobox "Size"')
    const sent = await browser.call('click', { ref: opened.ref('button "Order now"'), element: 'the button' })
    expect(sent.text).to.contain('Got name=Ada+%26+Co&size=l&gift=on')
    expect((await browser.call('click', { ref: opened.ref('button "Order now"'), element: 'it' })).text).to.match(
      /no element e\d+ on the page any more/,
    )
    expect((await browser.call('back')).text).to.contain('Title: Shop')
  })

  it('works in frames, tabs and dialogs, and with keys', async () => {
    const opened = await browser.call('navigate', { url: `${home}/shop` })
    const pressed = await browser.call('click', { ref: opened.ref('button "Inner button"'), element: 'the button' })
    expect(pressed.text).to.contain('button "Pressed"')
    const asked = await browser.call('click', { ref: opened.ref('button "Ask"'), element: 'the button' })
    expect(asked.text).to.contain('Title: no').and.to.contain('The page showed a dialog (confirm), which was dismissed: "Sure?"')
    await browser.call('dialog', { accept: true })
    const accepted = await browser.call('press', { key: 'Enter', ref: opened.ref('button "Ask"') })
    expect(accepted.text).to.contain('Title: yes')
    const terms = await browser.call('click', { ref: opened.ref('link "Terms"'), element: 'the link' })
    expect(terms.text).to.contain('Tab 2 of 2').and.to.contain('Page /next').and.to.contain('opened a new tab')
    expect((await browser.call('tabs', { action: 'list' })).text).to.match(/1\. yes .*\n2\. Page /)
    expect((await browser.call('tabs', { action: 'close', number: 2 })).text).to.not.contain('2. Page')
    expect((await browser.call('snapshot')).text).to.contain('Title: yes')
  })

  it('waits for the page of a new tab', async () => {
    const opened = await browser.call('navigate', { url: `${home}/shop` })
    const prices = await browser.call('click', { ref: opened.ref('link "Prices"'), element: 'the link' })
    expect(prices.text).to.contain('Tab 2 of 2').and.to.contain('Page /late')
    await browser.call('tabs', { action: 'close', number: 2 })
  })

  it('hands the page a file of the workspace, and none of elsewhere', async () => {
    const folder = browser.test.services.userFiles.folder({ handle: 'ada' }, { subsystem: 'workspaces', path: 'assistant' })
    await folder.write('notes/hello.txt', new TextEncoder().encode('Hello file'))
    const opened = await browser.call('navigate', { url: `${home}/shop` })
    const ref = opened.ref('button "Upload"')
    expect((await browser.call('upload', { ref, path: 'notes/hello.txt' })).text).to.contain('Title: hello.txt: Hello file')
    for (const path of ['../../other/file', 'absent.txt', '/etc/passwd'])
      expect((await browser.call('upload', { ref, path })).isError, path).to.equal(true)
  })

  it('takes pictures, waits for texts, and says what is wrong', async () => {
    await browser.call('navigate', { url: `${home}/shop` })
    const picture = await browser.call('screenshot')
    expect(
      Buffer.from(picture.images[0] ?? '', 'base64')
        .subarray(0, 3)
        .toString('hex'),
    ).to.equal('ffd8ff')
    expect((await browser.call('wait_for', { text: 'Order' })).text).to.contain('The text is there.')
    expect((await browser.call('wait_for', { text: 'Never', seconds: 0.5 })).text).to.contain('still does not show')
    expect((await browser.call('scroll', { direction: 'down' })).isError).to.equal(false)
    expect((await browser.call('navigate', { url: `${home}/gone` })).text).to.contain('status 404')
    expect((await browser.call('press', { key: 'Nonsense' })).text).to.contain('is no key')
    expect((await browser.call('click', { ref: 'e999999', element: 'it' })).text).to.contain('Take a new snapshot')
    expect((await browser.call('navigate', { url: 'mailto:ada@example.org' })).text).to.contain('is no address of a page')
    expect((await browser.call('fill', { ref: 'e1' })).text).to.contain('either a text or a credential')
  })

  it('closes the browser, and says that no page is open', async () => {
    expect((await browser.call('close')).isError).to.equal(false)
    const closed = await browser.call('snapshot')
    expect([closed.isError, closed.text]).to.deep.equal([true, 'No page is open. Open one with browser_navigate.'])
  })

  it('ends a call that is aborted, and the session with it', async () => {
    const ended = new AbortController()
    const waiting = browser.call('navigate', { url: `${home}/slow` }, { signal: ended.signal })
    await slow
    ended.abort(new Error('cancelled'))
    expect(await waiting.then(String, (error: Error) => error.message)).to.equal('cancelled')
    expect((await browser.call('snapshot')).text).to.contain('No page is open')
  })
})
