import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type { Events } from '@agent-service/sdk/services/events'
import { expect } from 'chai'
import { agentCollection } from '../agents/agent.js'
import { newAgent } from '../agents/new-agent.js'
import { chatCollection } from '../chats/chat.js'
import type { FreshRun } from '../runs/fresh-run.js'
import { type Run, runCollection } from '../runs/run.js'
import type { RunManager } from '../runs/run-manager.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { messageCollection } from './message.js'
import { createMessageRoutes } from './message-routes.js'

const begin = (options: { readonly deleting?: boolean; readonly enabled?: boolean; readonly room?: boolean } = {}) => {
  const { database, documents } = createMemoryDatabase()
  const agent = newAgent('u', { handle: 'aa', name: 'A', enabled: options.enabled ?? true }, '')
  documents(agentCollection).set(agent.id, agent)
  documents(chatCollection).set('chat', {
    id: 'chat',
    user_id: 'u',
    agent_id: agent.id,
    title: null,
    created_at: '',
    updated_at: '',
    active_run_id: null,
    message_count: 0,
    deleting: options.deleting ?? false,
  })
  const begun: FreshRun[] = []
  const opened: unknown[] = []
  let reserved = 0
  const runs = {
    begin: (fresh: FreshRun) => void begun.push(fresh),
    hasRoom: () => options.room ?? false,
    reserve: () => {
      reserved += 1
      return () => {
        reserved -= 1
      }
    },
  }
  const events: Events = { record: () => undefined, publishDelta: () => 0, position: () => 0 }
  const routes = createMessageRoutes({
    database,
    events,
    clock: { now: () => 0, monotonic: () => 0, after: () => () => undefined, wait: async () => undefined },
    runs: runs as unknown as RunManager,
    modelTurn: {
      async open(transaction, run, place) {
        opened.push(place)
        const running: Run = { ...run, status: 'running' }
        transaction.put(runCollection, running)
        return { run: running }
      },
    },
  })
  const route = routes.find(({ operationId }) => operationId === 'createMessage') ?? expect.fail('no route')
  const request: Partial<RouteRequest> = {
    params: { chat_id: 'chat' },
    body: { content: 'Hi \ud83d' },
    principal: { userId: 'u', username: 'u', handle: 'u', role: 'user', scopes: [] },
  }
  const post = () => route.handle(request as RouteRequest).catch((error: unknown) => error)
  return { post, begun, opened, documents, agent, reserved: () => reserved }
}

describe('posting a message', () => {
  it('stores the message with a run, takes the chat, and begins', async () => {
    const { post, begun, documents, reserved } = begin()
    expect(await post()).to.include({ status: 202 })
    const [run] = [...documents(runCollection).values()]
    expect(begun).to.deep.equal([{ run }])
    expect(run?.status).to.equal('queued')
    expect(documents(chatCollection).get('chat')).to.include({ active_run_id: run?.id, title: 'Hi \ufffd' })
    expect([...documents(messageCollection).values()][0]?.content).to.deep.equal([{ type: 'text', text: 'Hi \ufffd' }])
    expect(await post()).to.have.property('code', 'run_in_progress')
    expect(reserved(), 'room that was kept and not given back').to.equal(0)
  })

  it('announces the first model call in the same transaction, where the run need not wait for its turn', async () => {
    const { post, begun, opened, documents, agent } = begin({ room: true })
    expect(await post()).to.have.nested.property('json.run.status', 'running')
    const [run] = [...documents(runCollection).values()]
    expect(begun).to.deep.equal([{ run }])
    const [latest] = [...documents(messageCollection).values()]
    expect(opened).to.deep.equal([{ agent, latest }])
  })

  it('is refused by a chat that is being deleted, and by an agent that is off', async () => {
    for (const [options, code] of [
      [{ deleting: true }, 'not_found'],
      [{ enabled: false }, 'no_agent'],
    ] as const) {
      const { post, begun, documents, reserved } = begin(options)
      expect(await post()).to.have.property('code', code)
      expect([begun.length, documents(runCollection).size, reserved()]).to.deep.equal([0, 0, 0])
    }
  })
})
