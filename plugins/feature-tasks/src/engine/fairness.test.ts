import { expect } from 'chai'
import { executionCollection } from '../store/execution.js'
import { account, agent, createTaskBench, type TaskBench } from '../test-support/task-bench.js'
import { claimFrom } from './claim-execution.js'
import { endExecution } from './end-execution.js'
import { readPlaces } from './places.js'

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
    await bench.settle()
    for (const user of ['user-2', 'user-3', 'user-4']) await create(user)
    await bench.settle()
    const order: string[] = []
    while (bench.runs.open().length > 0) {
      order.push(...bench.runs.all.slice(order.length).map(({ request }) => request.userId))
      bench.runs.open()[0]?.end()
      await bench.settle()
    }
    expect(order.slice(0, 3)).to.deep.equal(['user-1', 'user-1', 'user-2'])
    expect(order.slice(3, 5).toSorted()).to.deep.equal(['user-3', 'user-4'])
    expect(order).to.have.length(23)
  })

  it('leave places to other agents when one has its most', async () => {
    await open(1, { maxConcurrent: 6, maxConcurrentPerAgent: 2 })
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

  const atWorkOf = (user: string) => bench.runs.open().filter(({ request }) => request.userId === user).length
  const users = (count: number) => Array.from({ length: count }, (_, index) => `user-${index + 1}`)

  for (const places of [1, 2, 3, 10]) {
    const atOnce = Math.floor(places / 2) + 1
    const ofOne = places - atOnce + 1
    it(`begin at once for ${atOnce} users with ${places} places, whoever came first`, async () => {
      await open(atOnce, { maxConcurrent: places })
      for (let count = 0; count < 3 * places; count += 1) await create('user-1')
      await bench.settle()
      expect(atWorkOf('user-1'), 'one user alone').to.equal(ofOne)
      for (const user of users(atOnce).slice(1)) {
        for (let count = 0; count < places; count += 1) await create(user)
        await bench.settle()
        expect(atWorkOf(user), `${user} waits for none`).to.be.at.least(1)
      }
      expect(bench.runs.open().length).to.equal(places)
    })
  }

  for (const [count, ofOne] of [
    [1, 10],
    [2, 9],
    [4, 7],
    [9, 5],
  ] as const)
    it(`have ${ofOne} of 10 places at most if there are ${count} accounts`, async () => {
      await open(count, { maxConcurrent: 10 })
      bench.accounts.delete('ada')
      for (let index = 0; index < 20; index += 1) await create('user-1')
      await bench.settle()
      expect(atWorkOf('user-1')).to.equal(ofOne)
    })

  it('find a place in every order of arrivals and ends while fewer users than that have one', async () => {
    const [places, atOnce] = [10, 6]
    await open(12, { maxConcurrent: places })
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((seed / 2 ** 31) * below)
    }
    for (let step = 0; step < 300; step += 1) {
      const ending = bench.runs.open()[random(places * 2)]
      if (ending) ending.end()
      // A few users come much more often than the others.
      else await create(`user-${1 + random(1 + random(12))}`)
      await bench.settle()
      const atWork = new Set(bench.runs.open().map(({ request }) => request.userId)).size
      expect(places - bench.runs.open().length + atWork, `step ${step}`).to.be.at.least(atOnce)
    }
    expect(bench.runs.all.length).to.be.greaterThan(100)
  })

  it('go on after a question only behind the first place of every user', async () => {
    await open(4, { maxConcurrent: 3 })
    await create('user-1')
    await bench.settle()
    const [asking] = bench.runs.all
    await asking?.wait()
    for (const user of ['user-1', 'user-2', 'user-3']) await create(user)
    await bench.settle()
    const working = () => bench.runs.open().filter((run) => run !== asking)
    expect(working().map(({ request }) => request.userId)).to.deep.equal(['user-1', 'user-2', 'user-3'])
    const answered = asking?.answered()
    await create('user-4')
    await bench.settle()
    working()[1]?.end()
    await bench.settle()
    expect(working().map(({ request }) => request.userId)).to.deep.equal(['user-1', 'user-3', 'user-4'])
    for (const run of working()) run.end()
    await bench.settle()
    await answered
    expect(await bench.leases(), 'the one that went on').to.equal(1)
  })

  it('have what is kept for others kept also by a process that counted before another gave places', async () => {
    await open(3, { maxConcurrent: 3 })
    await bench.engine().end()
    const parts = bench.parts()
    for (const user of ['user-1', 'user-1', 'user-2']) await create(user)
    const lane = (user: string, agentHandle: string) => `${user}/${agentHandle}`
    expect(await claimFrom(parts, lane('user-1', 'agent-1'), await readPlaces(parts))).to.include({ outcome: 'claimed' })
    await claimFrom(parts, lane('user-2', 'agent-2'), await readPlaces(parts))
    const before = await readPlaces(parts)
    // The first one of user 2 ends meanwhile, and its number goes to user 1.
    const ofUser2 = (await bench.database.collection(executionCollection).query({ index: 'by_user', equals: ['user-2'], limit: 1 }))
      .items[0]
    await endExecution(parts, ofUser2?.id ?? '', { state: 'completed' })
    await create('user-1')
    expect(await claimFrom(parts, lane('user-1', 'agent-1'), await readPlaces(parts))).to.include({ outcome: 'claimed' })
    expect(await claimFrom(parts, lane('user-1', 'agent-1'), before)).to.include({ outcome: 'taken' })
    expect(await bench.leases()).to.equal(2)
  })
})
