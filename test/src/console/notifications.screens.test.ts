import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import type { Worker } from 'playwright-core'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import type { EventStream } from '../support/api.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

/**
 * The headless browser has no push service: it subscribes to this one instead. And it says that
 * notifications are denied, although they were granted and it says so when asked. Counts how often
 * the person was asked.
 */
const pushService = `(() => {
  const read = () => JSON.parse(localStorage.getItem('test.push') ?? 'null')
  const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0)).buffer
  const subscriptionOf = ({ key, ...json }) => ({
    ...{ endpoint: json.endpoint, options: { userVisibleOnly: true, applicationServerKey: bytesOf(key) }, toJSON: () => json },
    unsubscribe: async () => (localStorage.removeItem('test.push'), true),
  })
  PushManager.prototype.getSubscription = async () => read() && subscriptionOf(read())
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
    const made = { endpoint: 'https://push.invalid/' + Date.now(), keys: { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' }, key }
    localStorage.setItem('test.push', JSON.stringify(made))
    return subscriptionOf(made)
  }
  const ask = Notification.requestPermission.bind(Notification)
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
  window.asked = 0
  Notification.requestPermission = () => ((window.asked += 1), ask())
})()`

async function* answer(request: ModelRequest): AsyncGenerator<ModelEvent> {
  if (JSON.stringify(request.messages).includes('Fail')) throw new Error('The vendor is gone.')
  yield* says('There are three invoices, and two of them are overdue: those of the printer and of the cleaning.')
}

describe('notifications in this browser', function () {
  this.timeout(90_000)
  let agents: AgentsKernel
  let person: Person
  let stream: EventStream
  let opened: ConsolePage
  before(async () => {
    setScript({ answer })
    agents = await startAgentsKernel()
    person = await agents.person('ada')
    stream = await person.stream()
    opened = await openPage(agents.kernel, { credentials: ada, at: 'none' })
    await opened.context.grantPermissions(['notifications'], { origin: agents.kernel.url })
    await opened.context.addInitScript(pushService)
  })
  after(async () => {
    stream?.close()
    await opened?.close()
    await closeBrowser()
    await agents?.close()
  })

  /** Runs a task to its end and waits until its owner has been told. */
  const runTask = async (title: string, instruction = 'Count the invoices.'): Promise<void> => {
    const { status, body } = await person.request('POST', '/api/tasks', { title, instruction, max_retries: 0 })
    expect(status, JSON.stringify(body)).to.equal(201)
    await stream.until(({ name, data }) => name === 'notification.created' && data['title'] === title)
  }
  const devices = async (): Promise<readonly { readonly id: string; readonly name: string }[]> => {
    const answer = await opened.context.request.get('/api/notifications/devices')
    return ((await answer.json()) as { readonly devices: [] }).devices
  }
  const button = () => opened.page.getByRole('button', { name: 'Notify me in this browser' })
  const stored = () => opened.page.evaluate("localStorage.getItem('test.push')")

  it('are asked for by a click alone, and say on which device they are', async () => {
    const { page, open, inspect } = opened
    await open('/notifications/settings')
    await button().waitFor()
    expect(await page.evaluate('window.asked')).to.equal(0)
    expect(await inspect('push-off')).to.deep.equal([])
    await button().click()
    await page.getByText('(this browser)').waitFor()
    await page.getByText('This browser notifies you until you sign out.').waitFor()
    expect(await page.evaluate('window.asked')).to.equal(1)
    expect((await devices()).map(({ name }) => name)).to.deep.equal(['Chrome, Linux'])
    expect(await inspect('push-on')).to.deep.equal([])
  })

  it('stay on in a new session, without a question', async () => {
    const [before] = await devices()
    await opened.context.request.delete(`/api/notifications/devices/${before?.id}`)
    await opened.open('/notifications/settings')
    await opened.page.getByText('This browser notifies you until you sign out.').waitFor()
    expect((await devices()).length).to.equal(1)
    expect(await opened.page.evaluate('window.asked')).to.equal(0)
  })

  it('are shown by the service worker, and lead into the page that is open', async () => {
    const { open } = opened
    await open('/files')
    const deliver = await deliveryOf(opened, agents.kernel.url)
    const [first] = await deliver(
      JSON.stringify({ title: 'A task failed', body: 'Invoices', link: '/notifications/unread', tag: 'one', unread: 3 }),
    )
    expect(first).to.deep.include({
      title: 'A task failed',
      body: 'Invoices',
      tag: 'one',
      icon: '/icon-192.png',
      unread: 3,
      link: '/notifications/unread',
    })
    expect((await deliver('no message')).at(-1)).to.include({ title: 'Agent Service', body: '' })
    await click(opened, '/notifications/unread')
    await opened.page.waitForURL('**/notifications/unread')
  })

  it('lead nowhere else, whatever a message says', async () => {
    for (const link of ['https://evil.example/', '//evil.example', '/\\evil.example', '/a b', 7, null]) {
      await opened.open('/files')
      await click(opened, link)
      await opened.page.waitForURL(`${agents.kernel.url}/`)
    }
  })

  it('are tried and removed on the page', async () => {
    const { page, open } = opened
    await open('/notifications/settings')
    await page.getByRole('button', { name: 'Send a test to Chrome, Linux' }).click()
    await page.locator('.toast', { hasText: 'The push service did not take the test.' }).waitFor()
    await page.getByRole('button', { name: 'Remove Chrome, Linux' }).click()
    await button().waitFor()
    expect([await devices(), await stored()]).to.deep.equal([[], null])
  })

  it('end with the session, in the service and in the browser', async () => {
    const { page, open } = opened
    await open('/notifications/settings')
    await button().click()
    await page.getByText('(this browser)').waitFor()
    await page.locator('button.who').click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await stored()).to.equal(null)
    await opened.context.request.post('/api/auth/login', { data: ada })
    expect(await devices()).to.deep.equal([])
  })

  it('say how to mend it where the browser refuses, and arrive in an open page, in German too', async () => {
    const { page, context, open, inspect, complaints, close } = await openPage(agents.kernel, {
      credentials: ada,
      at: 'none',
      locale: 'de-DE',
    })
    const row = (title: string) => page.locator('.notifications-row', { hasText: title })
    const bell = page.locator('.side .nav', { hasText: 'Benachrichtigungen' })
    await context.clearPermissions()
    await context.addInitScript("Object.defineProperty(Notification, 'permission', { get: () => 'denied' })")
    await open('/notifications/settings')
    await page.getByText('Dieser Browser lässt nicht zu', { exact: false }).waitFor()
    await page.getByText('Es werden keine E-Mails gesendet, weil dieser Dienst keinen Mailserver hat.').waitFor()
    expect(await inspect('notifications-settings')).to.deep.equal([])
    await page.locator('.notifications-tabs').getByRole('link', { name: 'Alle' }).click()
    await page.getByText('Keine Benachrichtigungen', { exact: true }).waitFor()
    expect(await inspect('notifications-empty')).to.deep.equal([])

    await page.locator('.side').getByRole('link', { name: 'Dateien' }).click()
    await page.getByRole('heading', { name: 'Dateien', level: 1 }).waitFor()
    await runTask('Count the invoices')
    await bell.locator('.count', { hasText: '1' }).waitFor()
    await page.locator('.toast', { hasText: 'Count the invoices' }).getByRole('button', { name: 'Anzeigen' }).click()
    await row('Count the invoices').getByText('two of them are overdue').waitFor()
    await runTask('Write to the printer about the overdue invoice of November and ask for a payment plan', 'Fail, please.')
    await row('Write to the printer').getByText('Eine Aufgabe ist gescheitert').waitFor()
    await row('Write to the printer').getByRole('button', { name: 'Aktionen für' }).click()
    await page.getByRole('menuitem', { name: 'Als gelesen markieren' }).click()
    await bell.locator('.count', { hasText: '1' }).waitFor()
    expect(await inspect('notifications')).to.deep.equal([])

    await page.getByRole('link', { name: 'Count the invoices' }).click()
    await page.getByRole('heading', { name: 'Count the invoices', level: 1 }).waitFor()
    await bell.locator('.count').waitFor({ state: 'hidden' })
    expect(complaints).to.deep.equal([])
    await close()
  })
})

interface Shown {
  readonly title: string
  readonly body: string
  readonly tag?: string
  readonly icon: string
  readonly link?: string
  readonly unread?: number
}

/**
 * The headless browser shows no notifications, and ends when it should show a number on an icon: what
 * the service worker asks for is kept instead.
 */
const keepShown = `self.shown ??= (() => {
  const shown = []
  WorkerNavigator.prototype.setAppBadge = async (count) => void (self.badge = count)
  ServiceWorkerRegistration.prototype.showNotification = async (title, { data, ...options }) => void shown.push({ title, ...options, link: data.link })
  return shown
})()`

const workerOf = async ({ context, page }: ConsolePage): Promise<Worker> => {
  await page.evaluate("navigator.serviceWorker.ready.then(() => 'ready')")
  return context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker')
}

/** Hands messages to the service worker, as a push service does. Resolves with all that were shown. */
async function deliveryOf(opened: ConsolePage, url: string): Promise<(data: string) => Promise<readonly Shown[]>> {
  const worker = await workerOf(opened)
  await worker.evaluate(keepShown)
  const session = await opened.context.newCDPSession(opened.page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL.startsWith(url) && !isDeleted)
      if (own) resolve(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  let count = 0
  return async (data) => {
    count += 1
    await session.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data })
    return eventually(
      async () => {
        const shown = (await worker.evaluate('self.shown.map((each) => ({ ...each, unread: self.badge }))')) as readonly Shown[]
        return shown.length >= count && shown
      },
      { what: 'what the service worker shows' },
    )
  }
}

/** What the service worker does when a person clicks; only a person's click lets it bring a tab to the front. */
async function click(opened: ConsolePage, link: unknown): Promise<void> {
  const worker = await workerOf(opened)
  await worker.evaluate(`openLink({ close: () => undefined, data: { link: ${JSON.stringify(link)} } }).catch(() => undefined)`)
}
