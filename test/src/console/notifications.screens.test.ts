import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import type { EventStream } from '../support/api.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }

async function* answer(request: ModelRequest): AsyncGenerator<ModelEvent> {
  if (JSON.stringify(request.messages).includes('Fail')) throw new Error('The vendor is gone.')
  yield* says('There are three invoices, and two of them are overdue: those of the printer and of the cleaning.')
}

describe('the notifications of the console', function () {
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
  const rowOf = (title: string) => opened.page.locator('.notifications-row', { hasText: title })
  const bell = () => opened.page.locator('.side .nav', { hasText: 'Notifications' })

  it('are an empty list at first', async () => {
    const { page, open, inspect } = opened
    await open('/notifications')
    await page.getByText('No notifications', { exact: true }).waitFor()
    expect(await inspect('notifications-empty')).to.deep.equal([])
  })

  it('arrive while another screen is shown: a number at the bell, and a quiet word that leads to them', async () => {
    const { page, open } = opened
    await open('/files')
    await runTask('Count the invoices')
    await bell().locator('.count', { hasText: '1' }).waitFor()
    await page.locator('.toast', { hasText: 'Count the invoices' }).getByRole('button', { name: 'Show' }).click()
    await rowOf('Count the invoices').waitFor()
    expect(await rowOf('Count the invoices').innerText())
      .to.include('A task is completed')
      .and.include('two of them are overdue')
  })

  it('arrive in the open list, without a toast, and are marked, read as a whole, and deleted', async () => {
    const { page, inspect } = opened
    await runTask('Fail to count', 'Fail, please.')
    await rowOf('Fail to count').waitFor()
    expect(await page.locator('.toast', { hasText: 'Fail to count' }).count()).to.equal(0)
    await runTask('Write to the printer about the overdue invoice of November and ask for a payment plan')
    await bell().locator('.count', { hasText: '3' }).waitFor()
    await rowOf('Fail to count').getByRole('button', { name: 'Actions for' }).click()
    await page.getByRole('menuitem', { name: 'Mark as read' }).click()
    await bell().locator('.count', { hasText: '2' }).waitFor()
    expect(await inspect('notifications')).to.deep.equal([])
    await page.locator('.notifications-tabs').getByRole('link', { name: 'Unread' }).click()
    await page.getByText('Fail to count').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await bell().locator('.count').waitFor({ state: 'hidden' })
    await page.getByText('Nothing unread').waitFor()
    await page.locator('.notifications-tabs').getByRole('link', { name: 'All' }).click()
    await rowOf('Fail to count').getByRole('button', { name: 'Actions for' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await rowOf('Fail to count').waitFor({ state: 'hidden' })
    const { body } = await person.request('GET', '/api/notifications')
    expect((body['items'] as readonly object[]).length).to.equal(2)
    expect(body['unread']).to.equal(0)
  })

  it('lead to what they are about', async () => {
    const { page } = opened
    await page.getByRole('link', { name: 'Count the invoices' }).click()
    await page.getByRole('heading', { name: 'Count the invoices', level: 1 }).waitFor()
  })

  it('are chosen by kind, and a kind that is off stays away', async () => {
    const { page, open, inspect } = opened
    await open('/notifications/settings')
    await page.getByText('No e-mails are sent, because this service has no mail server.').waitFor()
    await page.getByText('None is configured. Set host and sender in the settings.').waitFor()
    expect(await inspect('notifications-settings')).to.deep.equal([])
    const choice = page.locator('.notifications-choice', { hasText: 'A task is completed' })
    expect(await choice.getByRole('switch', { name: 'By e-mail' }).isDisabled()).to.equal(true)
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await choice.getByRole('switch', { name: 'In the list' }).click()
    await saved
    const { body } = await person.request('GET', '/api/notifications/preferences')
    const kinds = body['kinds'] as readonly { readonly kind: string; readonly app: boolean }[]
    expect(kinds.find(({ kind }) => kind === 'task.completed')?.app).to.equal(false)
    const created = await person.request('POST', '/api/tasks', { title: 'Silent', instruction: 'Count.' })
    await stream.until(({ name, data }) => name === 'notification.requested' && data['title'] === 'Silent')
    expect(created.status).to.equal(201)
    await runTask('Fail loudly', 'Fail, please.')
    await open('/notifications')
    await rowOf('Fail loudly').waitFor()
    expect(await rowOf('Silent').count()).to.equal(0)
  })

  it('are German for those who read German', async () => {
    const { page, open, inspect, complaints } = opened
    await open('/profile')
    await page.getByLabel('Language', { exact: true }).selectOption('de')
    await open('/notifications')
    await page.getByRole('heading', { name: 'Benachrichtigungen', level: 1 }).waitFor()
    await page.getByText('Eine Aufgabe ist gescheitert').first().waitFor()
    expect(await inspect('notifications-de')).to.deep.equal([])
    await open('/notifications/settings')
    await page.getByText('Es werden keine E-Mails gesendet, weil dieser Dienst keinen Mailserver hat.').waitFor()
    expect(await inspect('notifications-settings-de')).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })
})
