import { expect } from 'chai'
import { taskKindsOfNotifications } from '../notifications/task-kinds.js'
import { createTaskBench, type TaskBench } from '../test-support/task-bench.js'

const ada = { userId: 'ada' }
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const failure = { code: 'provider_error', message: 'Busy.', providerFailure: 'overloaded' } as const

describe('a task that fails', () => {
  let bench: TaskBench
  beforeEach(async () => {
    bench = createTaskBench()
    await bench.engine().begin()
  })
  afterEach(async () => {
    await bench.close()
    expect(bench.errors).to.deep.equal([])
  })
  const create = async (input: object) => {
    const { task } = await bench.tasks().create({ instruction: 'Count.', max_retries: 0, ...input }, ada)
    await bench.settle()
    return task
  }
  const endRun = async (end: Parameters<ReturnType<TaskBench['runs']['open']>[number]['end']>[0]): Promise<void> => {
    bench.runs.open()[0]?.end(end)
    await bench.settle()
  }
  const failures = () => bench.notifications.sent.filter(({ kind }) => kind === 'task.failed')
  const mailed = () => failures().filter(({ mail }) => mail !== false)

  it('is told by e-mail to people who have decided nothing', () => {
    expect(taskKindsOfNotifications.find(({ id }) => id === 'task.failed')).to.include({ app: true, mail: true })
  })

  it('is told once for all of its attempts', async () => {
    await create({ max_retries: 2, retry_delay_secs: 60 })
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await endRun({ failure })
      await bench.advance(6 * hourMs)
    }
    expect(bench.runs.all).to.have.length(3)
    expect(failures()).to.have.length(1)
    expect(mailed()).to.have.length(1)
  })

  it('each minute is one e-mail in 20 hours, which says how often it was, also over a restart and a success', async () => {
    await create({ schedule: { cron: '* * * * *' }, spread_secs: 0 })
    for (let minute = 1; minute <= 20; minute += 1) {
      await bench.advance(minuteMs)
      await endRun(minute === 10 ? {} : { failure })
      if (minute === 5) await bench.restart()
    }
    expect(failures()).to.have.length(19)
    expect(mailed().map(({ text }) => text)).to.deep.equal(['The model could not be called: Busy.'])
    await bench.advance(20 * hourMs)
    await endRun({ failure })
    expect(
      mailed()
        .map(({ text }) => text)
        .slice(1),
    ).to.deep.equal(['The model could not be called: Busy.\n\nIt has failed 18 more times since the last e-mail about it.'])
  })

  it('again after its owner has changed it is told by e-mail again', async () => {
    const { id } = await create({ schedule: { cron: '* * * * *' }, spread_secs: 0 })
    for (let minute = 1; minute <= 2; minute += 1) {
      await bench.advance(minuteMs)
      await endRun({ failure })
    }
    await bench.tasks().change('ada', id, { instruction: 'Count again.' })
    await bench.advance(minuteMs)
    await endRun({ failure })
    expect(mailed().map(({ text }) => text)).to.deep.equal(['The model could not be called: Busy.', 'The model could not be called: Busy.'])
  })

  it('says why in short, and nothing of the answer', async () => {
    await create({})
    await endRun({ text: 'The secret answer.', failure: { ...failure, message: 'x'.repeat(5_000) } })
    expect(mailed()[0]?.text).to.have.length.within(100, 400)
    expect(JSON.stringify(mailed())).to.not.contain('secret answer')
  })
})
