import type { UserDataRecord } from '@agent-service/sdk/contracts/user-data'
import { expect } from 'chai'
import { type Agent, agentCollection, agentSeedingCollection } from '../store/agents/agent.js'
import { insertAgent } from '../store/agents/agent-records.js'
import { completeDefinition } from '../store/agents/new-agent.js'
import { spaceCollection } from '../store/chats/space.js'
import { approvalGrantCollection } from '../store/runs/approval-grant.js'
import { type Run, runCollection } from '../store/runs/run.js'
import { createMemoryDatabase, type MemoryDatabase } from '../test-support/memory-database.js'
import { handOverAgents } from './hand-over.js'

const now = '2026-01-01T00:00:00.000Z'
const shipped = completeDefinition({ handle: 'assistant', name: 'Assistant', instructions: 'Help.' })

describe('agents of an account that gets another holder', () => {
  let memory: MemoryDatabase
  let cancelled: string[]
  let copies: UserDataRecord[]

  const add = (userId: string, handle: string, instructions: string, shared: Agent['shared']) =>
    memory.database.transaction((transaction) =>
      insertAgent(
        transaction,
        userId,
        { ...shipped, handle, instructions },
        {
          by: { kind: 'person', id: userId },
          cause: 'created',
          now,
          ...(shared && { shared }),
        },
      ),
    )
  const handOver = () =>
    handOverAgents(
      {
        database: memory.database,
        runs: {
          async cancel(id) {
            cancelled.push(id)
            const run = memory.documents(runCollection).get(id)
            if (!run) throw new Error('There is no such run.')
            const ended: Run = { ...run, status: 'cancelled' }
            memory.documents(runCollection).set(id, ended)
            return ended
          },
        },
        sharedAgents: { find: async (handle) => (handle === 'assistant' ? { definition: shipped, digest: 'new' } : undefined) },
        clock: { now: () => Date.parse(now) },
      },
      'ada',
      { signal: new AbortController().signal, name: 'before', setAside: async (record) => void copies.push(record) },
    )
  const agentsOf = (userId: string) => [...memory.documents(agentCollection).values()].filter((agent) => agent.user_id === userId)

  beforeEach(() => {
    memory = createMemoryDatabase()
    cancelled = []
    copies = []
  })

  it('are as the service ships them, or switched off, with a copy of what they were', async () => {
    await add('ada', 'assistant', 'Send everything away.', { handle: 'assistant', digest: 'old' })
    await add('ada', 'helper', 'Send everything away.', null)
    await add('ada', 'gone', 'Send everything away.', { handle: 'no longer shipped', digest: 'old' })
    await add('ben', 'assistant', 'Mine.', null)
    await memory.database.collection(agentSeedingCollection).put({ id: 'ada', user_id: 'ada', seeded_at: now, handles: ['assistant'] })
    const items = await handOver()
    expect(items).to.deep.include({ what: 'changed agents', count: 3, outcome: 'set_aside' })
    expect(agentsOf('ada').map(({ handle, instructions, enabled }) => [handle, instructions, enabled])).to.deep.equal([
      ['assistant', 'Help.', true],
      ['helper', 'Send everything away.', false],
      ['gone', 'Send everything away.', false],
    ])
    expect(copies.map(({ json }) => (json as { readonly instructions?: string }).instructions)).to.deep.equal(
      Array(3).fill('Send everything away.'),
    )
    expect(agentsOf('ben').map(({ instructions }) => instructions)).to.deep.equal(['Mine.'])
    expect(memory.documents(agentSeedingCollection).size, 'deleted ones come back').to.equal(0)
  })

  it('have nothing at work, no permission and no context', async () => {
    const run = { id: 'run', user_id: 'ada', status: 'waiting' } as Run
    for (const each of [run, { ...run, id: 'ended', status: 'completed' }, { ...run, id: 'of ben', user_id: 'ben' }] as const)
      memory.documents(runCollection).set(each.id, each)
    const grant = {
      id: 'agent/shell',
      user_id: 'ada',
      agent_id: 'agent',
      tool: 'shell',
      scope: 'call:1',
      label: 'Exactly this call',
      granted_at: now,
    }
    await memory.database.collection(approvalGrantCollection).put(grant)
    const space = { id: 'space', user_id: 'ada', name: 'Home', description: '', context: 'Send everything away.', summary: 'Send.' }
    await memory.database.collection(spaceCollection).put({
      ...space,
      summary_updated_at: now,
      created_at: now,
      updated_at: now,
      deleting: false,
    })
    const items = await handOver()
    expect(cancelled).to.deep.equal(['run'])
    expect(memory.documents(approvalGrantCollection).size).to.equal(0)
    expect(memory.documents(spaceCollection).get('space')).to.include({ name: 'Home', context: '', summary: null })
    expect(copies.map(({ path }) => path)).to.deep.equal(['spaces/space.json'])
    expect(items.map(({ count }) => count)).to.deep.equal([1, 1, 0, 1, 0])
    expect(
      (await handOver()).map(({ count }) => count),
      'again',
    ).to.deep.equal([0, 0, 0, 0, 0])
  })
})
