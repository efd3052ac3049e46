import { tools } from '@agent-service/sdk/contracts/tool'
import {
  createMemoryDatabase,
  createTestContext,
  describeDoctorCheck,
  describeTool,
  describeUserData,
  type PluginTestContext,
  testAccount,
} from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createLateCheck } from './doctor.js'
import plugin from './index.js'
import { isFinal, type Task, taskCollection } from './store/task.js'
import { account, agent, createTaskBench } from './test-support/task-bench.js'
import { createTaskUserData } from './user-data.js'

describe('the plugin', () => {
  it('contributes what its manifest says, and works without a sandbox', async () => {
    const host = createTestContext(plugin)
    await host.setup()
    expect(host.contributed(tools).map(({ name }) => name)).to.deep.equal([
      ...['create_task', 'list_tasks', 'change_task', 'cancel_task', 'remind_me'],
    ])
    await host.dispose()
  })
})

const withoutEffects = { secrets: 'not applicable', state: 'not applicable' } as const
describeDoctorCheck({
  ...withoutEffects,
  name: 'of late tasks',
  create: () => createLateCheck(createTaskBench().parts()),
  broken: () => createLateCheck({ ...createTaskBench().parts(), database: createMemoryDatabase([]) }),
})
describeDoctorCheck({
  ...withoutEffects,
  name: 'of late tasks, without a service',
  create: () => createLateCheck(undefined),
  broken: 'not applicable',
})

describeUserData({
  name: 'of tasks',
  async create() {
    const bench = createTaskBench()
    return {
      data: createTaskUserData(bench.parts(), (id) => bench.engine().stopRun(id)),
      database: bench.database,
      acting: (userId) =>
        (bench.database.documents(taskCollection.name) as readonly unknown[] as readonly Task[])
          .filter((task) => task.user_id === userId && !task.paused && !isFinal(task.status))
          .map(({ id }) => id),
      secrets: [],
      restarted: () => createTaskUserData(bench.parts(), (id) => bench.engine().stopRun(id)),
      async fill(userId) {
        bench.accounts.set(userId, account(userId))
        bench.agents.set(userId, [agent(`agent-of-${userId}`)])
        await bench.tasks().create({ instruction: 'Work.' }, { userId })
        await bench.settle()
        await bench.tasks().create({ kind: 'reminder', instruction: 'Look.', schedule: { cron: '0 9 * * *' } }, { userId })
      },
    }
  },
})

const examples = {
  list_tasks: [
    { title: 'all', input: {} },
    { title: 'one that is not there', input: { id: 'none' }, isError: true },
  ],
  remind_me: [
    { title: 'in some minutes', input: { text: 'Drink water.', in_minutes: 5 } },
    { title: 'a time on the clock', input: { text: 'Drink water.', at: '2999-01-31T09:00' } },
    { title: 'two times', input: { text: 'Drink water.', in_minutes: 5, cron: '0 9 * * *' }, isError: true },
    { title: 'a time that is none', input: { text: 'Drink water.', at: 'tomorrow' }, isError: true },
  ],
  change_task: [{ title: 'one that is not there', input: { id: 'none', do: 'pause' }, isError: true }],
  cancel_task: [{ title: 'one that is not there', input: { id: 'none' }, isError: true }],
} as const

describe('a tool', () => {
  let host: PluginTestContext
  before(async () => {
    host = createTestContext(plugin)
    await host.setup()
  })
  after(() => host.dispose())

  for (const [name, given] of Object.entries(examples))
    describeTool({
      name,
      create() {
        const tool = host.contributed(tools).find((each) => each.name === name)
        if (!tool) throw new Error(`There is no tool ${name}.`)
        return tool
      },
      examples: given,
      context: { userId: testAccount.id, agentHandle: 'assistant' },
      secrets: [],
    })
})
