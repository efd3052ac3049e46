import { expect } from 'chai'
import { createTaskBench, type TaskBench } from '../test-support/task-bench.js'

const hourMs = 3_600_000
const ada = { userId: 'ada' }

describe('a heartbeat', () => {
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
    const schedule = { cron: '0 * * * *' }
    const given = { kind: 'heartbeat', instruction: 'Look at the inbox.', schedule, spread_secs: 0, ...input } as const
    return (await bench.tasks().create(given as never, ada)).task.id
  }
  const hour = async (): Promise<void> => bench.advance(hourMs)
  const report = async (value: string | null): Promise<void> => {
    bench.runs.open()[0]?.end({ result: { value: { report: value } } })
    await bench.settle()
  }
  const told = () => bench.notifications.sent.map(({ text }) => text)

  it('costs nothing while its file is as it was: no run, no event', async () => {
    const folder = bench.files.folder({ handle: 'ada' }, { subsystem: 'workspaces', path: 'assistant' })
    const id = await create({ check: { kind: 'file', path: 'inbox.md' } })
    await hour()
    expect(bench.runs.all, 'there is no file').to.have.length(0)
    const events = bench.events.recorded.length
    await hour()
    expect(bench.events.recorded.length).to.equal(events)
    await folder.write('inbox.md', new TextEncoder().encode('A letter.'))
    await hour()
    expect(bench.runs.all).to.have.length(1)
    await report(null)
    await hour()
    expect(bench.runs.all, 'nothing has changed').to.have.length(1)
    expect((await bench.task(id)).heartbeat).to.include({ outcome: 'nothing_to_do' })
    expect(told(), 'nothing to report').to.deep.equal([])
  })

  it('reports what its agent finds', async () => {
    await create({})
    await hour()
    expect(bench.runs.all[0]?.request.result?.name).to.equal('heartbeat')
    await report('Two letters wait for you.')
    expect(told()).to.deep.equal(['Two letters wait for you.'])
  })

  it('asks its agent when a task of it has ended', async () => {
    await create({ check: { kind: 'tasks' } })
    await hour()
    expect(bench.runs.all).to.have.length(0)
    await bench.tasks().create({ instruction: 'Work.' }, ada)
    await bench.settle()
    bench.runs.open()[0]?.end()
    await hour()
    expect(bench.runs.all).to.have.length(2)
    await report(null)
    await hour()
    expect(bench.runs.all).to.have.length(2)
  })

  it('stays within its budget of runs and of tokens in 24 hours', async () => {
    for (const budget of [{ max_runs: 3 }, { max_tokens: 330 }]) {
      const id = await create(budget)
      const before = bench.runs.all.length
      for (let count = 0; count < 10; count += 1) {
        await hour()
        await report(null)
      }
      expect(bench.runs.all.length - before, JSON.stringify(budget)).to.equal(3)
      expect((await bench.task(id)).heartbeat).to.include({ outcome: 'budget_spent' })
      for (let count = 0; count < 16; count += 1) {
        await hour()
        await report(null)
      }
      expect(bench.runs.all.length - before, 'again after a day').to.be.greaterThan(3)
      await bench.tasks().cancel('ada', id)
      await bench.settle()
    }
  })

  it('needs a schedule, and has a form of result of its own', async () => {
    for (const input of [{ schedule: null }, { result: { name: 'x', schema: {} } }]) {
      const refused = await create(input).then(
        () => undefined,
        (error: { readonly code?: string }) => error.code,
      )
      expect(refused).to.equal('invalid_request')
    }
  })
})
