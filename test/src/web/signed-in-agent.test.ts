import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type SitePages, setTraps, type Traps } from '@agent-service/feature-browser/testing'
import { expect } from 'chai'
import type { Person } from '../agents/support/agents-kernel.js'
import { encodingsOf } from '../credentials/support/encodings.js'
import { type BrowsingKernel, startBrowsingKernel } from './support/browsing-kernel.js'
import { refOf, type Step, type Walk, walk } from './support/stepping-agent.js'

const password = 'Canary-7f3a-correct-horse-battery'
const encoded = Buffer.from(password).toString('base64')
const report = 'cups,price\n2,7\n'

const signIn = `<!doctype html><title>Sign in</title><form action=/sign-in method=post>
  <label>User <input name=user></label> <label>Password <input type=password name=password></label><button>Sign in</button></form>`
/** A site that shows what it should not. */
const members = `<!doctype html><title>Members</title><p>Your password is ${password}, or ${encoded}.</p>
  <form action=/order method=post><label>Order <textarea name=order></textarea></label><button>Send</button></form>`

/** Tries addresses that no page may reach, and shows the ways that were open. */
const attackOn = (urls: readonly string[]): string => `<!doctype html><title>busy</title><body><script type=module>
  const open = []
  const way = async (name, work) => { try { await work(); open.push(name) } catch {} }
  for (const url of ${JSON.stringify(urls)}) {
    await way('fetch ' + url, async () => (await fetch(url)).text())
    await way('image ' + url, () => new Promise((resolve, reject) => { const image = new Image(); image.onload = resolve; image.onerror = reject; image.src = url }))
    await way('socket ' + url, () => new Promise((resolve, reject) => { const socket = new WebSocket(url.replace(/^http/, 'ws')); socket.onopen = resolve; socket.onerror = reject }))
    document.body.append(Object.assign(document.createElement('iframe'), { src: url }))
    navigator.sendBeacon(url, 'x')
  }
  await way('the site itself', () => fetch('/sign-in'))
  await way('profile', () => fetch('file:///profiles/ada/assistant/Default/Cookies'))
  document.body.append('open: ' + JSON.stringify(open) + ' cookies: ' + (document.cookie || 'none'))
</script>`

describe('an agent that signs in', function () {
  this.timeout(120_000)
  let traps: Traps
  let service: BrowsingKernel
  let ada: Person
  let signedIn: Walk
  const orders: string[] = []
  const passwords: (string | null)[] = []

  before(async () => {
    traps = await setTraps()
    service = await startBrowsingKernel((request, response, body) => pages(request, response, body))
    ada = await service.person('ada')
    await ada.request('PATCH', `/api/agents/${ada.agentId}`, { tools: browserTools, approval: { '*': 'never' } })
    const fields = [{ name: 'password', value: password }]
    const made = await ada.request('POST', '/api/credentials', { name: 'shop', title: 'The shop', fields })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    const grant = { agent_id: ada.agentId, source: { kind: 'local', credential_id: made.body['id'] } }
    expect((await ada.request('POST', '/api/credentials/grants', grant)).status).to.equal(201)
    signedIn = await walk(ada, stepsOf(service.home, service.kernel.url), 'Fill it in')
  })
  after(async () => {
    await service?.close()
    traps?.close()
  })

  const pages: SitePages = (request, response, body) => {
    const isMember = request.headers.cookie === 'member=ada'
    response.setHeader('content-type', 'text/html')
    if (request.url === '/sign-in' && request.method === 'POST') {
      passwords.push(new URLSearchParams(body).get('password'))
      const isRight = passwords.at(-1) === password
      if (isRight) response.setHeader('set-cookie', 'member=ada; Max-Age=3600; HttpOnly; Path=/')
      return void response.writeHead(303, { location: isRight ? '/members' : '/sign-in' }).end()
    }
    if (request.url === '/sign-in') return void response.end(signIn)
    if (request.url === '/attack')
      return void response.end(
        attackOn([
          `http://127.0.0.1:${traps.tcpPort}/`,
          `http://localhost:${traps.tcpPort}/`,
          `http://trap.test:${traps.tcpPort}/`,
          'http://169.254.169.254/latest/meta-data/',
          'http://metadata.test/',
          'http://inner.test/',
          `${service.kernel.url}/healthz`,
        ]),
      )
    if (!isMember) return void response.writeHead(403).end('<title>Closed</title><p>Members only</p>')
    if (request.url === '/members') return void response.end(members)
    if (request.url === '/order') {
      orders.push(new URLSearchParams(body).get('order') ?? '')
      return void response.end('<title>Thank you</title><a href=/report>Report</a>')
    }
    response.setHeader('content-disposition', 'attachment; filename="report.csv"')
    response.end(report)
  }

  it('is asked about by name and origin, and the site gets what the model does not see', () => {
    expect(signedIn.asked).to.have.length(1)
    expect(signedIn.asked[0]).to.contain('shop').and.contain(service.home).and.contain('NOT encrypted')
    expect(passwords).to.deep.equal([password])
    expect(signedIn.results[2])
      .to.contain('Title: Members')
      .and.match(/Your password is \[credential shop\], or \[credential shop\]/)
  })

  it('fills in a form and downloads a file into its workspace', async () => {
    expect(orders).to.deep.equal(['Two cups'])
    expect(signedIn.results[5]).to.contain('downloads/report.csv')
    const stored = path.join(service.kernel.folder, 'data/users/ada/workspaces/assistant/downloads/report.csv')
    expect(await readFile(stored, 'utf8')).to.equal(report)
    const named = (await ada.messages(signedIn.chatId)).flatMap(
      (message) => (message as { readonly made_files?: readonly object[] }).made_files ?? [],
    )
    expect(named).to.have.length(1)
    expect(named[0]).to.include({ path: 'workspaces/assistant/downloads/report.csv', size: report.length })
  })

  it('is led nowhere by a hostile page', () => {
    const [opened, waited, metadata, own, profile] = signedIn.results.slice(6)
    expect(opened).to.contain('The page is open')
    expect(waited).to.contain('open: ["the site itself"] cookies: none')
    for (const refused of [metadata, own, profile]) expect(refused).to.match(/not public|this service itself|is no address of a page/)
    expect(traps.caught).to.deep.equal([])
  })

  it('shares nothing with the agent of another person', async () => {
    const eve = await service.person('eve')
    await eve.request('PATCH', `/api/agents/${eve.agentId}`, { tools: browserTools, approval: { '*': 'never' } })
    const look: Step = () => ['browser_navigate', { url: `${service.home}/members` }]
    expect((await walk(eve, [look], 'Refuse')).results[0]).to.contain('Members only')
    expect((await walk(ada, [look], 'Refuse')).results[0]).to.contain('Title: Members')
    const [session] = (await ada.request('GET', '/api/browser')).body['sessions'] as readonly { readonly id: string }[]
    for (const [method, place] of [
      ['GET', `/api/browser/sessions/${session?.id}/screenshot`],
      ['DELETE', `/api/browser/sessions/${session?.id}`],
    ] as const)
      expect((await eve.request(method, place)).status).to.equal(404)
  })

  it('leaves the secret in no request to the model, event, log line or file', async () => {
    const places = {
      'the requests to the model': JSON.stringify(signedIn.requests),
      'the events': JSON.stringify(signedIn.events),
      'the messages': JSON.stringify(await ada.messages(signedIn.chatId)),
      'the log': JSON.stringify(service.kernel.log),
      'the store': await storedText(path.join(service.kernel.folder, 'data')),
    }
    for (const [place, text] of Object.entries(places)) {
      const found = Object.entries(encodingsOf(password)).filter(([, encoding]) => text.includes(encoding))
      expect(found, place).to.deep.equal([])
      expect(text.length, place).to.be.greaterThan(100)
    }
    for (const place of ['the requests to the model', 'the events', 'the messages', 'the store'] as const)
      expect(places[place], place).to.contain('[credential shop]')
    const { items } = (await ada.request('GET', '/api/credentials/log')).body as { readonly items: readonly object[] }
    expect(JSON.stringify(items)).to.contain(service.home)
  })
})

const browserTools = ['navigate', 'fill', 'click', 'download', 'wait_for', 'close'].map((name) => `browser_${name}`)

/** Signs in, orders, downloads, and is led to pages that lead elsewhere. */
const stepsOf = (home: string, own: string): readonly Step[] => {
  const go =
    (url: string): Step =>
    () => ['browser_navigate', { url }]
  return [
    go(`${home}/sign-in`),
    (seen) => ['browser_fill', { ref: refOf(seen, 'textbox "User"'), text: 'ada' }],
    (seen) => [
      'browser_fill',
      { ref: refOf(seen, 'textbox "Password"'), credential: { name: 'shop', field: 'password', origin: home }, submit: true },
    ],
    (seen) => ['browser_fill', { ref: refOf(seen, 'textbox "Order"'), text: 'Two cups' }],
    (seen) => ['browser_click', { ref: refOf(seen, 'button "Send"'), element: 'the button Send' }],
    (seen) => ['browser_download', { ref: refOf(seen, 'link "Report"') }],
    go(`${home.replace('site.test', 'evil.test')}/attack`),
    () => ['browser_wait_for', { text: 'open: ', seconds: 30 }],
    go('http://169.254.169.254/latest/meta-data/'),
    go(`${own}/api/auth/me`),
    go('file:///profiles/ada/assistant/Default/Cookies'),
  ]
}

/** All files but those of workspaces, as one text. */
async function storedText(data: string): Promise<string> {
  const entries = (await readdir(data, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const files = entries.map((entry) => path.join(entry.parentPath, entry.name)).filter((file) => !file.includes('/workspaces/'))
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')
}
