import { expect } from 'chai'
import { notFoundError } from '../../contracts/http-route/errors.js'
import {
  defineWebSocketRoute,
  type WebSocketConnection,
  type WebSocketMessage,
  type WebSocketRoute,
} from '../../contracts/websocket-route/route.js'
import { Type } from '../../core/type.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeWebSocketRoute, type WebSocketRouteExample } from './index.js'

const plainRoute = defineWebSocketRoute({
  path: '/api/plugins/echo/{room}',
  operationId: 'echo',
  summary: 'Send back what comes',
  auth: 'user',
  params: Type.Object({ room: Type.String() }),
  query: Type.Object({ times: Type.Optional(Type.Integer()) }),
  messages: { kind: 'json', inbound: Type.Object({ say: Type.String() }), outbound: Type.Object({ said: Type.String() }) },
  async handle({ request, messages, send, close }) {
    if (request.params.room === 'locked') throw notFoundError.create({ what: 'room' })
    for await (const { json } of messages) {
      if (json.say === 'bye') return close(4000, 'bye')
      for (let time = 0; time < (request.query.times ?? 1); time += 1) await send({ kind: 'json', json: { said: json.say } })
    }
  },
})

const say = (text: string): WebSocketMessage => ({ kind: 'json', json: { say: text } })
const said = (text: string): WebSocketMessage => ({ kind: 'json', json: { said: text } })
const examples: readonly WebSocketRouteExample[] = [
  {
    title: 'echo',
    params: { room: 'blue' },
    query: { times: 20 },
    sends: [say('hi')],
    receives: 20,
    check: (received) => expect(received).to.deep.equal(Array.from({ length: 20 }, () => said('hi'))),
  },
  { title: 'bye', params: { room: 'blue' }, sends: [say('bye')], ends: { closeCode: 4000 } },
  { title: 'locked', params: { room: 'locked' }, ends: { errorCode: 'not_found' } },
]

async function failing(change: Partial<WebSocketRoute>, given = examples): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  const create = (): WebSocketRoute => ({ ...plainRoute, ...change })
  describeWebSocketRoute({ name: 'r', runner, create, examples: given, answerLimitMs: 300, endLimitMs: 100 })
  const results = await runner.run({ testLimitMs: 2_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('WebSocket r › ', ''))
}

/** The plain handler with a changed connection. */
const through =
  (change: (connection: WebSocketConnection) => Partial<WebSocketConnection>): WebSocketRoute['handle'] =>
  (connection) =>
    plainRoute.handle({ ...connection, ...change(connection) })

const runs = (title: string): readonly string[] => [
  `serves: ${title}`,
  `sends what it declares: ${title}`,
  `serves two clients at once: ${title}`,
]
const forgetful = (): Partial<WebSocketRoute> => {
  let open: WebSocketConnection | undefined
  return {
    handle(connection) {
      open = connection
      return through(() => ({ send: (message) => (open ?? connection).send(message) }))(connection)
    },
  }
}

const closed = 'refuses unknown query parameters and message members'
const faults: readonly (readonly [string, Partial<WebSocketRoute>, readonly string[]])[] = [
  ['another version', { specVersion: 2 as never }, [soundTitle]],
  ['a path without a slash', { path: 'api/{room}' }, [soundTitle]],
  ['a name of two words', { operationId: 'echo it' }, [soundTitle]],
  [
    'a schema that JSON does not carry',
    { messages: { kind: 'json', inbound: Type.Object({ say: Type.String() }), outbound: { pattern: /x/ } as never } },
    [soundTitle],
  ],
  [
    'messages that accept anything',
    {
      messages: {
        kind: 'json',
        inbound: Type.Object({ say: Type.String() }, { additionalProperties: true }),
        outbound: Type.Object({ said: Type.String() }),
      },
    },
    [closed],
  ],
  ['a limit of nothing', { limits: { maxMessagesPerSecond: 0 } }, [soundTitle]],
  [
    'examples that the messages refuse',
    { messages: { kind: 'json', inbound: Type.Object({ speak: Type.String() }), outbound: Type.Object({ said: Type.String() }) } },
    ['has examples that its schemas accept'],
  ],
  [
    'an undeclared message',
    { handle: through(({ send }) => ({ send: () => send({ kind: 'json', json: { said: 7 } }) })) },
    ['serves: echo', 'sends what it declares: echo', 'serves two clients at once: echo'],
  ],
  [
    'a message of another kind',
    { handle: through(({ send }) => ({ send: () => send({ kind: 'text', text: 'hi' }) })) },
    ['serves: echo', 'sends what it declares: echo', 'serves two clients at once: echo'],
  ],
  [
    'too few messages',
    { handle: through(({ send }) => ({ send: (message) => (Math.random() < 2 ? Promise.resolve() : send(message)) })) },
    runs('echo'),
  ],
  ['another close code', { handle: through(({ close }) => ({ close: () => close(4001) })) }, ['serves: bye']],
  [
    'an error without a public code',
    {
      handle: (connection) =>
        (connection.request.params as { readonly room: string }).room === 'locked'
          ? Promise.reject(new Error('no'))
          : plainRoute.handle(connection),
    },
    ['serves: locked', 'ends when the client disconnects at once: locked', 'waits for a client that does not read: locked'],
  ],
  [
    'a handler that does not wait for its client',
    {
      handle: through(({ send }) => ({
        send: async (message) => {
          send(message).catch(() => undefined)
        },
      })),
    },
    ['waits for a client that does not read: echo'],
  ],
  [
    'a handler that outlives its connection',
    {
      handle: async (connection) => {
        await plainRoute.handle(connection)
        await new Promise(() => undefined)
      },
    },
    [...runs('echo'), ...runs('bye'), 'ends when the client disconnects at once: bye', 'waits for a client that does not read: bye'],
  ],
  [
    'a handler that throws after the client disconnects',
    {
      handle: async (connection) => {
        await plainRoute.handle(connection)
        if (connection.signal.aborted) throw new Error('it ended')
      },
    },
    ['serves: echo', 'serves: bye', 'ends when the client disconnects at once: bye', 'waits for a client that does not read: bye'],
  ],
]

describe('describeWebSocketRoute', () => {
  it('passes a route that keeps the contract', async () => {
    expect(await failing({})).to.deep.equal([])
  })
  it('asks for an example', async () => {
    expect(await failing({}, [])).to.deep.equal(['has examples that its schemas accept'])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(change)).to.include.members([...titles])
    })
  }
  it('catches two clients that are confused', async () => {
    const shared = forgetful()
    expect(await failing(shared)).to.include('serves two clients at once: echo')
  })
})

describe('describeWebSocketRoute, of codes, reasons and other clients', () => {
  const bye = (code: number, reason: string): Partial<WebSocketRoute> => ({
    handle: through(({ close }) => ({ close: (given) => close(given === 4000 ? code : given, reason) })),
  })
  it('catches a close code that is none of a handler', async () => {
    const given = examples.map((example) => (example.title === 'bye' ? { ...example, ends: { closeCode: 1006 } } : example))
    expect(await failing(bye(1006, 'bye'), given)).to.include('serves: bye')
  })
  it('catches a close reason that does not fit', async () => {
    expect(await failing(bye(4000, 'ü'.repeat(62)))).to.include('serves: bye')
    expect(await failing(bye(4000, 'ü'.repeat(61)))).to.deep.equal([])
  })
  it('catches a message that goes to the client of another example', async () => {
    const create = (): Partial<WebSocketRoute> => {
      const rooms = new Map<string, WebSocketConnection>()
      return {
        async handle(connection) {
          const { room } = connection.request.params as { readonly room: string }
          rooms.set(room, connection)
          await new Promise((resolve) => setImmediate(resolve))
          const last = [...rooms.values()].at(-1) ?? connection
          return plainRoute.handle({ ...connection, send: (message) => last.send(message) })
        },
      }
    }
    const two = ['red', 'green'].map(
      (room): WebSocketRouteExample => ({
        title: room,
        params: { room },
        sends: [say(room)],
        receives: 1,
        check: (received) => expect(received).to.deep.equal([said(room)]),
      }),
    )
    const runner = createCollectingRunner()
    describeWebSocketRoute({
      name: 'r',
      runner,
      create: () => ({ ...plainRoute, ...create() }),
      examples: two,
      answerLimitMs: 300,
      endLimitMs: 100,
    })
    const failed = (await runner.run({ testLimitMs: 2_000 })).filter(({ error }) => error !== undefined).map(({ title }) => title)
    expect(failed).to.deep.equal(['WebSocket r › serves clients of all examples at once as if each were alone'])
  })
})
