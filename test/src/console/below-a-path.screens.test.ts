import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createTestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { type SignOnService, startSignOnService } from '../sso/support/sign-on.js'
import { type PathProxy, startPathProxy } from '../support/path-proxy.js'
import { setUpCodeOf } from '../support/set-up-code.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const example = fileURLToPath(new URL('../../../examples/panel-dice', import.meta.url))
const ada = { username: 'ada', password: 'a long enough password' }
const path = '/agents'

for (const removesPath of [true, false])
  describe(`the console below a path that the proxy ${removesPath ? 'removes' : 'leaves'}`, function () {
    this.timeout(90_000)
    let proxy: PathProxy
    let agents: AgentsKernel
    let opened: ConsolePage
    /** What the browser asked for beside the path. */
    const outside: string[] = []
    const base = (): string => `${proxy.origin}${path}`
    const pathOf = (): string => new URL(opened.page.url()).pathname

    before(async () => {
      setScript({ answer: () => says('Below ', 'the ', 'path.') })
      proxy = await startPathProxy()
      agents = await startAgentsKernel({
        plugins: [example],
        environment: { SERVICE_SERVER_BASE_URL: base(), SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' },
      })
      proxy.serve(path, { url: agents.kernel.url, removesPath })
      opened = await openPage({ url: proxy.origin }, { at: 'none' })
      opened.context.on('request', (request) => {
        const { origin, pathname } = new URL(request.url())
        if (origin === proxy.origin && !pathname.startsWith(`${path}/`) && pathname !== path) outside.push(request.url())
      })
    })
    after(async () => {
      await opened?.close()
      await closeBrowser()
      await agents?.close()
      await proxy?.close()
    })

    it('makes the first account with the link of the log, and sets the cookie for the path alone', async () => {
      const { page, context } = opened
      await page.goto(`${base()}?setup_code=${setUpCodeOf(agents.kernel)}`)
      await page.getByLabel('Username').fill(ada.username)
      await page.getByLabel('Password', { exact: true }).fill(ada.password)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'ada' }).waitFor()
      expect(pathOf()).to.match(/^\/agents\//)
      const cookies = await context.cookies(base())
      expect(cookies.map(({ name, path: at }) => `${name} ${at}`)).to.deep.equal([`refresh_token ${path}`])
      expect(await context.cookies(`${proxy.origin}/other`)).to.deep.equal([])
    })

    it('streams an answer in a chat, and shows the chat again after a reload', async () => {
      const { page } = opened
      await page.goto(`${base()}/`)
      await page.getByLabel('What should get done?').fill('Where are we?')
      await page.keyboard.press('Enter')
      await page.getByText('Below the path.').waitFor()
      await page.waitForURL(new RegExp(`^${base()}/chats/[^/]+$`))
      await page.reload()
      await page.getByText('Below the path.').waitFor()
    })

    it('follows its links, also in a new tab, and goes back', async () => {
      const { page, context } = opened
      await page.goto(`${base()}/`)
      await page.getByRole('link', { name: 'Files', exact: true }).click()
      await page.getByRole('heading', { name: 'Files', level: 1 }).waitFor()
      expect(pathOf()).to.equal(`${path}/files`)
      const skills = page.getByRole('link', { name: 'Skills', exact: true })
      const other = context.waitForEvent('page')
      await skills.click({ modifiers: ['ControlOrMeta'] })
      // A tab that the browser has opened by itself is not always let go on by the one who drives it.
      await (await other).close()
      const tab = await context.newPage()
      await tab.goto(await skills.evaluate((link) => (link as unknown as { readonly href: string }).href))
      await tab.getByRole('heading', { name: 'Skills', level: 1 }).waitFor()
      expect(new URL(tab.url()).pathname).to.equal(`${path}/skills`)
      await tab.close()
      await page.goBack()
      await page.getByLabel('What should get done?').waitFor()
      const wrong = await page.evaluate(`[...document.querySelectorAll('[href], [src]')]
        .map((each) => each.getAttribute('href') ?? each.getAttribute('src'))
        .filter((address) => /^\\/(?!\\/)/.test(address) && !address.startsWith('${path}/'))`)
      expect(wrong).to.deep.equal([])
    })

    it('uploads, shows and gives out a file', async () => {
      const { page } = opened
      await page.goto(`${base()}/files`)
      const choose = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Upload' }).click()
      await (await choose).setFiles([
        { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('a text of the path') },
        { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<h2>A page of the path</h2>') },
      ])
      await page.getByRole('button', { name: 'page.html', exact: true }).click()
      await page.frameLocator('.page-view > iframe').frameLocator('iframe').getByText('A page of the path').waitFor()
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', { name: 'note.txt', exact: true })
        .or(page.getByRole('link', { name: 'note.txt' }))
        .first()
        .click()
      await page.getByText('a text of the path').waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download' }).click()
      expect(new URL((await download).url()).pathname).to.equal(`${path}/api/files/content`)
    })

    it('sends a large file in pieces', async () => {
      const { page } = opened
      await page.goto(`${base()}/files`)
      const choose = page.waitForEvent('filechooser')
      const done = page.waitForResponse((answer) => answer.headers()['upload-offset'] === '5000000')
      await page.getByRole('button', { name: 'Upload' }).click()
      await (await choose).setFiles({ name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(5_000_000, 7) })
      await done
      expect(proxy.passed.filter((each) => each.startsWith('PATCH')).length).to.equal(2)
    })

    it('shares a chat at an address below the path, which opens for others', async () => {
      const { page } = opened
      const made = await page.evaluate(`(async () => {
        const { items } = await (await fetch('${path}/api/chats')).json()
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch('${path}/api/shares', { method: 'POST', headers, body: JSON.stringify({ chat_id: items[0].id }) })
        return (await answer.json()).page_url
      })()`)
      expect(made)
        .to.be.a('string')
        .that.matches(new RegExp(`^${base()}/p/`))
      const reader = await openPage({ url: proxy.origin }, { at: 'none' })
      await reader.page.goto(String(made))
      await reader.page.getByText('Below the path.').waitFor()
      expect(reader.complaints).to.deep.equal([])
      await reader.close()
    })

    it('opens a terminal, where programs of agents run on this machine', async () => {
      const { page } = opened
      await page.goto(`${base()}/sandbox`)
      const { confines } = (await page.evaluate(`fetch('${path}/api/sandbox').then((answer) => answer.json())`)) as {
        readonly confines: boolean
      }
      await page.getByRole('button', { name: 'Open terminal' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Agent').selectOption({ index: 1 })
      await dialog.getByRole('button', { name: 'Open', exact: true }).click()
      if (!confines) return void (await dialog.getByRole('alert').waitFor())
      await page.waitForURL(new RegExp(`^${base()}/sandbox/terminals/[^/]+$`))
      return void (await page.getByText('Connected').waitFor())
    })

    it('shows panels of plugins, and the frame of one', async () => {
      const { page } = opened
      await page.goto(`${base()}/panels/panel-dice-board`)
      await page.frameLocator('iframe').getByRole('button').first().waitFor()
      await page.goto(`${base()}/`)
      await page.getByRole('link', { name: 'Throws' }).click()
      await page.getByText('No throws yet.').waitFor()
    })

    it('opens without a network, and keeps what another service of the host has kept', async () => {
      const { page, context } = opened
      await page.goto(`${base()}/`)
      expect(await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => new URL(scope).pathname)')).to.equal(`${path}/`)
      expect(
        await page.evaluate(
          "fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json()).then(({ start_url, icons }) => [new URL(start_url, document.querySelector('link[rel=manifest]').href).pathname, new URL(icons[0].src, document.querySelector('link[rel=manifest]').href).pathname].join(' '))",
        ),
      ).to.equal(`${path}/ ${path}/icon.svg`)
      await page.goto(`${base()}/`)
      await context.setOffline(true)
      await page.goto(`${base()}/components`)
      await page.getByText('The service does not answer.').waitFor()
      await context.setOffline(false)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: 'Components' }).waitFor()
      expect(await page.evaluate('caches.keys()')).to.deep.equal([`console-files@${path}/`])
      const names = await page.evaluate('Object.keys(localStorage).filter((name) => !name.includes("@/agents"))')
      expect(names).to.deep.equal([])
    })

    it('signs out and in again below the path', async () => {
      const { page } = opened
      await page.goto(`${base()}/files`)
      await page.getByRole('button', { name: 'ada' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(pathOf()).to.equal(`${path}/`)
      await page.locator('input[autocomplete=username]').fill(ada.username)
      await page.getByLabel('Password', { exact: true }).fill(ada.password)
      await page.keyboard.press('Enter')
      await page.getByLabel('What should get done?').waitFor()
    })

    it('asked for nothing beside the path, and had nothing to complain about', () => {
      expect(outside).to.deep.equal([])
      expect(opened.complaints.filter((each) => !each.includes('ERR_INTERNET_DISCONNECTED'))).to.deep.equal([])
    })

    it('leaves other services of the host alone', async () => {
      const { page } = opened
      await page.goto(`${base()}/`)
      await page.evaluate(`(() => {
        const link = document.createElement('a')
        link.href = '/other'
        link.textContent = 'Elsewhere'
        document.body.append(link)
        link.click()
      })()`)
      await page.getByRole('heading', { name: 'Another service' }).waitFor()
      expect(pathOf()).to.equal('/other')
    })

    it('works in a tunnel to the service itself, without the proxy', async () => {
      const direct = await openPage({ url: agents.kernel.url }, { at: 'none' })
      const { page, close } = direct
      await page.goto('/files?view=bin')
      await page.locator('input[autocomplete=username]').fill(ada.username)
      await page.getByLabel('Password', { exact: true }).fill(ada.password)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'ada' }).waitFor()
      expect(page.url()).to.equal(`${agents.kernel.url}${path}/files?view=bin`)
      await page.reload()
      await page.getByRole('button', { name: 'ada' }).waitFor()
      await close()
    })
  })

describe('single sign-on to the console below a path', function () {
  this.timeout(90_000)
  let proxy: PathProxy
  let service: SignOnService
  const base = (): string => `${proxy.origin}${path}`

  before(async () => {
    proxy = await startPathProxy()
    const origin = proxy.origin.replace('127.0.0.1', 'localhost')
    service = await startSignOnService({
      SERVICE_SERVER_BASE_URL: `${origin}${path}`,
      SERVICE_SSO_DISABLE_LOCAL_AUTH: 'true',
      SERVICE_MEMORY_BACKEND: 'basic',
    })
    proxy.serve(path, { url: service.kernel.url, removesPath: true })
    service.peer.serve(`${origin}${path}/api/auth/sso/callback`)
    service.peer.people.set('ada', { email: 'ada@example.org', email_verified: true, preferred_username: 'ada' })
  })
  after(async () => {
    await closeBrowser()
    await service?.stop()
    await proxy?.close()
  })

  it('leads to the page that was asked for', async () => {
    const { page, complaints, close } = await openPage({ url: base() }, { at: 'none' })
    const home = base().replace('127.0.0.1', 'localhost')
    await page.goto(`${home}/?setup_code=${setUpCodeOf(service.kernel)}`)
    await page.getByRole('link', { name: 'Continue with single sign-on' }).click()
    await page.locator('input[name="subject"]').fill('ada')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Add a model provider' }).waitFor()
    expect(new URL(page.url()).pathname).to.match(/^\/agents\//)
    await page.evaluate(`fetch('${path}/api/auth/logout', { method: 'POST' }).then((answer) => answer.status)`)
    await page.goto(`${home}/somewhere?a=1`)
    await page.getByRole('link', { name: 'Continue with single sign-on' }).click()
    // The provider knows her by now.
    await page.getByRole('button', { name: 'ada' }).waitFor()
    expect(page.url()).to.equal(`${home}/somewhere?a=1`)
    expect(complaints).to.deep.equal([])
    await close()
  })
})

describe('the console at the root of a host with other services below it', function () {
  this.timeout(90_000)

  it('keeps its own page for when there is no network, whatever else was opened', async () => {
    const wiki = createServer((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>A wiki</h1>'))
    await new Promise<void>((resolve) => {
      wiki.listen(0, '127.0.0.1', resolve)
    })
    const proxy = await startPathProxy()
    const kernel = await createTestKernel()
    proxy.serve('/wiki', { url: `http://127.0.0.1:${(wiki.address() as AddressInfo).port}`, removesPath: true })
    proxy.serve('', { url: kernel.url, removesPath: true })
    const { page, context, close } = await openPage({ url: proxy.origin }, { at: 'none' })
    await page.goto('/')
    await page.evaluate("navigator.serviceWorker.ready.then(() => 'ready')")
    await page.goto('/components')
    await page.goto('/wiki/page')
    await page.getByRole('heading', { name: 'A wiki' }).waitFor()
    await context.setOffline(true)
    await page.goto('/')
    await page.getByText('The service does not answer.').waitFor()
    await close()
    await closeBrowser()
    await kernel.stop()
    await proxy.close()
    await new Promise<void>((resolve) => {
      wiki.close(() => resolve())
    })
  })
})
