import { expect } from 'chai'
import { account, agent, createTaskBench, type TaskBench } from '../test-support/task-bench.js'

describe('tasks of many users', function () {
  this.timeout(60_000)
  let bench: TaskBench
  afterEach(() => bench.close())

  const open = async (users: number, limits: { readonly maxConcurrent: number; readonly maxConcurrentPerAgent?: number }) => {
    bench = createTaskBench({ limits })
    for (let number = 1; number <= users; number += 1) {
      bench.accounts.set(`user-${number}`, account(`user-${number}`))
      bench.agents.set(`user-${number}`, [agent(`agent-${number}`), agent(`other-${number}`)])
    }
    await bench.engine().begin()
  }
  const create = (user: string, agentHandle?: string) =>
    bench.tasks().create({ instruction: 'Work.', notify: 'never', ...(agentHandle && { agent: agentHandle }) }, { userId: user })

  it('take turns: one with many does not make the others wait for all of them', async () => {
    await open(4, { maxConcurrent: 3 })
    for (let count = 0; count < 20; count += 1) await create('user-1')
    for (const user of ['user-2', 'user-3', 'user-4']) await create(user)
    await bench.settle()
    const order: string[] = []
    while (bench.runs.open().length > 0) {
      order.push(...bench.runs.all.slice(order.length).map(({ request }) => request.userId))
      bench.runs.open()[0]?.end()
      await bench.settle()
    }
    expect(order.slice(0, 3)).to.deep.equal(['user-1', 'user-1', 'user-1'])
    expect(order.slice(3, 6).toSorted()).to.deep.equal(['user-2', 'user-3', 'user-4'])
    expect(order).to.have.length(23)
  })

  it('leave places to other agents when one has its most', async () => {
    await open(1, { maxConcurrent: 4, maxConcurrentPerAgent: 2 })
    for (let count = 0; count < 5; count += 1) await create('user-1', 'agent-1')
    await create('user-1', 'other-1')
    await bench.settle()
    const atWork = () => bench.runs.open().map(({ request }) => request.agent && 'id' in request.agent && request.agent.id)
    expect(atWork()).to.deep.equal(['agent-1', 'agent-1', 'other-1'])
    await bench.restart()
    expect(atWork(), 'counted from the store after a restart').to.deep.equal(['agent-1', 'agent-1', 'other-1'])
  })

  it('are never more at work than the places, at 300 tasks of 50 users, and all end', async () => {
    await open(50, { maxConcurrent: 10 })
    let most = 0
    const firstEnds = new Map<string, number>()
    bench.runs.onStart = (run) => {
      most = Math.max(most, bench.runs.open().length)
      setImmediate(() => {
        if (!firstEnds.has(run.request.userId)) firstEnds.set(run.request.userId, bench.runs.all.length)
        run.end()
      })
    }
    for (let count = 0; count < 300; count += 1) await create(`user-${(count % 50) + 1}`)
    while (bench.runs.all.length < 300 || bench.runs.open().length > 0) await bench.settle()
    await bench.settle()
    expect(most).to.be.within(2, 10)
    expect(await bench.leases()).to.equal(0)
    expect(firstEnds.size).to.equal(50)
  })
})
