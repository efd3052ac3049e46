import { defineError } from '@agent-service/sdk'
import { agentUnknownError } from '@agent-service/sdk/services/agents'
import { expect } from 'chai'
import { createLateJob, lateTasks } from '../alarms.js'
import { createLateCheck } from '../doctor.js'
import { account, createTaskBench, type TaskBench } from '../test-support/task-bench.js'

const ada = { userId: 'ada' }
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const tooManyRuns = defineError<Record<string, never>>({
  ...{ code: 'too_many_runs', status: 429, title: 'Too many runs' },
  message: () => 'Too many runs.',
})

describe('a planned time at which no run begins', () => {
  let bench: TaskBench
  let counted = 0
  afterEach(async () => {
    await bench.close()
    expect(bench.errors).to.deep.equal([])
  })
  const open = async (options: Parameters<typeof createTaskBench>[0] = {}) => {
    bench = createTaskBench(options)
    await bench.engine().begin()
  }
  const create = async (input: object = {}) => {
    const given = { instruction: 'Count.', schedule: { cron: '0 * * * *' }, spread_secs: 0, ...input }
    return (await bench.tasks().create(given as never, ada)).task.id
  }
  const alarms = () => bench.notifications.sent.filter(({ kind }) => kind === 'task.late')
  const texts = () => alarms().map(({ text }) => text)
  const job = async () => {
    const late = createLateJob(bench.parts(), (count) => {
      counted = count
    })
    await late.run({ signal: new AbortController().signal, epoch: 1 })
  }
  const down = async (milliseconds: number) => {
    await bench.engine().end()
    await bench.clock.advance(milliseconds)
    await bench.restart()
    await job()
  }
  const endRuns = async () => {
    for (const run of bench.runs.open()) run.end()
    await bench.settle()
  }

  for (const missed of ['once', 'skip', 'all'])
    it(`while the service was down is told once, and once only after another restart (missed: ${missed})`, async () => {
      await open()
      const id = await create({ missed })
      await down(3 * hourMs + 10 * minuteMs)
      expect(alarms()).to.have.length(1)
      expect(alarms()[0]).to.deep.include({
        to: { userId: 'ada' },
        title: 'Count.',
        link: `/tasks/${id}`,
        key: `${id}/2026-01-01T01:00:00.000Z`,
      })
      expect(texts()[0]).to.match(/^No run began at 2026-01-01 01:00 \(UTC\)\. The service did not run then/)
      expect((await bench.task(id)).late).to.include({
        scheduled_for: '2026-01-01T01:00:00.000Z',
        code: missed === 'skip' ? 'left_out' : 'not_noticed',
      })
      await bench.restart()
      await job()
      expect(alarms()).to.have.length(1)
      for (let hour = 3; hour <= 6; hour += 1) {
        for (let time = 0; time < 4; time += 1) await endRuns()
        await bench.advance(hourMs)
      }
      expect((await bench.task(id)).late, 'after a run in time').to.equal(null)
      expect(alarms()).to.have.length(1)
    })

  it('of a task that happens once is told too, and of a reminder that comes late only by itself', async () => {
    await open()
    const due_at = new Date(bench.clock.now() + hourMs).toISOString()
    await create({ schedule: null, due_at })
    await create({ kind: 'reminder', schedule: null, due_at })
    await down(2 * hourMs)
    expect(bench.notifications.sent.map(({ kind }) => kind)).to.have.members(['task.late', 'task.reminder'])
  })

  it('of a task that happens once says its time in the zone of its owner', async () => {
    await open({ limits: { maxConcurrent: 1 } })
    bench.accounts.set('ada', account('ada', 'Europe/Berlin'))
    const due_at = new Date(bench.clock.now() + hourMs).toISOString()
    await create({ schedule: null })
    await bench.settle()
    await create({ schedule: null, due_at })
    await bench.advance(hourMs)
    await bench.advance(5 * minuteMs)
    await job()
    expect(texts()[0]).to.match(/^No run began at 2026-01-01 02:00 \(Europe\/Berlin\)\. It waits for a place/)
  })

  it('is none if the run begins some seconds or minutes after it', async () => {
    await open()
    const id = await create()
    await down(hourMs + 4 * minuteMs)
    expect(bench.runs.all).to.have.length(1)
    await bench.advance(10 * minuteMs)
    await job()
    expect(alarms()).to.deep.equal([])
    expect(await bench.task(id)).to.include({ late: null, unstarted_at: null, alarm_at: null })
  })

  it('is none while the task is paused, and after it was cancelled or deleted', async () => {
    await open()
    const [paused, cancelled, deleted] = [await create(), await create(), await create()]
    await bench.tasks().pause('ada', paused)
    await bench.tasks().cancel('ada', cancelled)
    await bench.tasks().remove('ada', deleted)
    await down(3 * hourMs)
    await bench.tasks().resume('ada', paused)
    await bench.settle()
    await job()
    expect(alarms()).to.deep.equal([])
  })

  it('is none for what waits for a place when it is paused, cancelled or dropped', async () => {
    await open({ limits: { maxConcurrent: 1 } })
    await create({ schedule: null })
    await bench.settle()
    const [paused, cancelled, dropped] = [await create(), await create(), await create()]
    await bench.advance(hourMs)
    await bench.tasks().pause('ada', paused)
    await bench.tasks().cancel('ada', cancelled)
    await bench.tasks().cancelExecution('ada', dropped, (await bench.task(dropped)).queued ?? '')
    await bench.advance(10 * minuteMs)
    await job()
    expect(alarms()).to.deep.equal([])
  })

  it('since all places are taken is told after the limit, once, with the reason, and counted until it begins', async () => {
    await open({ limits: { maxConcurrent: 1 } })
    await create({ schedule: null })
    await bench.settle()
    const id = await create()
    await bench.advance(hourMs)
    await bench.advance(5 * minuteMs - 1)
    await job()
    expect([alarms().length, counted]).to.deep.equal([0, 0])
    await bench.advance(1)
    for (let time = 0; time < 3; time += 1) await job()
    expect(texts()).to.deep.equal(['No run began at 2026-01-01 01:00 (UTC). It waits for a place, since other tasks are at work.'])
    expect(counted).to.equal(1)
    expect((await bench.task(id)).late).to.include({ code: 'no_place' })
    await endRuns()
    expect((await bench.task(id)).status).to.equal('working')
    await job()
    expect(counted).to.equal(0)
    expect((await bench.task(id)).late, 'it ran, but late').to.include({ code: 'no_place' })
  })

  it('since the run before is still at work is told at most once in 20 hours, with how often', async () => {
    await open()
    const id = await create()
    await bench.advance(hourMs)
    for (let hour = 2; hour <= 23; hour += 1) {
      await bench.advance(hourMs)
      await bench.advance(10 * minuteMs)
      await job()
    }
    expect(texts()[0]).to.equal('No run began at 2026-01-01 02:00 (UTC). Its run before is still at work.')
    expect(alarms()).to.have.length(2)
    expect(texts()[1]).to.match(/Its run before is still at work\. It was late \d+ more times since you were last told\.$/)
    expect((await bench.task(id)).late).to.include({ code: 'earlier_at_work' })
  })

  it('since no run can be started is told with the words of the refusal', async () => {
    await open()
    bench.runs.beforeStart = () => {
      throw tooManyRuns.create({})
    }
    const id = await create()
    await bench.advance(hourMs)
    for (let minute = 0; minute < 6; minute += 1) await bench.advance(minuteMs)
    await job()
    expect(texts()).to.deep.equal(['No run began at 2026-01-01 01:00 (UTC). It is tried again: Too many runs.'])
    expect((await bench.task(id)).late).to.include({ code: 'attempt_failed' })
  })

  it('since the run was refused for good is told as the failure that it is', async () => {
    await open()
    bench.runs.beforeStart = () => {
      throw agentUnknownError.create({ handle: 'x' })
    }
    const id = await create()
    await bench.advance(hourMs)
    await bench.advance(10 * minuteMs)
    await job()
    expect(bench.notifications.sent.map(({ kind }) => kind)).to.deep.equal(['task.failed'])
    expect(await bench.task(id)).to.include({ unstarted_at: null, alarm_at: null })
  })

  it('that the engine does not notice is told by the job', async () => {
    await open()
    const id = await create()
    await bench.engine().end()
    await bench.clock.advance(hourMs + 6 * minuteMs)
    for (let time = 0; time < 2; time += 1) await job()
    expect(texts()).to.deep.equal(['No run began at 2026-01-01 01:00 (UTC). The service did not run then, or could not look at its tasks.'])
    await bench.restart()
    expect(alarms()).to.have.length(1)
    const task = await bench.task(id)
    expect(task.status).to.equal('working')
    expect(task.late_told, 'one time counts once, whatever notices it').to.include({ unsaid: 0 })
  })

  it('is told once by several processes at once', async () => {
    await open({ limits: { maxConcurrent: 1 } })
    await create({ schedule: null })
    await bench.settle()
    await create()
    await bench.advance(hourMs + 6 * minuteMs)
    await Promise.all([job(), job(), job()])
    expect(new Set(alarms().map(({ key }) => key)).size).to.equal(1)
    expect(await lateTasks(bench.parts())).to.have.length(1)
  })

  it('is shown, and not told, if the task tells nothing', async () => {
    await open()
    const id = await create({ notify: 'never' })
    await down(2 * hourMs)
    expect(alarms()).to.deep.equal([])
    expect((await bench.task(id)).late).to.include({ code: 'not_noticed' })
  })

  it('is for the operator when it is many', async () => {
    await open({ limits: { maxConcurrent: 1 } })
    await create({ schedule: null })
    await bench.settle()
    const signal = new AbortController().signal
    const findings = async () => (await createLateCheck(bench.parts()).run({ signal })).findings
    for (let count = 0; count < 4; count += 1) await create()
    await bench.advance(hourMs + 6 * minuteMs)
    expect(await findings()).to.deep.equal([{ state: 'well', text: 'tasks begin in time' }])
    await create()
    await bench.advance(hourMs)
    const [found] = await findings()
    expect(found?.state).to.equal('warning')
    expect(found?.text).to.match(/^5 tasks of one user are late: /)
    expect(await createLateCheck(undefined).run({ signal })).to.deep.equal({ findings: [] })
  })
})
