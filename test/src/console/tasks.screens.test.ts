import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { type ConsolePage, closeBrowser, openPage, refusalReport } from './open-page.js'

const ada = { username: 'ada', password: 'a long enough password' }
const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

const messageOf = (request: ModelRequest): string => {
  const first = request.messages.find(({ role }) => role === 'user')?.content[0]
  return first?.type === 'text' ? first.text : ''
}

/** An answer that creates tasks and waits for all of them. */
async function* createsTasks(...titles: readonly string[]): AsyncGenerator<ModelEvent> {
  const content = titles.map((title, index) => ({
    ...{ type: 'tool_call' as const, call_id: `vendor-${index}`, name: 'create_task' },
    arguments: { title, instruction: `${title}, please.`, wait: true },
  }))
  yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
}

/** What the model does, by the words of the task. */
async function* answer(request: ModelRequest): AsyncGenerator<ModelEvent> {
  const message = messageOf(request)
  if (message.includes('Fail')) throw new Error('The vendor is gone.')
  const isFirst = resultsIn(request).length === 0
  if (message.includes('Ask me') && isFirst) yield* calls('tool__read')
  else if (message.includes('Move house') && isFirst) yield* createsTasks('Pack the books', 'Order a van')
  else yield* says('There are three invoices, and two of them are overdue.')
}

/** A time as the console of these tests shows it. */
const shownTime = (moment: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    timeZone,
  }).format(new Date(moment))

describe('the tasks of the console', function () {
  this.timeout(90_000)
  let agents: AgentsKernel
  let person: Person
  let opened: ConsolePage

  before(async () => {
    setScript({ answer })
    agents = await startAgentsKernel({ environment: { SERVICE_SERVER_TIMEZONE: 'America/New_York' } })
    person = await agents.person('ada')
    const tools = ['create_task', 'tool__read']
    await person.request('PATCH', `/api/agents/${person.agentId}`, { name: 'Clerk', tools, approval: { tool__read: 'always' } })
    opened = await openPage(agents.kernel, { credentials: ada, at: 'none' })
  })
  after(async () => {
    await opened?.close()
    await closeBrowser()
    await agents?.close()
  })

  const create = async (input: object): Promise<string> => {
    const { status, body } = await person.request('POST', '/api/tasks', input)
    expect(status, JSON.stringify(body)).to.equal(201)
    return String(body['id'])
  }
  const rowOf = (title: string) => opened.page.locator('.tasks-row', { hasText: title })
  const headState = (word: string) => opened.page.locator('.page-head .badge', { hasText: word }).waitFor()

  it('are created in a form that says what is missing, run, and show answer, log and chat', async () => {
    const { page, open, inspect } = opened
    await open('/tasks')
    await page.getByText('No tasks yet').waitFor()
    expect(await inspect('tasks-empty')).to.deep.equal([])
    await page.getByRole('link', { name: 'New task' }).click()
    await page.getByRole('button', { name: 'Create task' }).click()
    await page.getByText('Fill in this field.').waitFor()
    await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'Clerk' })
    await page.getByLabel('Instruction', { exact: true }).fill('Count the invoices of November, and say which are overdue.')
    await page.getByLabel('Title', { exact: true }).fill('Count the invoices')
    await page.getByText('More settings').click()
    await page.getByLabel('Retries', { exact: true }).fill('')
    await page.getByLabel('Ask for a result in a certain form', { exact: true }).check()
    await page.getByLabel('JSON Schema', { exact: true }).fill('{')
    await page.getByRole('button', { name: 'Create task' }).click()
    await page.getByText('This is not a JSON object.').waitFor()
    expect(await inspect('task-form-more')).to.deep.equal([])
    await page.getByLabel('Ask for a result in a certain form', { exact: true }).uncheck()
    await page.getByLabel('Retries', { exact: true }).fill('1')
    await page.getByRole('button', { name: 'Create task' }).click()
    await page.getByRole('heading', { name: 'Count the invoices', level: 1 }).waitFor()
    await headState('Completed')
    await page.locator('.tasks-run', { hasText: '15 tokens' }).waitFor()
    expect(await inspect('task')).to.deep.equal([])
    await page.locator('.tasks-run a').click()
    await page.getByText('There are three invoices, and two of them are overdue.').first().waitFor()
    await page.locator('.tasks-log').getByText('Completed', { exact: true }).waitFor()
    await page.locator('.tasks-facts').getByText('Not known').waitFor()
    expect(await inspect('task-run')).to.deep.equal([])
    await page.getByRole('link', { name: 'Open chat' }).click()
    await page.waitForURL(/\/chats\/[^/]+$/)
    await page.getByText('There are three invoices, and two of them are overdue.').waitFor()
  })

  it('say in a sentence why they failed, and run again', async () => {
    const { page, open, inspect } = opened
    const id = await create({ title: 'Call the vendor', instruction: 'Fail.', max_retries: 0 })
    await open('/tasks')
    const row = rowOf('Call the vendor')
    await row.getByText('The model failed.').waitFor()
    await row.getByText('The model could not be called').waitFor()
    await open(`/tasks/${id}`)
    await page.locator('.tasks-problem', { hasText: 'The model could not be called' }).waitFor()
    await page.locator('.tasks-run', { hasText: 'Failed' }).waitFor()
    expect(await inspect('task-failed')).to.deep.equal([])
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.locator('.tasks-run').nth(1).waitFor()
    await page.locator('.tasks-run', { hasText: 'The model failed.' }).nth(1).waitFor()
  })

  it('repeat by a schedule that is read out and previewed in its zone and here, and is paused, run, changed and cancelled', async () => {
    const { page, open, inspect } = opened
    await open('/tasks/schedules')
    await page.getByText('No schedules yet').waitFor()
    await page.getByRole('link', { name: 'New schedule' }).click()
    await page.getByLabel('Instruction', { exact: true }).fill('Write a report of the week.')
    await page.getByLabel('Title', { exact: true }).fill('Weekly report')
    await page.getByLabel('Schedule', { exact: true }).fill('61 9 * * FRI')
    await page.getByText('must be 0 to 59').waitFor()
    expect(await inspect('task-form-wrong-schedule')).to.deep.equal([])
    await page.getByLabel('Schedule', { exact: true }).fill('30 17 * * FRI')
    await page.getByLabel('Time zone', { exact: true }).selectOption('Asia/Tokyo')
    const preview = page.getByRole('region', { name: 'Next runs' })
    await preview.getByText('Every Friday at 17:30').waitFor()
    await preview.getByText('Here (Europe/Berlin)').waitFor()
    const { body } = await person.request('GET', '/api/schedules/next-times?cron=30+17+*+*+FRI&timezone=Asia/Tokyo')
    const times = body['times'] as readonly string[]
    await preview.getByText(shownTime(times[0] ?? '', 'Asia/Tokyo')).waitFor()
    expect(await preview.locator('tbody tr').allTextContents()).to.deep.equal(
      times.map((time) => shownTime(time, 'Asia/Tokyo') + shownTime(time, 'Europe/Berlin')),
    )
    await preview.scrollIntoViewIfNeeded()
    expect(await inspect('task-form-schedule')).to.deep.equal([])
    await page.getByRole('button', { name: 'Create task' }).click()
    await headState('Scheduled')
    await page.getByText('Every Friday at 17:30').waitFor()
    expect(await inspect('task-schedule')).to.deep.equal([])

    await page.getByRole('button', { name: 'Pause' }).click()
    await headState('Paused')
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.locator('.tasks-run', { hasText: 'Completed' }).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await headState('Scheduled')

    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Repeats', { exact: true }).selectOption({ label: 'Monday to Friday at 09:00' })
    await page.getByLabel('Time zone', { exact: true }).selectOption('')
    await page.getByRole('region', { name: 'Next runs' }).getByText('America/New York').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('America/New York, follows your profile').waitFor()

    await open('/tasks/schedules')
    await rowOf('Weekly report').getByText('Next five runs').click()
    await rowOf('Weekly report').locator('tbody tr').nth(4).waitFor()
    expect(await inspect('tasks-schedules')).to.deep.equal([])
    await rowOf('Weekly report').getByRole('button', { name: 'Actions for Weekly report' }).click()
    await page.getByRole('menuitem', { name: 'Cancel…' }).click()
    await page.getByRole('dialog').getByText('It will not happen again.').waitFor()
    expect(await inspect('task-cancel')).to.deep.equal([])
    await page.getByRole('button', { name: 'Cancel the task' }).click()
    await page.getByText('No schedules yet').waitFor()
  })

  it('are reminders and heartbeats too', async () => {
    const { page, open, inspect } = opened
    await open('/tasks/reminders')
    await page.getByRole('link', { name: 'New reminder' }).click()
    await page.getByLabel('Text', { exact: true }).fill('Renew the certificate.')
    await page.getByLabel('Date and time', { exact: true }).fill('2001-01-01T09:00')
    await page.getByRole('button', { name: 'Create reminder' }).click()
    await page.getByText('This time has passed.').waitFor()
    await page.getByLabel('Date and time', { exact: true }).fill('2999-01-01T09:00')
    await page.getByRole('button', { name: 'Create reminder' }).click()
    await page.getByRole('heading', { name: 'Renew the certificate.', level: 1 }).waitFor()
    const { body } = await person.request('GET', '/api/tasks?kind=reminder')
    expect(body['items']).to.have.length(1)
    expect((body['items'] as readonly Readonly<Record<string, unknown>>[])[0]?.['due_at']).to.equal('2999-01-01T08:00:00.000Z')

    await open('/tasks/heartbeats')
    await page.getByText('No heartbeats yet').waitFor()
    await page.getByRole('link', { name: 'New heartbeat' }).click()
    await page.getByLabel('Instruction', { exact: true }).fill('Read the inbox, and report what is urgent.')
    await page.getByLabel('Title', { exact: true }).fill('Inbox')
    await page.getByLabel('Looks at', { exact: true }).selectOption('file')
    await page.getByLabel('File or folder', { exact: true }).fill('inbox.md')
    await page.getByLabel('Runs in 24 hours', { exact: true }).fill('6')
    await page.getByLabel('Schedule', { exact: true }).fill('*/15 8-17 * * MON-FRI')
    await page.getByText('Every 15 minutes from 08:00 to 17:45, Monday to Friday').last().waitFor()
    expect(await inspect('task-form-heartbeat')).to.deep.equal([])
    await page.getByRole('button', { name: 'Create heartbeat' }).click()
    await page.getByText('inbox.md, if it changed').waitFor()
    await page.getByText('6 runs and 200,000 tokens in 24 hours').waitFor()
    expect(await inspect('task-heartbeat')).to.deep.equal([])
    await open('/tasks/heartbeats')
    await rowOf('Inbox').getByText('inbox.md, if it changed').waitFor()
  })

  it('change in the list while they are watched, and are found by state', async () => {
    const { page, open, inspect } = opened
    await open('/tasks')
    await rowOf('Call the vendor').waitFor()
    const id = await create({ title: 'From elsewhere', instruction: 'Count.', due_at: '2999-01-01T00:00:00Z' })
    await rowOf('From elsewhere').getByText('Scheduled').waitFor()
    await person.request('POST', `/api/tasks/${id}/pause`)
    await rowOf('From elsewhere').getByText('Paused').waitFor()
    await person.request('POST', `/api/tasks/${id}/cancel`)
    await rowOf('From elsewhere').getByText('Cancelled').waitFor()
    expect(await inspect('tasks')).to.deep.equal([])
    await page.getByLabel('State', { exact: true }).selectOption('failed')
    await rowOf('From elsewhere').waitFor({ state: 'detached' })
    await rowOf('Call the vendor').waitFor()
    await page.getByLabel('State', { exact: true }).selectOption('queued')
    await page.getByText('Nothing matches').waitFor()
    await page.getByLabel('State', { exact: true }).selectOption('')
    await rowOf('From elsewhere').waitFor()
    await person.request('DELETE', `/api/tasks/${id}`)
    await rowOf('From elsewhere').waitFor({ state: 'detached' })
  })

  it('show the tasks that they handed on', async () => {
    const { page, open, inspect } = opened
    const id = await create({ title: 'Move house', instruction: 'Move house.' })
    await open(`/tasks/${id}`)
    await headState('Completed')
    const tree = page.getByRole('list', { name: 'Delegated tasks' })
    await tree.getByText('Pack the books').waitFor()
    await tree.getByText('Order a van').waitFor()
    await tree.getByRole('button', { name: 'Tasks created by Pack the books' }).click()
    await tree.getByText('It created no tasks.').waitFor()
    expect(await inspect('task-tree')).to.deep.equal([])
    await tree.getByRole('link', { name: 'Order a van' }).click()
    await page.getByRole('link', { name: 'Created by this task' }).click()
    await page.getByRole('heading', { name: 'Move house', level: 1 }).waitFor()
  })

  it('wait for an answer, and stop when one run is cancelled', async () => {
    const { page, open, inspect } = opened
    const id = await create({ title: 'Ask first', instruction: 'Ask me.' })
    await open(`/tasks/${id}`)
    await page.getByText('Waits for your answer in the chat.').waitFor()
    await page.locator('.tasks-run a').click()
    await page.getByRole('link', { name: 'Open chat' }).waitFor()
    expect(await inspect('task-run-waiting')).to.deep.equal([])
    await page.getByRole('button', { name: 'Cancel this run…' }).click()
    await page.getByRole('button', { name: 'Cancel this run', exact: true }).click()
    await headState('Cancelled')
  })

  it('keep what was typed when the service refuses it, and say when something is gone or cannot be read', async () => {
    const { page, open, inspect } = opened
    await page.route('**/api/tasks', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 413,
            contentType: 'application/problem+json',
            body: JSON.stringify({
              type: 'about:blank',
              title: 'Full',
              status: 413,
              code: 'quota_exceeded',
              detail: 'At most 1,000 tasks.',
            }),
          })
        : route.continue(),
    )
    await open('/tasks/new')
    await page.getByLabel('Instruction', { exact: true }).fill('One more.')
    await page.getByRole('button', { name: 'Create task' }).click()
    await page.getByRole('alert').getByText('At most 1,000 tasks.').waitFor()
    expect(await page.getByLabel('Instruction', { exact: true }).inputValue()).to.equal('One more.')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    await page.unroute('**/api/tasks')
    await page.route('**/api/tasks?*', (route) => route.fulfill({ status: 503, body: '' }))
    await open('/tasks/reminders')
    await page.getByRole('alert').waitFor()
    expect(await inspect('tasks-unread')).to.deep.equal([])
    await page.unroute('**/api/tasks?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await rowOf('Renew the certificate.').waitFor()
    await open('/tasks/00000000-0000-7000-8000-000000000000')
    await page.getByText('This task does not exist').waitFor()
  })

  it('are loaded page by page', async () => {
    const { page, open } = opened
    const count = 60
    for (let number = 0; number < count; number += 1)
      await create({ kind: 'reminder', instruction: `Note ${number}`, due_at: '2999-01-01T00:00:00Z' })
    await open('/tasks/reminders')
    await page.locator('.more').scrollIntoViewIfNeeded()
    await page.locator('.tasks-row').nth(count).waitFor()
    await rowOf('Renew the certificate.').waitFor()
  })

  it('are shown in German', async () => {
    const german = await openPage(agents.kernel, { credentials: ada, locale: 'de-DE', at: 'none' })
    const { page, open, inspect } = german
    await open('/tasks')
    await page.locator('.tasks-row', { hasText: 'Das Modell hat versagt.' }).waitFor()
    expect(await inspect('tasks-german')).to.deep.equal([])
    await open('/tasks/new?when=again')
    await page.getByLabel('Wiederholt sich', { exact: true }).selectOption({ label: 'Montag bis Freitag um 09:00' })
    await page.getByRole('region', { name: 'Nächste Termine' }).getByText('Montag bis Freitag um 09:00').waitFor()
    expect(await inspect('task-form-german')).to.deep.equal([])
    expect(german.complaints).to.deep.equal([])
    await german.close()
  })

  it('leave nothing that the policy of the page forbids', () => {
    expect(new Set(opened.complaints)).to.deep.equal(
      new Set([
        refusalReport(422, 'Unprocessable Entity'),
        refusalReport(413, 'Payload Too Large'),
        refusalReport(503, 'Service Unavailable'),
        refusalReport(404, 'Not Found'),
      ]),
    )
  })
})
