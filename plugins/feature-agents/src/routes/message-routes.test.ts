import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type { Events } from '@agent-service/sdk/services/events'
import { expect } from 'chai'
import type { AttachedFile, Attachments } from '../posting/attachments.js'
import { createGivenFiles } from '../posting/given-files.js'
import { createPosting } from '../posting/posting.js'
import type { RunManager } from '../runs/engine/run-manager.js'
import { agentCollection } from '../store/agents/agent.js'
import { completeDefinition, newAgent } from '../store/agents/new-agent.js'
import { chatCollection, newChat } from '../store/chats/chat.js'
import { messageCollection } from '../store/chats/message.js'
import type { FreshRun } from '../store/runs/fresh-run.js'
import { type Run, runCollection } from '../store/runs/run.js'
import { createMemoryDatabase } from '../test-support/memory-database.js'
import { createMessageRoutes } from './message-routes.js'

const agentOf = (input: { readonly enabled: boolean }) =>
  newAgent(completeDefinition({ handle: 'aa', name: 'A', ...input }), { userId: 'u', workspace: 'aa', shared: null, now: '' })

const noAttachments: Attachments = {
  read: async () => expect.fail('nothing is attached'),
  readMost: async () => expect.fail('nothing is attached'),
  check: async () => expect.fail('nothing is checked'),
  placeAgain: async () => expect.fail('nothing is placed again'),
}

const begin = (
  options: {
    readonly deleting?: boolean
    readonly enabled?: boolean
    readonly room?: boolean
    readonly read?: Attachments['read']
    readonly check?: Attachments['check']
    readonly workspace?: string
    readonly forbidden?: string
  } = {},
) => {
  const { database, documents } = createMemoryDatabase()
  const agent = agentOf({ enabled: options.enabled ?? true })
  documents(agentCollection).set(agent.id, agent)
  const others = Object.fromEntries(
    [
      { id: 'other', handle: 'bb' },
      { id: 'disabled', handle: 'cc', enabled: false },
      { id: 'foreign', handle: 'dd', user: 'someone else' },
    ].map(({ id, user = 'u', ...definition }) => {
      const made = newAgent(completeDefinition({ name: id, ...definition }), { userId: user, workspace: id, shared: null, now: '' })
      return [id, made]
    }),
  )
  for (const other of Object.values(others)) documents(agentCollection).set(other.id, other)
  const idOf = (name: string): string => others[name]?.id ?? name
  documents(chatCollection).set(
    'chat',
    newChat({ id: 'chat', user_id: 'u', agent_id: agent.id, title: null, deleting: options.deleting ?? false }, ''),
  )
  const clock = { time: 0 }
  const begun: FreshRun[] = []
  const opened: unknown[] = []
  const woken: string[] = []
  let reserved = 0
  const runs = {
    begin: (fresh: FreshRun) => void begun.push(fresh),
    wake: (run: { readonly id: string }) => void woken.push(run.id),
    hasRoom: () => options.room ?? false,
    reserve: () => {
      reserved += 1
      return () => {
        reserved -= 1
      }
    },
  }
  const events: Events = { record: () => undefined, publishDelta: () => 0, position: () => 0 }
  const posting = createPosting({
    database,
    events,
    audit: { record: () => undefined },
    driverId: 'this process',
    policies: { isAuthorized: async ({ resource }) => ({ allowed: resource.id !== options.forbidden }) },
    accounts: { get: async (id) => ({ id, username: 'u', handle: 'u', role: 'user', timezone: 'UTC' }) },
    clock: { now: () => clock.time },
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
  const routes = createMessageRoutes({
    database,
    events,
    inference: {
      groups: () => [
        { name: 'quick', provider: 'p', model: 'm', context_window: 1_000 },
        { name: 'embedding', provider: 'p', model: 'e', context_window: 1_000, embeds: true },
      ],
    },
    manager: runs as unknown as RunManager,
    runs: posting,
    agentChoice: { byId: async (_, id) => documents(agentCollection).get(id ?? agent.id) ?? expect.fail('no agent') },
    files: createGivenFiles({
      attachments: { ...noAttachments, ...(options.read && { read: options.read }), ...(options.check && { check: options.check }) },
      workspaces: { of: async () => options.workspace },
      accounts: { get: async () => expect.fail('no file is placed again') },
    }),
  })
  const routeOf = (id: string) => routes.find(({ operationId }) => operationId === id) ?? expect.fail('no route')
  const route = routeOf('createMessage')
  const request: Partial<RouteRequest> = {
    params: { chat_id: 'chat' },
    body: { content: 'Hi \ud83d' },
    principal: { userId: 'u', username: 'u', handle: 'u', role: 'user', scopes: [] },
  }
  const post = (headers: Readonly<Record<string, string>> = {}, content = 'Hi \ud83d') =>
    route.handle({ ...request, headers, body: { content } } as RouteRequest).catch((error: unknown) => error)
  const send = (body: unknown, more: Partial<RouteRequest> = {}) =>
    route.handle({ ...request, headers: {}, ...more, body } as RouteRequest).catch((error: unknown) => error)
  const list = () => routeOf('listMessages').handle({ ...request, query: {} } as unknown as RouteRequest)
  const check = (body: unknown) =>
    routeOf('checkAttachments')
      .handle({ ...request, headers: {}, body } as RouteRequest)
      .catch((error: unknown) => error)
  return { post, send, list, check, clock, woken, begun, opened, documents, agent, idOf, reserved: () => reserved }
}

describe('posting a message', () => {
  it('stores the message with a run, claims the chat, and begins; another message goes to that run', async () => {
    const { post, woken, begun, documents, reserved } = begin()
    expect(await post()).to.include({ status: 202 })
    const [run] = [...documents(runCollection).values()]
    expect(begun).to.deep.equal([{ run }])
    expect(run?.status).to.equal('queued')
    expect(documents(chatCollection).get('chat')).to.include({ active_run_id: run?.id, title: 'Hi \ufffd' })
    expect([...documents(messageCollection).values()][0]?.content).to.deep.equal([{ type: 'text', text: 'Hi \ufffd' }])
    expect(await post()).to.include({ status: 202 })
    const [, second] = [...documents(messageCollection).values()]
    expect(second).to.include({ run_id: run?.id, sequence: 1 })
    expect(documents(runCollection).get(run?.id ?? '')?.inbox).to.deep.equal([second?.id])
    expect([woken, begun.length]).to.deep.equal([[run?.id], 1])
    expect(reserved(), 'room that was kept and not given back').to.equal(0)
  })

  it('announces the first model call in the same transaction, unless the run has to wait for its turn', async () => {
    const { post, begun, opened, documents, agent } = begin({ room: true })
    expect(await post()).to.have.nested.property('json.run.status', 'running')
    const [run] = [...documents(runCollection).values()]
    expect(begun).to.deep.equal([{ run }])
    const [latest] = [...documents(messageCollection).values()]
    expect(opened).to.deep.equal([
      { agent: { ...agent, reports_to: null }, chat: documents(chatCollection).get('chat'), timezone: 'UTC', latest },
    ])
  })

  it('is stored once for one Idempotency-Key, even if the response was lost with the process', async () => {
    const { post, documents, begun, clock } = begin()
    const first = await post({ 'idempotency-key': 'k' })
    expect(await post({ 'idempotency-key': 'k' })).to.deep.equal(first)
    expect([documents(messageCollection).size, begun.length]).to.deep.equal([1, 1])
    expect(JSON.stringify(first)).to.not.include('client_key')
    expect(await post({ 'idempotency-key': 'k' }, 'Something else')).to.have.property('code', 'idempotency_key_reused')
    expect(await post({ 'idempotency-key': 'other' })).to.include({ status: 202 })
    // A day later the key may be used again.
    clock.time = 24 * 3_600_000 + 1
    expect(await post({ 'idempotency-key': 'k' }, 'Something else')).to.include({ status: 202 })
    expect(documents(messageCollection).size).to.equal(3)
  })

  it('keeps the model that it names, which belongs to the request with that Idempotency-Key', async () => {
    const { send, documents } = begin()
    const headers = { 'idempotency-key': 'k' }
    const first = await send({ content: 'Hi', model: 'quick' }, { headers })
    expect(await send({ content: 'Hi', model: 'quick' }, { headers })).to.deep.equal(first)
    expect(await send({ content: 'Hi' }, { headers })).to.have.property('code', 'idempotency_key_reused')
    expect([...documents(messageCollection).values()].map(({ model }) => model)).to.deep.equal(['quick'])
    expect([...documents(runCollection).values()][0]).to.include({ model_group: 'quick', model_source: 'message' })
    expect(await send({ content: 'Hi', model: 'gone' })).to.have.nested.property('problems[0].path', '/model')
  })

  it('makes what it names the choice of the chat, in the same transaction', async () => {
    const { send, documents, idOf } = begin()
    const other = idOf('other')
    const headers = { 'idempotency-key': 'k' }
    const first = await send({ content: 'Hi', agent_id: other, model: 'quick' }, { headers })
    expect(documents(chatCollection).get('chat')).to.include({ agent_id: other, model: 'quick' })
    const [run] = [...documents(runCollection).values()]
    expect(run).to.include({ agent_id: other, model_group: 'quick' })
    expect(await send({ content: 'Hi', agent_id: other, model: 'quick' }, { headers }), 'a repeated request').to.deep.equal(first)
    expect(await send({ content: 'Hi', agent_id: idOf('disabled'), model: 'quick' }, { headers })).to.have.property(
      'code',
      'idempotency_key_reused',
    )
  })

  it('joins a run only if that has the agent and the model that it names', async () => {
    const { send, documents, agent, idOf } = begin()
    expect(await send({ content: 'One' })).to.include({ status: 202 })
    for (const choice of [{ agent_id: idOf('other') }, { model: 'quick' }]) {
      expect(await send({ content: 'Two', ...choice })).to.have.property('code', 'run_in_progress')
    }
    expect(documents(chatCollection).get('chat')).to.include({ agent_id: agent.id, model: null, message_count: 1 })
    expect(await send({ content: 'Two', agent_id: agent.id, model: null })).to.include({ status: 202 })
    // Another tab has chosen for the next answer, and this message chooses again.
    const chat = documents(chatCollection).get('chat')
    if (chat) documents(chatCollection).set('chat', { ...chat, model: 'quick' })
    expect(await send({ content: 'Three', model: null })).to.include({ status: 202 })
    expect(documents(chatCollection).get('chat')).to.include({ model: null, message_count: 3 })
  })

  it('stores nothing if the agent or the model that it names is refused', async () => {
    for (const [choice, expected] of [
      [{ agent_id: 'foreign' }, { code: 'not_found' }],
      [{ agent_id: 'none' }, { code: 'not_found' }],
      [{ agent_id: 'disabled' }, { code: 'no_agent' }],
      [{ agent_id: 'other', model: 'gone' }, { code: 'invalid_request' }],
      [{ agent_id: 'other', model: 'embedding' }, { code: 'invalid_request' }],
    ] as const) {
      const { send, documents, agent, idOf, reserved } = begin()
      const body = { content: 'Hi', ...choice, agent_id: idOf(choice.agent_id) }
      expect(await send(body), JSON.stringify(choice)).to.include(expected)
      expect(documents(chatCollection).get('chat')).to.include({ agent_id: agent.id, model: null, active_run_id: null })
      expect([documents(messageCollection).size, documents(runCollection).size, reserved()]).to.deep.equal([0, 0, 0])
    }
  })

  it('may not change the choice of a chat whose changes a policy forbids', async () => {
    const { send, agent, idOf } = begin({ forbidden: 'updateChat' })
    expect(await send({ content: 'Hi', agent_id: idOf('other') })).to.have.property('code', 'forbidden')
    expect(await send({ content: 'Hi', agent_id: agent.id, model: null })).to.include({ status: 202 })
  })

  it('may not be answered by another model as well where a policy forbids to choose one', async () => {
    const { send, documents } = begin({ forbidden: 'updateChat' })
    expect(await send({ content: 'Hi', compare_with: { model: 'quick' } })).to.have.property('code', 'forbidden')
    expect([documents(messageCollection).size, documents(runCollection).size]).to.deep.equal([0, 0])
  })

  it('is refused by a chat that is being deleted, and by a disabled agent', async () => {
    for (const [options, code] of [
      [{ deleting: true }, 'not_found'],
      [{ enabled: false }, 'no_agent'],
    ] as const) {
      const { post, begun, documents, reserved } = begin(options)
      expect(await post()).to.have.property('code', code)
      expect([begun.length, documents(runCollection).size, reserved()]).to.deep.equal([0, 0, 0])
    }
  })

  describe('with files', () => {
    const attached: AttachedFile = {
      part: { type: 'image', media_type: 'image/png', data: 'AAAA' },
      attachment: { name: 'a.png', path: 'files/a.png', size: 3, etag: '"1"' },
    }
    const attachments = [{ path: 'files/a.png' }]

    it('stores them before the text, and shows clients their paths instead of their content', async () => {
      const asked: unknown[] = []
      const { send, list, documents } = begin({
        read: async (...given) => {
          asked.push(given)
          return [attached]
        },
      })
      const answer = await send({ content: 'What is this?', attachments })
      const content = [
        { type: 'image', media_type: 'image/png', name: 'a.png', path: 'files/a.png', size: 3, etag: '"1"' },
        { type: 'text', text: 'What is this?' },
      ]
      expect(answer).to.have.nested.property('json.message.content').that.deep.equals(content)
      expect(answer).to.not.have.nested.property('json.message.attachments')
      expect(await list())
        .to.have.nested.property('json.items[0].content')
        .that.deep.equals(content)
      const used = Buffer.byteLength(JSON.stringify([content[1]]))
      const [[owner, paths, room] = []] = asked as readonly (readonly unknown[])[]
      expect([owner, paths]).to.deep.equal([{ userId: 'u', handle: 'u' }, ['files/a.png']])
      expect(room).to.deep.include({ used, limit: 7 * 1024 * 1024 })
      const [stored] = [...documents(messageCollection).values()]
      expect(stored?.content).to.deep.equal([attached.part, content[1]])
    })

    it('needs no text, and then names the chat after the files; without either it is refused', async () => {
      for (const body of [{ attachments }, { content: '', attachments }]) {
        const { send, documents } = begin({ read: async () => [attached] })
        expect(await send(body)).to.include({ status: 202 })
        expect([...documents(messageCollection).values()][0]?.content).to.deep.equal([attached.part])
        expect(documents(chatCollection).get('chat')).to.have.property('title', 'a.png')
      }
      const { send, documents } = begin()
      for (const body of [{}, { content: '' }, { attachments: [] }]) {
        expect(await send(body)).to.have.deep.property('problems', [{ path: '/content', message: 'is required without attachments' }])
      }
      expect(documents(messageCollection).size).to.equal(0)
    })

    it('is stored once for one Idempotency-Key, even if the file was changed or deleted since', async () => {
      let reads = 0
      const { send, documents } = begin({
        read: async () => {
          reads += 1
          return [attached]
        },
      })
      const headers = { 'idempotency-key': 'k' }
      const first = await send({ content: 'Look', attachments }, { headers })
      expect(await send({ content: 'Look', attachments }, { headers })).to.deep.equal(first)
      expect([documents(messageCollection).size, reads]).to.deep.equal([1, 1])
      for (const body of [
        { content: 'Look' },
        { content: 'Look', attachments: [{ path: 'files/b.png' }] },
        { content: 'Listen', attachments },
      ]) {
        expect(await send(body, { headers })).to.have.property('code', 'idempotency_key_reused')
      }
      expect([documents(messageCollection).size, reads]).to.deep.equal([1, 1])
    })

    it('are checked before there is a message, for the agent that is named, and nothing is stored', async () => {
      const asked: unknown[] = []
      const { check, documents, idOf } = begin({
        workspace: 'aa',
        check: async (...given) => {
          asked.push(given)
          return [
            { path: 'files/a.png', shown: true, inWorkspace: true },
            {
              ...{ path: 'files/b.zip', shown: false, inWorkspace: false },
              refused: { index: 1, path: 'files/b.zip', reason: 'is no text', needsWorkspace: true },
            },
          ]
        },
      })
      const answer = await check({ attachments, agent_id: idOf('other') })
      expect(answer).to.have.property('status', 200)
      expect(answer).to.have.deep.property('json', {
        files: [
          { path: 'files/a.png', shown: true, in_workspace: true, problem: null, needs_file_tools: false },
          { path: 'files/b.zip', shown: false, in_workspace: false, problem: 'is no text', needs_file_tools: true },
        ],
      })
      const [[owner, paths, place] = []] = asked as readonly (readonly unknown[])[]
      expect([owner, paths]).to.deep.equal([{ userId: 'u', handle: 'u' }, ['files/a.png']])
      expect(place).to.deep.include({ used: 0, limit: 7 * 1024 * 1024, workspace: 'aa' })
      expect(documents(messageCollection).size).to.equal(0)
      const refused = new Error('refused')
      expect(await begin({ check: () => Promise.reject(refused) }).check({ attachments })).to.equal(refused)
    })

    it('stores nothing if a file is refused, and checks the chat first', async () => {
      const refused = new Error('refused')
      const { send, documents, reserved } = begin({ read: () => Promise.reject(refused) })
      expect(await send({ content: 'Look', attachments })).to.equal(refused)
      expect(await send({ content: 'Look', attachments }, { params: { chat_id: 'none' } })).to.have.property('code', 'not_found')
      expect([documents(messageCollection).size, reserved()]).to.deep.equal([0, 0])
    })
  })
})
