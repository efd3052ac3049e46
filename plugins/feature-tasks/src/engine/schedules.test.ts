import { expect } from 'chai'
import { account, createTaskBench, type TaskBench } from '../test-support/task-bench.js'
import { nextTimes } from '../times/plan-task.js'

const ada = { userId: 'ada' }
const hourMs = 3_600_000
const dayMs = 24 * hourMs

describe('a schedule', function () {
  this.timeout(180_000)
  let bench: TaskBench
  afterEach(async () => {
    await bench.close()
    expect(bench.errors).to.deep.equal([])
  })
  const open = async (options: Parameters<typeof createTaskBench>[0] = {}) => {
    bench = createTaskBench(options)
    await bench.engine().begin()
  }
  const create = async (input: object) =>
    (await bench.tasks().create({ kind: 'reminder', instruction: 'Look.', ...input } as never, ada)).task
  const times = async (id: string) => (await bench.executions(id)).map(({ scheduled_for }) => scheduled_for)

  it('collapses missed times into one, or follows the policy of the task', async () => {
    await open()
    const schedule = { cron: '0 * * * *' }
    const ids = await Promise.all(
      ['once', 'skip', 'all'].map(async (missed) => (await create({ schedule, missed, kind: 'task', spread_secs: 0 })).id),
    )
    const [once = '', skip = '', all = ''] = ids
    await bench.engine().end()
    await bench.clock.advance(5 * hourMs + 10 * 60_000)
    await bench.restart()
    expect(await times(once)).to.deep.equal(['2026-01-01T05:00:00.000Z'])
    expect((await bench.executions(once))[0]?.represents).to.equal(5)
    expect((await bench.task(once)).counts.missed).to.equal(4)
    expect(await times(skip)).to.deep.equal([])
    expect((await bench.task(skip)).counts.missed).to.equal(5)
    expect((await bench.task(skip)).next_at).to.equal('2026-01-01T06:00:00.000Z')
    for (let hour = 1; hour <= 5; hour += 1) {
      for (const run of bench.runs.open()) run.end()
      await bench.settle()
    }
    expect(await times(all)).to.deep.equal([1, 2, 3, 4, 5].map((hour) => `2026-01-01T0${hour}:00:00.000Z`))
    expect((await bench.task(all)).backlog).to.deep.equal([])
  })

  it('reminds once of all missed times, and says of how many', async () => {
    await open()
    const { id } = await create({ schedule: { cron: '0 * * * *' }, missed: 'all' })
    await bench.engine().end()
    await bench.clock.advance(5 * hourMs)
    await bench.restart()
    expect((await bench.executions(id)).map(({ represents }) => represents)).to.deep.equal([5])
  })

  it('forgets no time that it makes up for when another one is due at work, and counts those it has no room for', async () => {
    await open()
    const { id } = await create({ schedule: { cron: '0 * * * *' }, missed: 'all', kind: 'task', spread_secs: 0 })
    await bench.engine().end()
    await bench.clock.advance(4 * hourMs)
    await bench.restart()
    // The first of four is at work, none waits for a place, and three are in the backlog.
    await bench.advance(hourMs)
    const task = await bench.task(id)
    expect((await times(id)).concat(task.backlog)).to.deep.equal([1, 2, 3, 4, 5].map((hour) => `2026-01-01T0${hour}:00:00.000Z`))
    for (let hour = 0; hour < 120; hour += 1) await bench.advance(hourMs)
    const full = await bench.task(id)
    expect(full.backlog).to.have.length(100)
    expect((await times(id)).length + full.backlog.length + full.counts.missed).to.equal(125)
  })

  it('stands for all of its times when what failed is repeated for later ones too', async () => {
    await open()
    const { id } = await create({ schedule: { cron: '0 * * * *' }, kind: 'task', spread_secs: 0, max_retries: 2, retry_delay_secs: 60 })
    await bench.advance(hourMs)
    await bench.advance(hourMs)
    bench.runs.open()[0]?.end({ failure: { code: 'provider_error', message: 'Busy.', providerFailure: 'overloaded' } })
    await bench.settle()
    expect((await bench.executions(id)).map(({ scheduled_for, represents }) => [scheduled_for, represents])).to.deep.equal([
      ['2026-01-01T02:00:00.000Z', 2],
    ])
  })

  it('does not count a run by hand as one of its times', async () => {
    await open({ limits: { maxConcurrentPerAgent: 1 } })
    const other = await create({ kind: 'task' })
    const { id } = await create({ schedule: { cron: '0 * * * *' }, kind: 'task', spread_secs: 0 })
    await bench.tasks().run('ada', id)
    await bench.advance(hourMs)
    expect((await bench.executions(id)).map(({ scheduled_for, represents }) => [scheduled_for, represents])).to.deep.equal([
      ['2026-01-01T01:00:00.000Z', 1],
    ])
    expect(other.kind).to.equal('task')
  })

  it('makes up for years of missed minutes at once', async () => {
    await open()
    const { id } = await create({ schedule: { cron: '* * * * *' } })
    await bench.engine().end()
    await bench.clock.advance(3 * 365 * dayMs)
    await bench.restart()
    expect(await times(id)).to.deep.equal([new Date(bench.clock.now()).toISOString()])
  })

  it('does not begin a second time while it is at work: one more follows, for all of its times', async () => {
    await open()
    const { id } = await create({ kind: 'task', schedule: { cron: '0 * * * *' }, spread_secs: 0 })
    await bench.advance(hourMs)
    await bench.advance(hourMs)
    await bench.advance(hourMs)
    expect(bench.runs.all).to.have.length(1)
    bench.runs.open()[0]?.end()
    await bench.settle()
    expect(bench.runs.all).to.have.length(2)
    expect((await bench.executions(id)).map(({ represents }) => represents)).to.deep.equal([1, 2])
  })

  it('spreads equal times, always in the same way, and no later than the spread', async () => {
    await open()
    const tasks = await Promise.all(Array.from({ length: 40 }, () => create({ schedule: { cron: '0 9 * * *' }, spread_secs: 60 })))
    const delays = tasks.map(({ wake_at, next_at }) => Date.parse(wake_at ?? '') - Date.parse(next_at ?? ''))
    expect(Math.max(...delays)).to.be.below(60_000)
    expect(Math.min(...delays)).to.be.at.least(0)
    expect(new Set(delays.map((delay) => Math.floor(delay / 10_000))).size).to.be.greaterThan(3)
    await bench.advance(9 * hourMs + 60_000)
    for (const { id, next_at } of tasks) expect(await times(id)).to.deep.equal([next_at])
  })

  it('is noticed no later than the poll, also if another process created it', async () => {
    await open({ limits: { pollMs: 30_000 } })
    await bench.advance(1_000)
    const { tasks } = createSecondProcess(bench)
    const { task } = await tasks.create(
      { kind: 'reminder', instruction: 'Look.', due_at: new Date(bench.clock.now() + 5_000).toISOString() },
      ada,
    )
    await bench.advance(30_000)
    const [execution] = await bench.executions(task.id)
    const late = Date.parse(execution?.started_at ?? '') - Date.parse(task.due_at ?? '')
    expect(late).to.be.within(0, 30_000)
  })

  it('moves with the zone of its owner’s profile, unless it has one of its own', async () => {
    await open()
    const follows = await create({ schedule: { cron: '0 9 * * *' } })
    const stays = await create({ schedule: { cron: '0 9 * * *', timezone: 'UTC' } })
    expect(follows.next_at).to.equal('2026-01-01T09:00:00.000Z')
    bench.accounts.set('ada', account('ada', 'America/New_York'))
    const { createFollowZonesJob } = await import('../jobs.js')
    await createFollowZonesJob(bench.parts(), () => bench.engine().wake()).run({ signal: new AbortController().signal, epoch: 1 })
    expect(await bench.task(follows.id)).to.include({ next_at: '2026-01-01T14:00:00.000Z', zone: 'America/New_York' })
    expect((await bench.task(stays.id)).next_at).to.equal('2026-01-01T09:00:00.000Z')
    bench.accounts.set('ada', account('ada', 'Asia/Tokyo'))
    await bench.advance(14 * hourMs)
    expect(await times(follows.id), 'found at the time itself, without the job').to.deep.equal(['2026-01-01T00:00:00.000Z'].slice(1))
    expect((await bench.task(follows.id)).next_at).to.equal('2026-01-02T00:00:00.000Z')
  })

  it('is paused, with the reason, when the account of its owner is closed', async () => {
    await open()
    const { id } = await create({ schedule: { cron: '0 9 * * *' } })
    bench.accounts.delete('ada')
    await bench.advance(dayMs)
    const task = await bench.task(id)
    expect(task).to.include({ status: 'paused', wake_at: null })
    expect(task.problem?.message).to.match(/account of this task’s owner is closed or disabled/)
  })

  it('has its next five times', async () => {
    await open()
    const task = await create({ schedule: { cron: '30 2 * * *', timezone: 'Europe/Vienna' } })
    expect(nextTimes(task, 5)).to.deep.equal([1, 2, 3, 4, 5].map((day) => `2026-01-0${day}T01:30:00.000Z`))
  })
})

function createSecondProcess(bench: TaskBench) {
  const engine = { wake: () => undefined, stopRun: () => undefined }
  return {
    tasks: {
      create: async (...given: Parameters<ReturnType<TaskBench['tasks']>['create']>) => {
        const { createTask } = await import('../tasks/create-task.js')
        engine.wake()
        return createTask(bench.parts(), ...given)
      },
    },
  }
}
