import { setMaxListeners } from 'node:events'
import type { ToolContext, ToolResult } from '@agent-service/sdk/contracts/tool'
import { createFakePolicies } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import type { ControlledRun } from '../test-support/controlled-runs.js'
import { createTaskBench, type TaskBench } from '../test-support/task-bench.js'
import { mayChange } from './common.js'
import { createCreateTaskTool } from './create-task-tool.js'

const ada = { userId: 'ada' }

describe('a task that waits for the tasks that it created', function () {
  this.timeout(60_000)
  let bench: TaskBench
  let stopping: AbortController
  let results: Map<string, ToolResult>

  /** The parent's calls, as its run makes them; again after a restart, if they have no result. */
  const call = async (parent: ControlledRun, callIds: readonly string[]): Promise<void> => {
    const { signal } = stopping
    setMaxListeners(0, signal)
    const tool = createCreateTaskTool({
      parts: bench.parts(),
      engine: bench.engine(),
      tasks: bench.tasks(),
      policies: createFakePolicies(),
    })
    await Promise.all(
      callIds
        .filter((callId) => !results.has(callId))
        .map(async (callId) => {
          const context = { callId, runId: parent.id, chatId: 'chat', agentId: 'ada-agent', agentHandle: 'assistant', ...ada, depth: 0 }
          const given = { ...context, timezone: 'UTC', signal } as unknown as ToolContext
          const result = await tool.execute({ instruction: `Part ${callId}`, wait: true }, given).catch((error: unknown) => {
            if (!signal.aborted) throw error
          })
          if (result && !signal.aborted) results.set(callId, result)
        }),
    )
  }

  beforeEach(async () => {
    bench = createTaskBench({ limits: { maxConcurrent: 4, pollMs: 1_000 } })
    stopping = new AbortController()
    results = new Map()
    await bench.engine().begin()
  })
  afterEach(async () => {
    stopping.abort(new Error('The test is over.'))
    await bench.close()
    expect(bench.errors).to.deep.equal([])
  })

  it('has what guests may use for all runs of its task, and changes none that may do more', async () => {
    const { task: owned } = await bench.tasks().create({ instruction: 'Be the parent.' }, ada)
    await bench.settle()
    const [parent] = bench.runs.all
    if (!parent) throw new Error('The parent did not begin.')
    const tool = createCreateTaskTool({
      ...{ parts: bench.parts(), engine: bench.engine(), tasks: bench.tasks(), policies: createFakePolicies() },
    })
    const guests = { tools: ['create_task'] }
    const context = { callId: 'call', runId: parent.id, chatId: 'chat', agentId: 'ada-agent', agentHandle: 'assistant', ...ada, depth: 0 }
    const given = { ...context, guests, timezone: 'UTC', signal: stopping.signal } as unknown as ToolContext
    await tool.execute({ instruction: 'For a guest.' }, given)
    await bench.settle()
    expect(bench.runs.all.map(({ request }) => request.chat)).to.deep.equal([
      { title: 'Be the parent.', hidden: true },
      { title: 'For a guest.', hidden: true, guests, callers: ['ada-agent'] },
    ])
    const { items } = await bench.tasks().list('ada', { limit: 10 })
    const theirs = items.find(({ guests: of }) => of !== null)
    if (!theirs) throw new Error('The task has no mark.')
    const byAgent = { ...owned, creator_agent_id: 'ada-agent' }
    expect([mayChange(theirs, given), mayChange(byAgent, given), mayChange(byAgent, context)]).to.deep.equal([true, false, true])
    expect(mayChange(theirs, { ...context, guests: { tools: [] } })).to.equal(false)
    // While it works for another agent, it changes only what works for that one too.
    const forOther = { ...context, callers: [{ id: 'other' }] }
    const sameWork = { ...byAgent, callers: ['other', 'ada-agent'] }
    expect([mayChange(byAgent, forOther), mayChange(sameWork, forOther)]).to.deep.equal([false, true])
  })

  it('is killed after each step of 20 children: each runs once, and the parent gets every result', async () => {
    const { task } = await bench.tasks().create({ instruction: 'Be the parent.' }, ada)
    await bench.settle()
    const [parent] = bench.runs.all
    if (!parent) throw new Error('The parent did not begin.')
    const callIds = Array.from({ length: 20 }, (_, index) => `call-${index}`)
    let most = 0
    let kills = 0
    while (results.size < 20) {
      void call(parent, callIds)
      await bench.settle()
      most = Math.max(most, await bench.leases())
      bench.runs
        .open()
        .find(({ id }) => id !== parent.id)
        ?.end({ text: 'A part is done.' })
      if (results.size >= 20) break
      await bench.settle()
      if (results.size >= 20) break
      stopping.abort(new Error('The process was killed.'))
      stopping = new AbortController()
      kills += 1
      await bench.restart()
      expect(kills, 'it makes progress').to.be.below(60)
    }
    parent.end({ text: 'All parts are done.' })
    await bench.settle()
    expect(most).to.be.at.most(4)
    expect(kills).to.be.greaterThan(15)
    expect(bench.runs.all, 'one run for each').to.have.length(21)
    expect([...results.values()].every(({ isError }) => isError !== true)).to.equal(true)
    expect((await bench.task(task.id)).status).to.equal('completed')
    const children = await bench.tasks().children('ada', task.id)
    expect(children.map(({ status }) => status)).to.deep.equal(Array(20).fill('completed'))
    expect(await bench.leases()).to.equal(0)
  })

  it('gets the reason of a child that fails, and goes on', async () => {
    await bench.tasks().create({ instruction: 'Be the parent.' }, ada)
    await bench.settle()
    const [parent] = bench.runs.all
    if (!parent) throw new Error('The parent did not begin.')
    const waiting = call(parent, ['one'])
    await bench.settle()
    bench.runs.all[1]?.end({ failure: { code: 'run_overdue', message: 'It took longer than 5 seconds.' } })
    await bench.settle()
    await waiting
    const text = JSON.stringify(results.get('one'))
    expect(results.get('one')?.isError).to.equal(true)
    expect(text).to.match(/failed: The task did not end in its time: It took longer than 5 seconds/)
  })

  it('takes its children with it when it is cancelled', async () => {
    const { task } = await bench.tasks().create({ instruction: 'Be the parent.' }, ada)
    await bench.settle()
    const [parent] = bench.runs.all
    if (!parent) throw new Error('The parent did not begin.')
    void call(parent, ['one', 'two', 'three', 'four', 'five', 'six'])
    await bench.settle()
    expect((await bench.task(task.id)).status).to.equal('waiting')
    await bench.tasks().cancel('ada', task.id)
    // The service cancels the runs below one that has ended.
    for (const run of bench.runs.open()) run.end({ status: 'cancelled' })
    await bench.settle()
    for (const run of bench.runs.open()) run.end({ status: 'cancelled' })
    await bench.settle()
    const children = await bench.tasks().children('ada', task.id)
    expect(children.map(({ status }) => status)).to.deep.equal(Array(6).fill('cancelled'))
    expect((await bench.task(task.id)).status).to.equal('cancelled')
    expect(await bench.leases()).to.equal(0)
  })

  it('is refused beyond three levels, and for agents that the policies forbid', async () => {
    const policies = createFakePolicies()
    const tool = createCreateTaskTool({ parts: bench.parts(), engine: bench.engine(), tasks: bench.tasks(), policies })
    const { run } = await bench.runs.start({ userId: 'ada', key: 'chat', message: 'Hello' })
    const context = {
      callId: 'x',
      runId: run.id,
      chatId: 'c',
      agentId: 'ada-agent',
      agentHandle: 'assistant',
      userId: 'ada',
      timezone: 'UTC',
    }
    const given = { ...context, depth: 3, signal: stopping.signal } as unknown as ToolContext
    const result = await tool.execute({ instruction: 'Deeper.' }, given)
    expect(JSON.stringify(result)).to.match(/Tasks may create tasks 3 levels deep/)
    expect(JSON.stringify(await tool.execute({ instruction: 'x', agent: 'nobody' }, { ...given, depth: 0 }))).to.match(
      /no enabled agent “nobody”/,
    )
  })
})
