import { agentUnknownError } from '@agent-service/sdk/services/agents'
import { modelGroupUnknownError } from '@agent-service/sdk/services/inference'
import { userUnknownError } from '@agent-service/sdk/services/runs'
import { expect } from 'chai'
import { createTaskBench, type TaskBench } from '../test-support/task-bench.js'
import { createTaskUserData } from '../user-data.js'

const ada = { userId: 'ada' }

describe('a task', () => {
  let bench: TaskBench

  beforeEach(async () => {
    bench = createTaskBench({ limits: { maxConcurrent: 2 } })
    await bench.engine().begin()
  })
  afterEach(async () => {
    await bench.close()
    expect(bench.errors).to.deep.equal([])
  })

  const create = async (input: Partial<Parameters<ReturnType<TaskBench['tasks']>['create']>[0]> = {}) => {
    const { task } = await bench.tasks().create({ instruction: 'Count the invoices.', ...input }, ada)
    await bench.settle()
    return task
  }
  const notifications = () => bench.notifications.sent

  it('runs at once, and each change of its state is stored with an event', async () => {
    const { id } = await create()
    expect((await bench.task(id)).status).to.equal('working')
    expect(await bench.leases()).to.equal(1)
    bench.runs.all[0]?.end({ text: 'There are 3.' })
    await bench.settle()
    const [execution] = await bench.executions(id)
    expect(execution?.transitions.map(({ state }) => state)).to.deep.equal(['queued', 'starting', 'running', 'completed'])
    expect(execution).to.include({ state: 'completed', answer: 'There are 3.' })
    expect((await bench.task(id)).status).to.equal('completed')
    expect(await bench.leases()).to.equal(0)
    const states = bench.events.recorded.filter(({ name }) => name === 'task.updated').map(({ data }) => data['status'])
    expect(states).to.deep.equal(['queued', 'working', 'working', 'completed'])
    expect(notifications()[0]).to.include({ kind: 'task.completed', text: 'There are 3.' })
  })

  it('is asked with its instruction in a hidden chat of its own', async () => {
    await create({ tools: ['get_time'], result: { name: 'count', schema: { type: 'object' } } })
    const request = bench.runs.all[0]?.request
    expect(request).to.deep.include({ userId: 'ada', agent: { id: 'ada-agent' }, tools: ['get_time'], limits: { maxSeconds: 3_600 } })
    expect(request?.chat).to.deep.equal({ title: 'Count the invoices.', hidden: true })
    expect(request?.message).to.match(/not in the conversation[\s\S]*Count the invoices\.$/)
  })

  it('waits for its time, and the time wakes it before the poll', async () => {
    const { id } = await create({ due_at: new Date(bench.clock.now() + 10_000).toISOString() })
    expect((await bench.task(id)).status).to.equal('scheduled')
    await bench.advance(9_999)
    expect(bench.runs.all).to.have.length(0)
    await bench.advance(1)
    expect((await bench.task(id)).status).to.equal('working')
  })

  it('is never at work beyond the places, also after a crash', async () => {
    for (let count = 0; count < 5; count += 1) await create()
    expect(bench.runs.open()).to.have.length(2)
    await bench.restart()
    expect(bench.runs.all, 'the restart begins nothing more').to.have.length(2)
    bench.runs.open()[0]?.end()
    await bench.settle()
    expect(bench.runs.open()).to.have.length(2)
    expect(bench.runs.all).to.have.length(3)
  })

  it('ends after a crash as its run has ended meanwhile', async () => {
    const { id } = await create()
    await bench.engine().end()
    bench.runs.all[0]?.end({ text: 'Done while nobody looked.' })
    await bench.restart()
    expect(await bench.executions(id)).to.have.length(1)
    expect((await bench.executions(id))[0]).to.include({ state: 'completed', answer: 'Done while nobody looked.' })
  })

  it('is tried again after a failure that may pass, and tells how long it waits', async () => {
    const { id } = await create({ max_retries: 1, retry_delay_secs: 60 })
    const failure = { code: 'provider_error', message: 'HTTP 429', providerFailure: 'rate_limited', retryAfterSeconds: 90 } as const
    bench.runs.all[0]?.end({ failure })
    await bench.settle()
    const [waiting] = await bench.executions(id)
    expect(waiting?.state).to.equal('queued')
    expect(waiting?.transitions.at(-1)?.note).to.equal('The model could not be called: HTTP 429 It is tried again in 90 seconds.')
    expect(await bench.leases()).to.equal(0)
    await bench.advance(89_000)
    expect(bench.runs.all).to.have.length(1)
    await bench.advance(1_000)
    expect(bench.runs.all.map(({ request }) => request.key)).to.deep.equal([`task/${waiting?.id}/1`, `task/${waiting?.id}/2`])
    bench.runs.all[1]?.end({ failure })
    await bench.settle()
    expect((await bench.executions(id))[0]?.failure).to.deep.equal({
      code: 'task_model_failed',
      message: 'The model could not be called: HTTP 429',
    })
    expect((await bench.task(id)).status).to.equal('failed')
    expect(notifications().at(-1)).to.include({ kind: 'task.failed', text: 'The model could not be called: HTTP 429' })
  })

  it('has failed if the last call of a tool failed, unless that is allowed', async () => {
    const at = { cursor: '1', at: '2026-01-01T00:00:00.000Z' }
    for (const tool_failures of ['fail', 'allow'] as const) {
      const { id } = await create({ tool_failures })
      const run = bench.runs.open()[0]
      run?.emit({ type: 'tool.finished', ...at, callId: 'a', name: 'read_file', isError: true })
      run?.emit({ type: 'tool.finished', ...at, callId: 'b', name: 'read_file', isError: false })
      run?.emit({ type: 'tool.finished', ...at, callId: 'c', name: 'send_mail', isError: true })
      run?.end({ text: 'All sent!' })
      await bench.settle()
      const [execution] = await bench.executions(id)
      expect(execution?.answer).to.equal('All sent!')
      if (tool_failures === 'allow') expect(execution?.failure).to.equal(null)
      else expect(execution?.failure?.message).to.match(/the last call of “send_mail” failed, so the work may not be done/)
    }
  })

  it('says in a sentence what is gone: its agent, its owner, its model, its chat', async () => {
    const gone = [
      [agentUnknownError.create({ handle: 'x' }), 'task_agent_gone', /agent of this task was deleted or disabled/],
      [userUnknownError.create({ userId: 'ada' }), 'task_owner_gone', /account of this task’s owner is closed/],
      [modelGroupUnknownError.create({ group: 'x', known: [] }), 'model_group_unknown', /No group is configured/],
    ] as const
    for (const [error, code, sentence] of gone) {
      bench.runs.beforeStart = () => {
        throw error
      }
      const { id } = await create()
      const [execution] = await bench.executions(id)
      expect(execution?.state).to.equal('failed')
      expect(execution?.failure?.code).to.equal(code)
      expect(execution?.failure?.message).to.match(sentence)
      expect(await bench.leases()).to.equal(0)
    }
  })

  it('goes to the agent’s model group if its own is gone, with a warning', async () => {
    bench.runs.beforeStart = ({ modelGroup }) => {
      if (modelGroup !== undefined) throw modelGroupUnknownError.create({ group: modelGroup, known: ['primary'] })
    }
    const { id } = await create({ model_group: 'large' })
    expect(bench.runs.all[0]?.request).to.not.have.property('modelGroup')
    expect((await bench.executions(id))[0]?.warnings).to.deep.equal(['The model group “large” does not exist, so the agent’s own is used.'])
  })

  it('fails with the problems of a result that does not fit', async () => {
    const { id } = await create({ result: { name: 'count', schema: { type: 'object' } } })
    bench.runs.all[0]?.end({ failure: { code: 'run_result_invalid', message: '/total is required' } })
    await bench.settle()
    expect((await bench.executions(id))[0]?.failure).to.deep.equal({
      code: 'task_result_invalid',
      message: 'The agent’s result did not have the form that the task asks for: /total is required',
    })
  })

  it('is cancelled with its run and the processes that it left', async () => {
    const { id } = await create()
    bench.processes.running.push({ id: 'server', chatId: 'chat-of-run-1' }, { id: 'other', chatId: 'another' })
    await bench.tasks().cancel('ada', id)
    await bench.settle()
    expect(bench.runs.all[0]?.view().status).to.equal('cancelled')
    expect(bench.processes.stopped).to.deep.equal(['server'])
    expect((await bench.task(id)).status).to.equal('cancelled')
    expect((await bench.executions(id))[0]?.failure?.message).to.equal('It was cancelled by its owner.')
    expect(await bench.leases()).to.equal(0)
  })

  it('is cancelled before its run begins, while it waits for a place, and after a crash in between', async () => {
    await create()
    await create()
    const third = await create()
    await bench.tasks().cancel('ada', third.id)
    expect((await bench.task(third.id)).status).to.equal('cancelled')

    bench.runs.open()[0]?.end()
    let release = (): void => undefined
    const blocked = new Promise<void>((resolve) => {
      release = resolve
    })
    bench.runs.beforeStart = () => blocked
    const { task: fourth } = await bench.tasks().create({ instruction: 'Go.' }, ada)
    await new Promise((resolve) => setTimeout(resolve, 20))
    await bench.tasks().cancel('ada', fourth.id)
    release()
    await bench.settle()
    expect((await bench.task(fourth.id)).status).to.equal('cancelled')
    expect(bench.runs.open()).to.have.length(1)
  })

  it('is paused and resumed: what is at work ends, and nothing begins', async () => {
    const { id } = await create({ schedule: { cron: '0 * * * *' }, spread_secs: 0 })
    await bench.tasks().pause('ada', id)
    await bench.advance(3 * 3_600_000)
    expect(bench.runs.all).to.have.length(0)
    const resumed = await bench.tasks().resume('ada', id)
    expect(resumed.next_at).to.equal('2026-01-01T04:00:00.000Z')
    await bench.advance(3_600_000)
    expect(bench.runs.all).to.have.length(1)
  })

  it('is paused when its account gets another holder, also what is at work and what waits for a place', async () => {
    const planned = await create({ schedule: { cron: '0 * * * *' }, spread_secs: 0 })
    const [first, second, third] = [await create(), await create(), await create()]
    const data = createTaskUserData(bench.parts(), (id) => bench.engine().stopRun(id))
    const options = { signal: new AbortController().signal, name: 'before', setAside: async () => undefined }
    const items = await data.handOver?.('ada', options)
    expect(items).to.deep.equal([{ what: 'scheduled tasks, now paused', count: 4, outcome: 'ended' }])
    await bench.advance(3 * 3_600_000)
    expect(bench.runs.all.map((run) => run.view().status)).to.deep.equal(['cancelled', 'cancelled'])
    expect((await bench.executions(first.id))[0]?.failure?.message).to.equal('The account got another holder.')
    for (const { id } of [planned, first, second, third]) expect((await bench.task(id)).status).to.equal('paused')
  })

  it('runs now beside its times, and again after its end', async () => {
    const { id } = await create()
    bench.runs.open()[0]?.end()
    await bench.settle()
    await bench.tasks().run('ada', id)
    await bench.settle()
    expect((await bench.task(id)).status).to.equal('working')
    bench.runs.open()[0]?.end()
    await bench.settle()
    expect((await bench.task(id)).counts.completed).to.equal(2)
  })

  it('gives its place away while it waits for a person, and goes on with one', async () => {
    const { id } = await create()
    await bench.runs.open()[0]?.wait()
    expect(await bench.task(id)).to.include({ status: 'waiting' })
    expect(await bench.leases()).to.equal(0)
    expect(notifications().at(-1)).to.include({ kind: 'task.waiting' })
    await bench.runs.open()[0]?.answered()
    await bench.settle()
    expect(await bench.task(id)).to.include({ status: 'working' })
    expect(await bench.leases()).to.equal(1)
  })

  it('waits for a place when a person has answered, also over a restart, and has it before others begin', async () => {
    await create()
    await create()
    const [first, second] = bench.runs.open()
    await first?.wait()
    const { id: third } = await create()
    const { id: fourth } = await create()
    expect(await bench.leases(), 'the third has its place').to.equal(2)
    expect((await bench.task(third)).status).to.equal('working')
    let isOn = false
    const stopping = new AbortController()
    const interrupted = first?.answered(stopping.signal).catch(() => undefined)
    await bench.settle()
    stopping.abort(new Error('The process was killed.'))
    await interrupted
    await bench.restart()
    const going = first?.answered().then(() => {
      isOn = true
    })
    await bench.settle()
    expect(isOn, 'no place is free').to.equal(false)
    expect(await bench.leases()).to.equal(2)
    second?.end()
    await bench.settle()
    await going
    expect(await bench.leases()).to.equal(2)
    expect((await bench.task(fourth)).status, 'it comes behind the answered one').to.equal('queued')
  })

  it('has no place when it waits before its start is stored, and keeps its run', async () => {
    let asked: Promise<void> | undefined
    bench.runs.onStart = (run) => {
      asked = run.wait()
    }
    const { id } = await create()
    await asked
    const [waiting] = await bench.executions(id)
    expect(waiting).to.include({ state: 'waiting', waiting_for: 'person' })
    expect(waiting?.attempts[0]?.run_id).to.equal('run-1')
    expect(await bench.leases()).to.equal(0)
    await bench.runs.all[0]?.answered()
    await bench.runs.all[0]?.answered()
    expect(await bench.leases(), 'a repeated question of the gate takes no second place').to.equal(1)
    bench.runs.all[0]?.end()
    await bench.settle()
    expect((await bench.task(id)).status).to.equal('completed')
    expect(await bench.leases()).to.equal(0)
  })

  it('shows its log and cost', async () => {
    const { id } = await create()
    const at = '2026-01-01T00:00:00.000Z'
    bench.runs.all[0]?.emit({ type: 'tool.started', cursor: '1', at, callId: 'a', name: 'get_time', purpose: 'Read the clock' })
    await bench.settle()
    const [execution] = await bench.executions(id)
    const signal = new AbortController().signal
    const texts = async () => (await bench.tasks().log('ada', id, execution?.id ?? '', signal)).map(({ text }) => text)
    expect(await texts()).to.deep.equal(['queued', 'starting', 'running', 'get_time: Read the clock'])
    bench.runs.all[0]?.end({ failure: { code: 'tool_turn_limit', message: 'Too many turns.' } })
    await bench.settle()
    expect(await texts()).to.deep.equal([
      'queued',
      'starting',
      'running',
      'failed: Too many turns.',
      'get_time: Read the clock',
      'Too many turns.',
    ])
    expect(await bench.tasks().execution('ada', id, execution?.id ?? '')).to.include({ cost_usd: 0.25 })
  })
})
