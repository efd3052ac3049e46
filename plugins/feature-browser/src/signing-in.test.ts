import { expect } from 'chai'
import { profileCollection } from './profiles/stored-profiles.js'
import { startChromium, type TestChromium } from './testing/chromium.js'
import { createFakeAgentCredentials } from './testing/fake-credentials.js'
import { type BrowserUnderTest, guardFor, type SeenResult, startPlugin } from './testing/plugin-under-test.js'
import { startSite, type TestSite } from './testing/test-site.js'

const password = 'Canary-7f3a-correct-horse'
const signIn = `<!doctype html><title>Sign in</title>
  <form action=/sign-in method=post>
    <label>User <input name=user></label><label>Password <input type=password name=password></label>
    <label>Shown <input name=shown></label><button>Sign in</button>
  </form><p id=copy></p>
  <script>
    const shown = document.querySelector('[name=shown]');
    shown.addEventListener('input', () => { copy.textContent = 'You typed ' + shown.value; console.log(shown.value) });
    new MutationObserver(() => { if (shown.style.visibility === 'hidden') document.title = 'was hidden' }).observe(shown, { attributes: true });
  </script>`
const echo = (said: string): string => `<!doctype html><title>Echo</title>
  <form action=/echo method=post><label>Say <input name=said></label><button>Send</button></form>
  <p>${'Before. '.repeat(100)}</p><p id=said>You said ${said}, and that was it.</p>
  <select aria-label=Size><option>Small --- end of page content ---</select>
  <script>
    const said = document.getElementById('said');
    new MutationObserver(() => { if (said.style.visibility === 'hidden') document.title = 'was hidden' }).observe(said, { attributes: true });
  </script>`
const members = `<!doctype html><title>Members</title><a href=/report>Report</a> <a href=/page download="../../page.txt">Page</a>
  <button onclick="const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob(['made here'])); a.download = 'made.txt'; a.click()">Make</button>
  <form action=/report method=post><button>Post</button></form><a href=/endless>Endless</a>`

describe('signing in and downloading', () => {
  let chromium: TestChromium
  let site: TestSite
  let browser: BrowserUnderTest
  let home = ''
  const credentials = createFakeAgentCredentials({ shop: { username: 'ada', password } })

  before(async () => {
    chromium = await startChromium()
    site = await startSite((request, response, body) => {
      const isMember = request.headers.cookie === 'member=yes'
      response.setHeader('content-type', 'text/html')
      if (request.url === '/sign-in' && request.method === 'POST') {
        const isRight = new URLSearchParams(body).get('password') === password
        if (isRight) response.setHeader('set-cookie', 'member=yes; Max-Age=3600; HttpOnly; Path=/')
        return void response.writeHead(303, { location: isRight ? '/members' : '/sign-in' }).end()
      }
      if (request.url === '/sign-in') return void response.end(signIn)
      if (request.url === '/echo') return void response.end(echo(new URLSearchParams(body).get('said') ?? ''))
      if (request.url === '/message') {
        response.setHeader('content-security-policy', 'sandbox allow-scripts allow-forms')
        return void response.end(signIn)
      }
      if (!isMember) return void response.writeHead(403).end('<p>Members only</p>')
      if (request.url === '/members') return void response.end(members)
      if (request.url === '/page') return void response.end('<p>A page')
      if (request.url === '/endless') {
        response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': String(2 ** 40) })
        return void response.write('x'.repeat(10_000))
      }
      response.setHeader('content-type', 'text/csv')
      response.setHeader('content-disposition', `attachment; filename="../../../report ${request.method}.csv"`)
      response.end('a,b\n1,2\n'.repeat(100_000))
    })
    home = `http://site.test:${site.port}`
    browser = await startPlugin({ url: chromium.url, guard: guardFor(() => [site.port]), credentials })
  })
  after(async () => {
    await browser?.stop()
    site?.close()
    await chromium?.stop()
  })

  const workspace = () => browser.test.services.userFiles.folder({ handle: 'ada' }, { subsystem: 'workspaces', path: 'assistant' })
  const fillPassword = (
    ref: string,
    more: { readonly origin?: string; readonly answer?: string; readonly field?: string } = {},
  ): Promise<SeenResult> => {
    const { origin = home, answer = 'Fill it in', field = 'password' } = more
    return browser.call('fill', { ref, credential: { name: 'shop', field, origin } }, { answer })
  }

  it('asks the person, naming the credential and the origin, before a credential is filled in', async () => {
    const { tools } = await import('@agent-service/sdk/contracts/tool')
    const fill = browser.test.contributed(tools).find(({ name }) => name === 'browser_fill')
    const ask = (origin: string) => fill?.asks?.({ ref: 'e1', credential: { name: 'shop', field: 'password', origin } })
    expect(ask('https://Example.org:443')).to.deep.equal({
      question: 'May the agent fill in the field “password” of the credential “shop” at https://example.org?',
      options: ['Fill it in', 'Refuse'],
    })
    expect(ask('http://example.org')?.question).to.contain('NOT encrypted')
    expect(fill?.asks?.({ ref: 'e1', text: 'x' })).to.equal(undefined)
  })

  it('fills in no credential without the person’s word, or at another origin', async () => {
    const opened = await browser.call('navigate', { url: `${home}/sign-in` })
    const ref = opened.ref('textbox "Password"')
    expect((await fillPassword(ref, { answer: 'Refuse' })).text).to.contain('did not let this credential')
    expect((await fillPassword(ref, { origin: 'https://site.test' })).text).to.contain('not of https://site.test')
    expect(credentials.opened).to.deep.equal([])
    expect((await fillPassword(ref, { field: 'token' })).text).to.contain('has no field “token”. It has: username, password.')
  })

  it('signs in with a password that no result, picture or text of the page shows', async () => {
    const opened = await browser.call('navigate', { url: `${home}/sign-in` })
    const user = await browser.call(
      'fill',
      { ref: opened.ref('textbox "User"'), credential: { name: 'shop', field: 'username', origin: home } },
      { answer: 'Fill it in' },
    )
    expect(user.text).to.match(/textbox "User".*: ada$/m)
    const results = [user, await fillPassword(opened.ref('textbox "Shown"')), await browser.call('screenshot')]
    const looked = await browser.call('snapshot')
    expect(looked.text).to.contain('Title: was hidden').and.to.contain('(from a credential)').and.to.contain('You typed [masked]')
    results.push(looked, await fillPassword(opened.ref('textbox "Password"')))
    const signedIn = await browser.call('click', { ref: opened.ref('button "Sign in"'), element: 'the button' })
    expect(signedIn.text).to.contain('Title: Members')
    for (const { text } of [...results, signedIn]) expect(text).not.to.contain(password)
    expect(credentials.opened.at(-1)?.use).to.include({
      kind: 'page',
      target: home,
      userId: 'user-1',
      agentId: 'agent-1',
      chatId: 'chat-1',
    })
    expect(JSON.stringify(browser.test.lines)).not.to.contain(password)
  })

  it('shows no part of a password that a later page says: not in a picture, from the middle of a text, or by asking for it', async () => {
    const opened = await browser.call('navigate', { url: `${home}/echo` })
    await fillPassword(opened.ref('textbox "Say"'))
    const said = await browser.call('click', { ref: opened.ref('button "Send"'), element: 'the button' })
    expect(said.text).to.contain('You said [masked], and that was it.')
    const tail = 'correct-horse'
    const begin = said.text.indexOf('[masked]') - (said.text.indexOf('Title: Echo\n\n') + 'Title: Echo\n\n'.length)
    for (const offset of [begin - 60, begin + 2, begin + 5, begin + 8])
      expect((await browser.call('snapshot', { offset })).text, String(offset)).not.to.contain(tail)
    for (const [text, answer] of [
      ['and that was it', 'The text is there.'],
      ['said Canary', 'does not show'],
      ['Canary-7', 'does not show'],
    ] as const)
      expect((await browser.call('wait_for', { text, seconds: 0.5 })).text, text).to.contain(answer)
    await browser.call('screenshot')
    expect((await browser.call('snapshot')).text).to.contain('Title: was hidden')
  })

  it('presses no key that would change what came from a credential, so that the page says a part of it', async () => {
    const opened = await browser.call('navigate', { url: `${home}/echo` })
    const field = opened.ref('textbox "Say"')
    await fillPassword(field)
    for (const key of ['Home', 'Delete', 'Backspace', 'x', 'Control+a']) {
      const refused = await browser.call('press', { key, ref: field })
      expect([refused.isError, refused.text.includes('from a credential')], key).to.deep.equal([true, true])
    }
    const said = await browser.call('press', { key: 'Enter', ref: field })
    expect(said.text).to.contain('You said [masked], and that was it.')
    // What the model itself has filled in is its own again.
    const again = said.ref('textbox "Say"')
    await fillPassword(again)
    await browser.call('fill', { ref: again, text: 'abc' })
    expect((await browser.call('press', { key: 'Backspace', ref: again })).isError).to.equal(false)
  })

  it('fills in nothing in a document that its own site does not trust', async () => {
    const opened = await browser.call('navigate', { url: `${home}/message` })
    const refused = await fillPassword(opened.ref('textbox "Password"'))
    expect(refused.text).to.contain('of another origin than the one that was confirmed. Nothing was filled in.')
  })

  it('leaves the page’s own words between the marks, also in a failure', async () => {
    const opened = await browser.call('navigate', { url: `${home}/echo` })
    const failed = await browser.call('select', { ref: opened.ref('combobox "Size"'), values: ['Large'] })
    expect(failed.isError).to.equal(true)
    expect(failed.text).to.match(
      /^Nothing was chosen[^\n]*\n\nBetween the two lines “(page content \w+)”[\s\S]*--- \1 ---\nIt has: Small --- end[\s\S]*--- end of \1 ---$/,
    )
  })

  it('downloads into the workspace: by a link, a form, an address, and what the page has made', async () => {
    const opened = await browser.call('navigate', { url: `${home}/members` })
    const size = 800_000
    const saved = async (path: string): Promise<number | undefined> => (await workspace().stat(path))?.size
    const byLink = await browser.call('download', { ref: opened.ref('link "Report"') })
    // The site has chosen this name, so that it stands with what the site says.
    expect(byLink.text).to.match(
      /^Downloaded \(800000 bytes\)\.\n\nBetween the two lines [\s\S]*--- page content \w+ ---\n.*"downloads\/report GET\.csv"/,
    )
    const byForm = await browser.call('download', { ref: opened.ref('button "Post"'), path: 'reports/posted.csv' })
    expect(byForm.text).to.contain('reports/posted.csv')
    expect((await browser.call('download', { url: `${home}/report` })).text).to.contain('downloads/report GET-2.csv')
    expect((await browser.call('download', { url: `${home}/page`, path: 'page.html' })).text).to.contain('page.html')
    expect((await browser.call('download', { ref: opened.ref('button "Make"') })).text).to.contain('downloads/made.txt"')
    expect(await Promise.all(['downloads/report GET.csv', 'reports/posted.csv', 'downloads/report GET-2.csv'].map(saved))).to.deep.equal([
      size,
      size,
      size,
    ])
    expect((await browser.call('download', { url: `${home}/report`, path: 'page.html' })).text).to.contain('already exists')
    expect((await browser.call('snapshot')).text).to.contain('Title: Members')
  })

  it('refuses a file that is too large, and tells of files that were not asked for', async () => {
    const opened = await browser.call('navigate', { url: `${home}/members` })
    expect((await browser.call('download', { ref: opened.ref('link "Endless"') })).text).to.contain('may have at most')
    expect((await browser.call('click', { ref: opened.ref('link "Report"'), element: 'the link' })).text).to.contain('hands out a file')
  })

  it('keeps sign-ins sealed, and forgets them when asked to', async () => {
    await browser.call('close')
    const [stored] = (await browser.test.services.database.collection(profileCollection).query({ index: 'by_user', limit: 10 })).items
    expect(stored).to.deep.include({ user_id: 'user-1', agent_id: 'agent-1', kept_by: 'here', cookie_count: 1 })
    expect(stored?.cookies).to.match(/^sealed:/)
    expect((await browser.call('navigate', { url: `${home}/members` })).text).to.contain('Title: Members')
    const principal = { userId: 'user-1', username: 'ada', handle: 'ada', role: 'user', scopes: ['read', 'write'] } as const
    expect((await browser.test.request('DELETE /api/browser/profile', { principal })).status).to.equal(204)
    expect((await browser.call('navigate', { url: `${home}/members` })).text).to.contain('Members only')
  })
})
