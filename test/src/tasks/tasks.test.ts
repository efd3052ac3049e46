import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import type { EventStream } from '../support/api.js'

const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, reasoning_tokens: 0 }

/** An answer that creates tasks and waits for all of them. */
async function* createsTasks(...inputs: readonly Readonly<Record<string, string | boolean>>[]): AsyncGenerator<ModelEvent> {
  const content = inputs.map((input, index) => ({
    ...{ type: 'tool_call' as const, call_id: `vendor-${index}`, name: 'create_task', arguments: input },
  }))
  yield { type: 'response.finished', content, stop_reason: 'tool_calls', usage }
}

const messageOf = (request: ModelRequest): string => {
  const first = request.messages.find(({ role }) => role === 'user')?.content[0]
  return first?.type === 'text' ? first.text : ''
}
const about = (data: Readonly<Record<string, unknown>>) => data['about'] as Readonly<Record<string, string>>
const resultTexts = (request: ModelRequest): string => JSON.stringify(resultsIn(request))

interface TaskBody {
  readonly id: string
  readonly status: string
  readonly next_times: readonly string[]
  readonly [name: string]: unknown
}

describe('tasks of a running service', function () {
  this.timeout(60_000)
  let agents: AgentsKernel
  let ada: Person
  let stream: EventStream

  before(async () => {
    setScript()
    agents = await startAgentsKernel({ environment: { SERVICE_SERVER_MAX_CONCURRENT_TASKS: '2', SERVICE_SERVER_TIMEZONE: 'Asia/Tokyo' } })
    ada = await agents.person('ada')
    const tools = ['create_task', 'list_tasks', 'change_task', 'cancel_task', 'remind_me', 'tool__read']
    await ada.request('PATCH', `/api/agents/${ada.agentId}`, { tools })
    stream = await ada.stream()
  })
  after(async () => {
    stream?.close()
    await agents?.close()
  })

  const create = async (input: object): Promise<TaskBody> => {
    const { status, body } = await ada.request('POST', '/api/tasks', input)
    expect(status, JSON.stringify(body)).to.equal(201)
    return body as unknown as TaskBody
  }
  const until = (id: string, status: string) =>
    stream.until(({ name, data }) => name === 'task.updated' && data['task_id'] === id && data['status'] === status)
  const latest = async (id: string) => {
    const { body } = await ada.request('GET', `/api/tasks/${id}/executions`)
    return (body['items'] as readonly Readonly<Record<string, unknown>>[])[0]
  }

  it('run to their end, with history, log and a notification', async () => {
    setScript({ answer: () => says('There are three.') })
    const task = await create({ instruction: 'Count the invoices.', title: 'Invoices' })
    expect(task).to.include({ title: 'Invoices', kind: 'task', created_by: 'person' })
    await until(task.id, 'completed')
    const execution = await latest(task.id)
    expect(execution).to.include({ state: 'completed', answer: 'There are three.', failure: null })
    expect(execution?.['usage']).to.include({ input_tokens: 10 })
    // The model has no price: what is not known is not nothing.
    expect(execution?.['cost_usd']).to.equal(null)
    const log = await ada.request('GET', `/api/tasks/${task.id}/executions/${String(execution?.['id'])}/log`)
    const kinds = (log.body['entries'] as readonly { readonly kind: string; readonly text: string }[]).map(
      ({ kind, text }) => `${kind} ${text}`,
    )
    expect(kinds).to.include.members(['state queued', 'state running', 'message There are three.', 'state completed'])
    const told = await stream.until(({ name, data }) => name === 'notification.created' && about(data)['task_id'] === task.id)
    expect(told.data).to.include({
      kind: 'task.completed',
      title: 'Invoices',
      text: 'There are three.',
      link: `/tasks/${task.id}`,
      unread: 1,
    })
    expect(told.data['chat_id']).to.equal(about(told.data)['chat_id'])
    const { body } = await ada.request('GET', '/api/notifications')
    expect(body).to.deep.include({ unread: 1, next_cursor: null })
    expect((body['items'] as readonly object[])[0]).to.include({ id: told.data['notification_id'], read: false })
  })

  it('are refused with every problem, and unknown to others', async () => {
    const wrong = await ada.request('POST', '/api/tasks', { instruction: 'x', schedule: { cron: '61 * * * *', timezone: 'Mars/Base' } })
    expect(wrong.status).to.equal(422)
    expect((wrong.body['errors'] as readonly { readonly path: string }[]).map(({ path }) => path)).to.deep.equal([
      '/schedule/cron',
      '/schedule/timezone',
    ])
    const { id } = await create({ instruction: 'Mine.', due_at: '2999-01-01T00:00:00Z' })
    const grace = await agents.person('grace')
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/run'],
      ['POST', '/cancel'],
      ['GET', '/tree'],
      ['GET', '/executions'],
    ] as const)
      expect((await grace.request(method, `/api/tasks/${id}${path}`)).status, path).to.equal(404)
    expect((await ada.request('DELETE', `/api/tasks/${id}`)).status).to.equal(204)
    expect((await ada.request('GET', `/api/tasks/${id}`)).status).to.equal(404)
  })

  it('take the zone of the task, the profile, and the service, in this order', async () => {
    const zoneOf = async (schedule: object) => (await create({ instruction: 'x', schedule }))['timezone']
    expect(await zoneOf({ cron: '0 9 * * *', timezone: 'America/New_York' })).to.equal('America/New_York')
    const following = await create({ instruction: 'x', schedule: { cron: '0 9 * * *' } })
    expect(following['timezone']).to.equal('Asia/Tokyo')
    expect(following.next_times).to.have.length(5)
    expect(following.next_times.every((time) => time.endsWith('T00:00:00.000Z'))).to.equal(true)
    await ada.request('PATCH', '/api/auth/me', { timezone: 'Asia/Kolkata' })
    expect(await zoneOf({ cron: '0 9 * * *' })).to.equal('Asia/Kolkata')
    await ada.request('PATCH', '/api/auth/me', { timezone: null })
    const { body } = await ada.request('GET', '/api/schedules/next-times?cron=0+9+*+*+*&timezone=Europe/Vienna&count=2')
    expect(body['times']).to.have.length(2)
    expect((await ada.request('GET', '/api/schedules/next-times?cron=soon')).status).to.equal(422)
  })

  it('have a weekend as people write it, and say what to write instead of a range that is a guess', async () => {
    const asked = (cron: string) =>
      ada.request('GET', `/api/schedules/next-times?${new URLSearchParams({ cron, timezone: 'UTC', count: '2' })}`)
    const { body } = await asked('0 9 * * SAT-SUN')
    expect((body['times'] as readonly string[]).map((time) => new Date(time).getUTCDay())).to.have.members([6, 0])
    const { id } = await create({ kind: 'reminder', instruction: 'Rest.', schedule: { cron: '0 9 * * sat–sun', timezone: 'UTC' } })
    const task = await ada.request('GET', `/api/tasks/${id}`)
    expect([6, 0]).to.include(new Date(String(task.body['next_at'])).getUTCDay())
    const refused = await asked('0 22-2 * * *')
    expect(refused.status).to.equal(422)
    expect(JSON.stringify(refused.body)).to.include('write “22-23,0-2”')
  })

  it('fail with a sentence when the model fails', async () => {
    setScript({
      // biome-ignore lint/correctness/useYield: the call fails before it says anything
      async *answer() {
        throw new Error('The vendor is gone.')
      },
    })
    const { id } = await create({ instruction: 'Try.', max_retries: 0 })
    await until(id, 'failed')
    const { failure } = (await latest(id)) as { readonly failure?: { readonly message: string } }
    expect(failure?.message).to.match(/[A-Z].*\.$/)
  })

  it('wait for the tasks that they create, with fewer places than there are tasks', async () => {
    let atWork = 0
    let peak = 0
    setScript({
      async *answer(request) {
        const message = messageOf(request)
        if (message.includes('Be the parent') && resultsIn(request).length === 0) {
          yield* createsTasks(...[1, 2, 3, 4, 5].map((number) => ({ instruction: `Be child ${number}`, wait: true })))
          return
        }
        if (message.includes('Be the parent')) {
          yield* says(`All done: ${resultTexts(request)}`)
          return
        }
        atWork += 1
        peak = Math.max(peak, atWork)
        await new Promise((resolve) => setTimeout(resolve, 30))
        atWork -= 1
        yield* says('A child has spoken.')
      },
    })
    const parent = await create({ instruction: 'Be the parent', max_retries: 0 })
    await until(parent.id, 'completed')
    const execution = await latest(parent.id)
    expect(String(execution?.['answer']).match(/A child has spoken/g)).to.have.length(5)
    expect(peak).to.be.within(1, 2)
    const { body } = await ada.request('GET', `/api/tasks/${parent.id}/tree`)
    expect((body['children'] as readonly TaskBody[]).map(({ status }) => status)).to.deep.equal(Array(5).fill('completed'))
  })

  it('are reminders of their own tool, and are listed and cancelled by the agent that made them', async () => {
    setScript({
      async *answer(request) {
        const done = resultsIn(request).length
        const call = (name: string, args: Readonly<Record<string, string | number>>) => ({
          ...{ type: 'tool_call' as const, call_id: `vendor-${done}`, name, arguments: args },
        })
        const finish = (content: readonly ReturnType<typeof call>[]) => ({
          ...{ type: 'response.finished' as const, content, stop_reason: 'tool_calls' as const, usage },
        })
        if (done === 0) yield finish([call('remind_me', { text: 'Drink water.', in_minutes: 5 })])
        else if (done === 1) yield finish([call('list_tasks', { status: 'scheduled' })])
        else yield* says(resultTexts(request))
      },
    })
    const chat = await ada.newChat()
    const run = await ada.post(chat, 'Remind me to drink water.')
    await stream.until(({ name, data }) => name === 'run.completed' && data['run_id'] === run)
    const { body } = await ada.request('GET', '/api/tasks?kind=reminder')
    const [reminder] = body['items'] as readonly TaskBody[]
    expect(reminder).to.include({ status: 'scheduled', created_by: 'agent', agent: null, instruction: 'Drink water.' })
    expect((await ada.request('POST', `/api/tasks/${reminder?.id}/cancel`)).body['status']).to.equal('cancelled')
  })

  it('are in the metrics and in the audit log', async () => {
    const metrics = await (await fetch(`${agents.kernel.url}/metrics`, { headers: { authorization: `Bearer ${ada.token}` } })).text()
    expect(metrics).to.match(/task_executions_ended_total\{state="completed"\} [1-9]/)
    expect(metrics).to.match(/tasks_at_work_max 2/)
    const audit = await ada.request('GET', '/api/admin/audit?limit=200')
    expect((audit.body['items'] as readonly { readonly kind: string }[]).map(({ kind }) => kind)).to.include.members([
      'task.created',
      'task.deleted',
    ])
  })
})
