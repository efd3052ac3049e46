import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { closeBrowser, openPage, refusalReport } from './open-page.js'

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

/** Says of a task, beside what the service says of it, that it did not run in time, and why its last run failed. */
async function worsen(page: Page, id: string): Promise<void> {
  const message = 'The service did not run then, or could not look at its tasks.'
  const late = { code: 'not_noticed', message, noticed_at: '2026-01-02T09:00:00Z', scheduled_for: '2026-01-02T08:30:00Z' }
  const problem = { code: 'task_model_failed', message: 'The model could not be called: The vendor is gone.' }
  const worse = (task: { readonly id: string }) => (task.id === id ? { ...task, late, problem } : task)
  await page.route(/\/api\/tasks(\?|\/[^/]+$)/, async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { readonly id: string; readonly items?: readonly { readonly id: string }[] }
    await route.fulfill({ response, json: json.items ? { ...json, items: json.items.map(worse) } : worse(json) })
  })
}

describe('the tasks of the console', function () {
  this.timeout(90_000)
  let agents: AgentsKernel
  let person: Person

  before(async () => {
    setScript({ answer })
    agents = await startAgentsKernel({ environment: { SERVICE_SERVER_TIMEZONE: 'America/New_York' } })
    person = await agents.person('ada')
    const tools = ['create_task', 'tool__read']
    await person.request('PATCH', `/api/agents/${person.agentId}`, { name: 'Clerk', tools, approval: { tool__read: 'always' } })
  })
  after(async () => {
    await closeBrowser()
    await agents?.close()
  })

  const create = async (input: object): Promise<string> => {
    const { status, body } = await person.request('POST', '/api/tasks', input)
    expect(status, JSON.stringify(body)).to.equal(201)
    return String(body['id'])
  }

  it('are created in a form, run, and show answer, log and chat', async () => {
    const { page, open, inspect, complaints, close } = await openPage(agents.kernel, { credentials: ada, at: 'none' })
    await open('/tasks')
    await page.getByText('No tasks yet').waitFor()
    expect(await inspect('tasks-empty')).to.deep.equal([])
    await page.getByRole('link', { name: 'New task' }).click()
    await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'Clerk' })
    await page.getByLabel('Instruction', { exact: true }).fill('Count the invoices of November, and say which are overdue.')
    await page.getByLabel('Title', { exact: true }).fill('Count the invoices')
    await page.getByText('More settings').click()
    await page.getByLabel('Ask for a result in a certain form', { exact: true }).check()
    await page.getByLabel('JSON Schema', { exact: true }).fill('{')
    await page.getByRole('button', { name: 'Create task' }).click()
    await page.getByText('This is not a JSON object.').waitFor()
    expect(await inspect('task-form-more')).to.deep.equal([])
    await page.getByLabel('Ask for a result in a certain form', { exact: true }).uncheck()
    await page.getByRole('button', { name: 'Create task' }).click()
    await page.getByRole('heading', { name: 'Count the invoices', level: 1 }).waitFor()
    await page.locator('.page-head .badge', { hasText: 'Completed' }).waitFor()
    await page.locator('.tasks-run', { hasText: '15 tokens' }).getByRole('link').click()
    await page.getByText('There are three invoices, and two of them are overdue.').first().waitFor()
    await page.locator('.tasks-log').getByText('Completed', { exact: true }).waitFor()
    expect(await inspect('task-run')).to.deep.equal([])
    await page.getByRole('link', { name: 'Open chat' }).click()
    await page.waitForURL(/\/chats\/[^/]+$/)
    await page.getByText('There are three invoices, and two of them are overdue.').waitFor()
    expect(complaints).to.deep.equal([])
    await close()
  })

  it('fit their pages in every state, where words are longer too', async () => {
    const { page, open, inspect, complaints, close } = await openPage(agents.kernel, { credentials: ada, locale: 'de-DE', at: 'none' })
    const rowOf = (title: string) => page.locator('.tasks-row', { hasText: title })
    await open('/tasks/new?kind=heartbeat')
    await page.getByLabel('Anweisung', { exact: true }).fill('Read the inbox, and report what is urgent.')
    await page.getByLabel('Titel', { exact: true }).fill('Inbox')
    await page.getByLabel('Prüft vorher', { exact: true }).selectOption('file')
    await page.getByLabel('Datei oder Ordner', { exact: true }).fill('inbox.md')
    const cron = page.getByLabel('Zeitplan', { exact: true })
    await cron.fill('61 9 * * FRI')
    await page.locator('.help.err').waitFor()
    expect(await inspect('task-form-wrong-schedule')).to.deep.equal([])
    await cron.fill('30 17 * * FRI')
    await page.getByLabel('Zeitzone', { exact: true }).selectOption('Asia/Tokyo')
    await page.getByRole('region', { name: 'Nächste Termine' }).getByText('Hier (Europe/Berlin)').waitFor()
    expect(await inspect('task-form-heartbeat')).to.deep.equal([])
    await page.getByRole('button', { name: 'Dauerauftrag anlegen' }).click()
    await page.getByText('inbox.md, ob es sich geändert hat').waitFor()
    expect(await inspect('task-heartbeat')).to.deep.equal([])

    await open('/tasks')
    await rowOf('Count the invoices').waitFor()
    const asking = await create({ title: 'Ask first', instruction: 'Ask me.' })
    await create({ title: 'Call the vendor', instruction: 'Fail.', max_retries: 0 })
    await rowOf('Call the vendor').getByText('Das Modell hat versagt.').waitFor()
    await rowOf('Ask first').getByText('Wartet').waitFor()
    expect(await inspect('tasks')).to.deep.equal([])
    await open(`/tasks/${asking}`)
    await page.locator('.tasks-run a').click()
    await page.getByRole('button', { name: 'Durchlauf abbrechen…' }).waitFor()
    expect(await inspect('task-run-waiting')).to.deep.equal([])

    const moving = await create({
      title: 'Move house',
      instruction: 'Move house.',
      schedule: { cron: '30 17 * * FRI', timezone: 'Asia/Tokyo' },
    })
    await person.request('POST', `/api/tasks/${moving}/run`)
    await worsen(page, moving)
    await open(`/tasks/${moving}`)
    await page.getByRole('button', { name: 'Aufgaben, die Pack the books angelegt hat' }).click()
    await page.getByText('Sie hat keine Aufgaben angelegt.').waitFor()
    await page.locator('.tasks-late').waitFor()
    await page.locator('.tasks-problem').waitFor()
    expect(await inspect('task-tree')).to.deep.equal([])
    await open('/tasks/schedules')
    await rowOf('Move house').getByText('Nächste fünf Termine').click()
    await rowOf('Move house').locator('tbody tr').nth(4).waitFor()
    expect(await inspect('tasks-schedules')).to.deep.equal([])
    await rowOf('Move house').getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Abbrechen…' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await inspect('task-cancel')).to.deep.equal([])
    await page.route('**/api/tasks?*', (route) => route.fulfill({ status: 503, body: '' }))
    await open('/tasks/reminders')
    await page.getByRole('alert').waitFor()
    expect(await inspect('tasks-unread')).to.deep.equal([])
    expect(new Set(complaints)).to.deep.equal(
      new Set([refusalReport(422, 'Unprocessable Entity'), refusalReport(503, 'Service Unavailable')]),
    )
    await close()
  })
})
