import type { AuditEvent } from '@agent-service/sdk/services/audit'
import type { PolicyRequest } from '@agent-service/sdk/services/policy'
import type { StartRunRequest } from '@agent-service/sdk/services/runs'
import { createFakeQuotas } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createAgentChoice } from '../agents/agent-choice.js'
import { createForeignSchemas } from '../foreign-schemas/foreign-schemas.js'
import { createPosting } from '../posting/posting.js'
import { agentCollection } from '../store/agents/agent.js'
import { completeDefinition, newAgent } from '../store/agents/new-agent.js'
import { chatCollection, newChat } from '../store/chats/chat.js'
import { messageCollection } from '../store/chats/message.js'
import { spaceCollection } from '../store/chats/space.js'
import type { FreshRun } from '../store/runs/fresh-run.js'
import { type Run, runCollection } from '../store/runs/run.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { queuedRun } from '../test-support/queued-run.js'
import { startRun } from './start-run.js'

const begin = () => {
  const { database, documents } = createMemoryDatabase()
  const people = new Set(['ada', 'ben'])
  const agentOf = (userId: string, handle: string, enabled = true) => {
    const definition = completeDefinition({ handle, name: handle, enabled, tools: ['look', 'write'] })
    const agent = newAgent(definition, { userId, workspace: handle, shared: null, now: '' })
    documents(agentCollection).set(agent.id, agent)
    return agent
  }
  const [mine, third, other, off, foreign] = [
    agentOf('ada', 'mine'),
    agentOf('ada', 'third'),
    agentOf('ada', 'other'),
    agentOf('ada', 'off', false),
    agentOf('ben', 'foreign'),
  ]
  const chatOf = (id: string, userId: string, agentId: string, deleting = false) =>
    documents(chatCollection).set(id, newChat({ id, user_id: userId, agent_id: agentId, title: null, deleting }, ''))
  chatOf('of ada', 'ada', mine.id)
  chatOf('with off', 'ada', off.id)
  chatOf('going', 'ada', mine.id, true)
  documents(chatCollection).set('with guests', {
    ...newChat({ id: 'with guests', user_id: 'ada', agent_id: mine.id, title: null }, ''),
    guests: { tools: ['look', 'write'] },
  })
  chatOf('of ben', 'ben', foreign.id)
  const runs = documents(runCollection)
  for (const run of [
    queuedRun('open', 'ada', { status: 'running', agent_id: mine.id }),
    queuedRun('deep', 'ada', { status: 'running', agent_id: mine.id, parent: { run_id: 'x', call_id: null, depth: 3 }, depth: 3 }),
    queuedRun('of guests', 'ada', { status: 'running', agent_id: mine.id, guests: { tools: ['look'] } }),
    queuedRun('of other', 'ada', { status: 'running', agent_id: mine.id, callers: [other.id] }),
    queuedRun('ended', 'ada', { status: 'completed', agent_id: mine.id }),
    queuedRun('of ben', 'ben', { status: 'running', agent_id: foreign.id }),
  ])
    runs.set(run.id, run)
  const forbidden = new Set([other.id])
  const forbiddenFor = new Set<string>()
  const asked: PolicyRequest[] = []
  const seeded: string[] = []
  const begun: FreshRun[] = []
  const noted: AuditEvent[] = []
  const sharedAgents = { ensure: async (userId: string) => void seeded.push(userId), find: async () => undefined }
  const accounts = {
    get: async (id: string) => (people.has(id) ? { id, username: id, handle: id, role: 'user' as const, timezone: 'UTC' } : undefined),
  }
  const clock = { now: () => 0 }
  const policies = {
    async isAuthorized(question: PolicyRequest) {
      asked.push(question)
      return { allowed: !forbidden.has(question.resource.id) && !forbiddenFor.has(question.principal.id) }
    },
  }
  const posting = createPosting({
    policies,
    database,
    events: { record: () => undefined },
    audit: { record: (_, event) => void noted.push(event) },
    clock,
    accounts,
    driverId: 'here',
    runs: { reserve: () => () => undefined, hasRoom: () => false, begin: (fresh) => void begun.push(fresh), wake: () => undefined },
    modelTurn: { open: async (_, run: Run) => ({ run }) },
  })
  const dependencies = {
    foreignSchemas: createForeignSchemas({ quotas: createFakeQuotas() }),
    database,
    clock,
    accounts,
    posting,
    sharedAgents,
    agentChoice: createAgentChoice({ database, sharedAgents }),
    inference: { groups: () => [{ name: 'primary', provider: 'p', model: 'm', context_window: 1 }] },
    policies,
  }
  const start = (more: Partial<StartRunRequest>) =>
    startRun(dependencies as never, { userId: 'ada', key: 'k', message: 'Hello', agent: { id: mine.id }, ...more })
  const written = (): readonly string[] =>
    [
      documents(agentCollection),
      documents(chatCollection),
      documents(messageCollection),
      documents(runCollection),
      documents(spaceCollection),
    ].map((stored) => JSON.stringify([...stored.values()]))
  return { start, written, seeded, begun, noted, asked, forbidden, forbiddenFor, agents: { mine, third, other, off, foreign } }
}

describe('a start request', () => {
  const { agents } = begin()
  const table: readonly (readonly [string, (ids: typeof agents) => Partial<StartRunRequest>, string])[] = [
    ['for a user that there is not', () => ({ userId: 'nobody' }), 'user_not_found'],
    ['with the agent of another user', ({ foreign }) => ({ agent: { id: foreign.id } }), 'agent_not_found'],
    ['with an agent that is switched off', ({ off }) => ({ agent: { id: off.id } }), 'agent_not_found'],
    ['in the chat of another user', () => ({ chat: { id: 'of ben' } }), 'not_found'],
    ['in a chat that is being deleted', () => ({ chat: { id: 'going' } }), 'not_found'],
    ['in a chat with another agent', ({ other }) => ({ agent: { id: other.id }, chat: { id: 'of ada' } }), 'run_request_invalid'],
    ['in a chat whose agent is switched off', ({ off }) => ({ agent: { id: off.id }, chat: { id: 'with off' } }), 'agent_not_found'],
    ['in a space that there is not', () => ({ chat: { spaceId: 'nowhere' } }), 'not_found'],
    ['below the run of another user', () => ({ parent: { runId: 'of ben' } }), 'not_found'],
    ['below a run that has ended', () => ({ parent: { runId: 'ended' } }), 'run_request_invalid'],
    ['too far below the first one', () => ({ parent: { runId: 'deep' } }), 'run_too_deep'],
    ['too far below the first one, that has ended', () => ({ depth: 4 }), 'run_too_deep'],
    ['for an agent of another user', ({ foreign }) => ({ chat: { callers: [foreign.id] } }), 'run_request_invalid'],
    ['against the policies', ({ other }) => ({ agent: { id: other.id }, parent: { runId: 'open' } }), 'run_forbidden'],
    ['with tools that its agent has not', () => ({ tools: ['look', 'run'] }), 'run_request_invalid'],
    ['in a group that there is not', () => ({ modelGroup: 'none' }), 'model_group_unknown'],
    ['without a message', () => ({ message: [] }), 'run_request_invalid'],
    ['with a message that no store could keep', () => ({ message: 'x'.repeat(8_000_000) }), 'message_too_long'],
    ['with a schema that is none', () => ({ result: { name: 'a', schema: { type: 'string', pattern: '(' } } }), 'run_request_invalid'],
    ['of guests in a chat of the owner alone', () => ({ chat: { id: 'of ada' }, parent: { runId: 'of guests' } }), 'run_request_invalid'],
    [
      'of guests in a chat of guests who may more',
      () => ({ chat: { id: 'with guests' }, parent: { runId: 'of guests' } }),
      'run_request_invalid',
    ],
    [
      'for another agent in a chat of the owner alone',
      () => ({ chat: { id: 'of ada' }, parent: { runId: 'open' } }),
      'run_request_invalid',
    ],
    ['with a group of tools for guests', () => ({ chat: { guests: { tools: ['look__*'] } } }), 'run_request_invalid'],
    ['whose answer is for a report that there is not', () => ({ answerFor: 'report' }), 'run_request_invalid'],
    ['without a key', () => ({ key: '' }), 'run_request_invalid'],
  ]
  for (const [title, request, code] of table) {
    it(`stores nothing after a refusal: ${title}`, async () => {
      const { start, written, seeded, begun, agents } = begin()
      const before = written()
      const thrown = await start(request(agents)).catch((error: unknown) => error)
      expect(thrown).to.include({ code })
      expect([written(), seeded, begun]).to.deep.equal([before, [], []])
    })
  }

  for (const [operation, request] of [
    ['createMessage', { chat: { id: 'of ada' } }],
    ['createMessage', { chat: { hidden: true } }],
    ['createMessage', { chat: { hidden: true }, parent: { runId: 'open' } }],
    ['createChat', {}],
    ['createChat', { chat: { title: 'A chat' } }],
  ] as const) {
    it(`is refused if the policies forbid the user ${operation}: ${JSON.stringify(request)}`, async () => {
      const { start, written, begun, forbidden } = begin()
      forbidden.add(operation)
      const before = written()
      expect(await start(request).catch((error: unknown) => error)).to.include({ code: 'forbidden', status: 403 })
      expect([written(), begun]).to.deep.equal([before, []])
    })
  }

  it('is allowed in a hidden chat for a user who may not create chats', async () => {
    const { start, begun, forbidden } = begin()
    forbidden.add('createChat')
    await start({ chat: { hidden: true } })
    await start({ key: 'k2', chat: { id: 'of ada' } })
    expect(begun).to.have.length(2)
  })

  it('marks the chat and its run for guests, and everything below it', async () => {
    const { start } = begin()
    expect((await start({ chat: { guests: { tools: ['write', 'run'] } } })).run.guests).to.deep.equal({ tools: ['write', 'run'] })
    expect((await start({ key: 'k2', chat: { id: 'with guests' } })).run.guests).to.deep.equal({ tools: ['look', 'write'] })
    const below = { parent: { runId: 'of guests' } }
    expect((await start({ key: 'k3', chat: { hidden: true }, ...below })).run.guests).to.deep.equal({ tools: ['look'] })
    const both = await start({ key: 'k4', chat: { guests: { tools: ['write'] } }, ...below })
    expect(both.run.guests).to.deep.equal({ tools: [] })
    expect((await start({ key: 'k5' })).run.guests).to.equal(null)
  })

  it('marks the chat, its runs and its message for the agents that ask, and everything below them', async () => {
    const { start, noted, agents } = begin()
    const { mine, third } = agents
    const first = await start({ agent: { id: third.id }, chat: { hidden: true }, parent: { runId: 'open' } })
    expect([first.run.callers, first.message.sent_by]).to.deep.equal([[mine.id], { agent_id: mine.id, name: 'mine' }])
    const again = { key: 'k2', chat: { id: first.run.chat_id }, agent: { id: third.id } }
    expect(await start(again).catch((error: unknown) => error)).to.include({ code: 'run_in_progress' })
    const below = await start({ key: 'k3', agent: { id: third.id }, chat: { hidden: true }, parent: { runId: 'of other' } })
    expect(below.run.callers).to.deep.equal([agents.other.id, mine.id])
    const planned = await start({ key: 'k4', agent: { id: third.id }, chat: { callers: [mine.id, 'deleted'] } })
    expect([planned.run.callers, planned.message.sent_by]).to.deep.equal([[mine.id, 'deleted'], { agent_id: 'deleted', name: null }])
    const own = await start({ key: 'k5' })
    expect([own.run.callers, own.message.sent_by]).to.deep.equal([[], undefined])
    expect(noted.map(({ kind, subject, actor, details }) => [kind, subject, actor, details?.['caller_agent_id']])).to.deep.equal(
      [mine.id, mine.id, 'deleted'].map((caller) => ['agent.delegated', third.id, { userId: 'ada' }, caller]),
    )
  })

  it('asks the policies about every agent that asks, also about one of a task', async () => {
    const { start, asked, forbiddenFor, agents } = begin()
    const { mine, third } = agents
    await start({ agent: { id: third.id }, chat: { hidden: true }, parent: { runId: 'of other' } })
    expect(asked.filter(({ action }) => action === 'delegate').map(({ principal }) => principal.id)).to.deep.equal([
      agents.other.id,
      mine.id,
    ])
    forbiddenFor.add(agents.other.id)
    for (const [key, request] of [
      ['k2', { chat: { hidden: true }, parent: { runId: 'of other' } }],
      ['k3', { chat: { callers: [agents.other.id, mine.id] } }],
    ] as const)
      expect(await start({ key, agent: { id: third.id }, ...request }).catch((error: unknown) => error)).to.include({
        code: 'run_forbidden',
      })
    // What an agent plans for itself asks nothing of another one.
    expect((await start({ key: 'k4', agent: { id: mine.id }, chat: { callers: [mine.id] } })).run.callers).to.deep.equal([mine.id])
  })

  it('joins only a run whose answer is for the same', async () => {
    const { start } = begin()
    const channel = (id: string) => ({ answerFor: 'report' as const, reportsTo: { kind: 'channel', id } })
    const { run } = await start({ chat: { id: 'with guests' }, ...channel('one') })
    const join = (key: string, more: Partial<StartRunRequest>) =>
      start({ key, chat: { id: 'with guests' }, ifBusy: 'join', ...more }).then(
        (posted) => posted.run.id,
        (error: unknown) => (error as { readonly code: string }).code,
      )
    expect(await join('k2', {})).to.equal('run_in_progress')
    expect(await join('k3', channel('two'))).to.equal('run_in_progress')
    expect(await join('k4', channel('one'))).to.equal(run.id)
    const own = await start({ key: 'k5', chat: { id: 'of ada' }, reportsTo: { kind: 'task', id: 't' } })
    expect(await join('k6', { chat: { id: 'of ada' }, ...channel('one') })).to.equal('run_in_progress')
    expect(await join('k7', { chat: { id: 'of ada' } })).to.equal(own.run.id)
  })

  it('succeeds otherwise', async () => {
    const { start, begun, agents } = begin()
    const { run, repeated } = await start({ parent: { runId: 'open', callId: 'c' }, tools: ['look'], limits: { maxSeconds: 9 } })
    expect([repeated, begun.map((fresh) => fresh.run.id)]).to.deep.equal([false, [run.id]])
    expect([run.agent_id, run.parent, run.terms]).to.deep.equal([
      agents.mine.id,
      { run_id: 'open', call_id: 'c', depth: 1 },
      { tools: ['look'], limits: { max_run_secs: 9 }, result: null },
    ])
  })
})
