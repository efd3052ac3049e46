import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { chatParts } from '@agent-service/sdk/contracts/chat-part'
import { type SchedulerJob, schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { describeAgentPromptSection, describeChatPart, describeSchedulerJob, describeUserData } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { sweepSecondsOf } from './sweeps/sweep-job.js'
import { type OpenedPlugin, openPlugin } from './test-support/open-plugin.js'

const { signal } = new AbortController()

const jobOf = ({ host }: OpenedPlugin, id: string): SchedulerJob => {
  const job = host.contributed(schedulerJobs).find((each) => each.id === id)
  if (!job) throw new Error(`The plugin contributed no job ${id}.`)
  return job
}

describeSchedulerJob({
  name: 'memory.sweep',
  async create() {
    const opened = await openPlugin()
    const state = () => opened.basic.called.filter((name) => name === 'sweep').length
    return { job: jobOf(opened, 'memory.sweep'), state, after: 1, restarted: 'not applicable' }
  },
})
// Without a migration it does nothing.
describeSchedulerJob({
  name: 'memory.migrate',
  create: async () => ({ job: jobOf(await openPlugin(), 'memory.migrate'), state: 'not applicable' }),
})

describeUserData({
  name: 'of memory',
  async create() {
    const { host, basic } = await openPlugin()
    const [data] = host.contributed(userData)
    const [part] = host.contributed(chatParts)
    if (!data || !part) throw new Error('The plugin contributed no data of users.')
    return {
      data,
      database: host.services.database,
      secrets: [],
      restarted: 'not applicable',
      async fill(userId) {
        await basic.backend.remember({ userId, scope: { kind: 'user' }, text: `Of ${userId}.`, key: 'k' }, { signal })
        await part.import({ chatId: `chat-of-${userId}`, userId }, { remember: false }, { signal })
      },
    }
  },
})

describeChatPart({
  name: 'of memory',
  async create() {
    const { host } = await openPlugin()
    const [part] = host.contributed(chatParts)
    if (!part) throw new Error('The plugin contributed no part.')
    const { database } = host.services
    const choices = () => database.documents('memory.excluded_chats') as readonly { readonly id: string; readonly user_id: string }[]
    const isOf = ({ chatId, userId }: { readonly chatId: string; readonly userId: string }) =>
      choices().some(({ id, user_id }) => id === chatId && user_id === userId)
    return {
      part,
      fill: (chat) => part.import(chat, { remember: false }, { signal }),
      isKept: async (chat) => isOf(chat),
      fillMuch: 'not applicable',
      state: isOf,
      breakStore: (afterCalls) => database.failWith(new Error('The disk is gone.'), { afterCalls }),
    }
  },
  // It takes what it understands, so that a chat of a later version is imported.
  badData: 'not applicable',
})

describeAgentPromptSection({
  name: 'of memory',
  personal: ['Likes tea'],
  async create() {
    const { host, basic } = await openPlugin()
    for (let index = 0; index < 200; index += 1)
      await basic.backend.remember(
        { userId: 'user-1', scope: { kind: 'user' }, text: `Likes tea ${index} ${'a lot '.repeat(20)}`, key: `k-${index}` },
        { signal },
      )
    const [section] = host.contributed(agentPromptSections)
    if (!section) throw new Error('The plugin contributed no section.')
    return section
  },
  examples: [
    { title: 'a user with memories', check: (text) => expect(text).to.contain('Likes tea 1') },
    { title: 'a user without', context: { userId: 'user-2' }, isEmpty: true },
    {
      title: 'an agent without memory',
      context: { agent: { id: 'agent-1', handle: 'assistant', name: 'Assistant', skills: [], memory: { enabled: false } } },
      isEmpty: true,
    },
  ],
})

describe('background work of the memory', () => {
  it('runs, and is told of in the state', async () => {
    const { host, basic, dispose } = await openPlugin()
    const job = host.contributed(schedulerJobs).find(({ id }) => id === 'memory.sweep')
    await job?.run({ signal, epoch: 1 })
    expect(basic.called).to.include('sweep')
    basic.fault = 'fail'
    await job?.run({ signal, epoch: 1 })
    const status = await host.request('GET /api/memory/status')
    expect(status.kind === 'json' && status.json).to.have.nested.property('last_sweep.failed', true)
    await dispose()
  })

  it('has what it learns of a user in their next prompt while it goes on, and leaves those of others alone', async () => {
    const { host, basic, dispose } = await openPlugin()
    const job = host.contributed(schedulerJobs).find(({ id }) => id === 'memory.sweep')
    const [section] = host.contributed(agentPromptSections)
    const prompt = async (userId: string): Promise<string> => {
      const chat = { userId, agent: { id: 'agent-1', memory: { enabled: true } }, chatId: 'chat-1', spaceId: null, maxTokens: 5_000 }
      return String(await section?.text(chat as never, { signal }))
    }
    const learn = (userId: string, text: string) =>
      basic.backend.remember({ userId, scope: { kind: 'user' }, text, key: `${userId} ${text}` }, { signal })
    for (const userId of ['user-1', 'user-2']) await learn(userId, 'Likes tea.')
    expect([await prompt('user-1'), await prompt('user-2')].every((text) => text.includes('Likes tea.'))).to.equal(true)
    const asked = (): number => basic.called.filter((name) => name === 'promptText').length
    let during = ''
    basic.onSweep = async (changed) => {
      await learn('user-1', 'Lives in Graz.')
      await changed?.('user-1')
      during = await prompt('user-1')
    }
    await job?.run({ signal, epoch: 1 })
    expect(during).to.contain('Lives in Graz.')
    const before = asked()
    await prompt('user-2')
    expect(asked() - before).to.equal(0)
    await dispose()
  })

  it('runs as often as the settings need it', async () => {
    const settings = { basic_compaction_secs: 7_200, basic_space_compaction_secs: 3_600, pkm_consolidate_secs: 300 }
    const of = (more: object): number => sweepSecondsOf({ ...settings, ...more } as never)
    expect(of({ backend: 'pkm' })).to.equal(300)
    expect(of({ backend: 'basic' })).to.equal(60)
    expect(of({ backend: 'basic', basic_space_compaction_secs: 5 })).to.equal(5)
    expect(of({ backend: 'tree' })).to.equal(60)
  })

  it('stops at the end of its time, and has not failed then', async () => {
    const { host, basic, dispose } = await openPlugin()
    const job = host.contributed(schedulerJobs).find(({ id }) => id === 'memory.sweep')
    basic.fault = 'hang'
    const hangs = new Promise<void>((resolve) => {
      basic.onCall = (name) => void (name === 'sweep' && setImmediate(resolve))
    })
    const run = job?.run({ signal, epoch: 1 })
    await hangs
    await host.services.clock.advance(900_000)
    await run
    const status = await host.request('GET /api/memory/status')
    expect(status.kind === 'json' && status.json).to.have.nested.property('last_sweep.failed', false)
    await dispose()
  })

  it('stops when the service does', async () => {
    const { host, basic, dispose } = await openPlugin()
    const job = host.contributed(schedulerJobs).find(({ id }) => id === 'memory.sweep')
    basic.fault = 'hang'
    const stopping = new AbortController()
    const run = job?.run({ signal: stopping.signal, epoch: 1 }).catch((error: unknown) => error)
    stopping.abort(new Error('stop'))
    expect(await run).to.have.property('message', 'stop')
    await dispose()
  })
})
