import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { notFoundError } from '../../contracts/http-route/errors.js'
import type { Principal } from '../../contracts/http-route/principal.js'
import {
  defineWebSocketRoute,
  type WebSocketConnection,
  type WebSocketMessage,
  type WebSocketRoute,
} from '../../contracts/websocket-route/route.js'
import { Type } from '../../core/type.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { pass } from '../event-loop-turns.js'
import { describeWebSocketRoute, type WebSocketRouteExample, type WebSocketRouteSuiteOptions } from './index.js'

const principal = (username: string): Principal => ({
  userId: username,
  username,
  handle: username,
  role: 'user',
  scopes: ['read', 'write'],
})
const message = (text: string): WebSocketMessage => ({ kind: 'json', json: { text } })

/** Rooms of one person each, who hears in every tab what is said in one. */
function createRooms() {
  const bus = new EventEmitter()
  const route = defineWebSocketRoute({
    path: '/api/plugins/rooms/talk',
    operationId: 'roomsTalk',
    summary: 'Talk to yourself',
    auth: 'user',
    subprotocols: ['rooms.v1'],
    messages: { kind: 'json', inbound: Type.Object({ text: Type.String() }), outbound: Type.Object({ text: Type.String() }) },
    async handle({ request, messages, send }) {
      const room = request.principal?.userId ?? ''
      if (room === 'eve') throw notFoundError.create({ what: 'room' })
      let sent = send({ kind: 'json', json: { text: 'Bread is in the oven' } })
      const tell = (text: string): void => {
        sent = sent.then(() => send({ kind: 'json', json: { text } })).catch(() => undefined)
      }
      bus.on(room, tell)
      try {
        for await (const { json } of messages) {
          bus.emit(room, json.text)
          await sent
        }
      } finally {
        bus.off(room, tell)
      }
    },
  })
  return { bus, route }
}
type Rooms = ReturnType<typeof createRooms>
type Change = (plain: WebSocketRoute, rooms: Rooms) => Partial<WebSocketRoute>

const examples: readonly WebSocketRouteExample[] = [
  {
    title: 'one',
    principal: principal('ada'),
    sends: [message('The bread is done')],
    receives: 2,
    check: (received) => expect(received.slice(0, 2)).to.deep.equal([message('Bread is in the oven'), message('The bread is done')]),
  },
]

async function outcome(change: Change, options: Partial<WebSocketRouteSuiteOptions> = {}) {
  const runner = createCollectingRunner()
  describeWebSocketRoute({
    name: 'r',
    runner,
    create() {
      const rooms = createRooms()
      return {
        route: { ...rooms.route, ...change(rooms.route, rooms) },
        change: async () => void rooms.bus.emit('ada', 'Tomorrow the bread is done too'),
        held: () => rooms.bus.eventNames().reduce((sum, name) => sum + rooms.bus.listenerCount(name), 0),
      }
    },
    examples,
    stranger: principal('eve'),
    withheld: ['oven', 'bread is done'],
    secrets: ['open sesame!'],
    answerLimitMs: 300,
    endLimitMs: 100,
    ...options,
  })
  const results = await runner.run({ testLimitMs: 2_000 })
  const failed = results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('WebSocket r › ', ''))
  return { failed, notes: runner.notes }
}

/** The plain handler with another connection. */
const through =
  (change: (connection: WebSocketConnection) => object): Change =>
  (plain) => ({ handle: (connection) => plain.handle({ ...connection, ...change(connection) }) })
const as = (connection: WebSocketConnection, name: string) => ({ request: { ...connection.request, principal: principal(name) } })

const unheard = 'sends a stranger who is connected nothing that is meant for the user: one'
const unseen = 'sends a stranger nothing of what the user gets: one'
const told = 'tells a client what happens, and no stranger'
const secret = 'sends no secret: one'
const gone = 'holds nothing for a client that is gone'

const faults: readonly (readonly [string, Change, string])[] = [
  ['a stranger who is taken for the user', through((connection) => as(connection, 'ada')), unseen],
  [
    'a stranger who hears what is said to the user',
    (plain, { bus }) => ({
      async handle(connection) {
        if (connection.request.principal?.userId !== 'eve') return plain.handle(connection)
        const tell = (text: string): void => void connection.send(message(text)).catch(() => undefined)
        bus.on('ada', tell)
        for await (const each of connection.messages) void each
        bus.off('ada', tell)
      },
    }),
    unheard,
  ],
  [
    'a client that hears nothing of what happens',
    (plain) => ({
      handle(connection) {
        return plain.handle({ ...connection, request: { ...connection.request, principal: principal('ada of another room') } })
      },
    }),
    told,
  ],
  [
    'a stranger who hears what happens to the user',
    (plain, { bus }) => ({
      async handle(connection) {
        if (connection.request.principal?.userId !== 'eve') return plain.handle(connection)
        const tell = (text: string): void => {
          if (text.startsWith('Tomorrow')) connection.send(message(text)).catch(() => undefined)
        }
        bus.on('ada', tell)
        for await (const each of connection.messages) void each
        bus.off('ada', tell)
      },
    }),
    told,
  ],
  [
    'a listener for each client that has been',
    (plain, { bus }) => ({
      handle(connection) {
        bus.on('ada', () => undefined)
        return plain.handle(connection)
      },
    }),
    gone,
  ],
  [
    'a listener for a client that disconnects at once',
    (plain, { bus }) => ({
      async handle(connection) {
        const listener = (): void => undefined
        bus.on('ada', listener)
        await connection.send(message('Bread is in the oven'))
        bus.off('ada', listener)
        await plain.handle(connection)
      },
    }),
    gone,
  ],
  ['a secret in a message', through(({ send }) => ({ send: () => send(message('It is open sesame!')) })), secret],
  [
    'a secret in a close reason',
    (plain) => ({
      async handle(connection) {
        await plain.handle({ ...connection, messages: (async function* () {})() })
        await connection.close(4000, 'open sesame!')
      },
    }),
    secret,
  ],
  [
    'a secret in an error',
    () => ({
      handle() {
        throw notFoundError.create({ what: 'door for open sesame!' })
      },
    }),
    secret,
  ],
  [
    'a handler that answers all at once to a client that reads nothing',
    () => ({
      async handle({ messages, send }) {
        for await (const each of messages) void send(each).catch(() => undefined)
      },
    }),
    'waits for a client that does not read and goes on sending: one',
  ],
  [
    'a handler that breaks without a subprotocol',
    (plain) => ({
      async handle(connection) {
        if ((connection.request.subprotocol as string).startsWith('rooms.')) await plain.handle(connection)
      },
    }),
    'serves or refuses a client that offers none of its subprotocols',
  ],
  [
    'a handler that sends for ever to a client that is gone',
    (plain) => ({
      async handle(connection) {
        await plain.handle(connection)
        for (;;) await connection.send(message('Are you there?')).catch(() => undefined)
      },
    }),
    'ends when the client disconnects at once: one',
  ],
  [
    'a handler that throws when the client disconnects while it works',
    (plain) => ({
      async handle(connection) {
        await pass(1)
        const wasOpen = !connection.signal.aborted
        await pass(4)
        if (wasOpen && connection.signal.aborted) throw new TypeError('The client is gone.')
        await plain.handle(connection)
      },
    }),
    'ends when the client disconnects while it works: one',
  ],
]

describe('describeWebSocketRoute, of rooms', () => {
  it('passes a route that keeps the contract', async () => {
    expect(await outcome(() => ({}))).to.deep.equal({ failed: [], notes: [] })
  })
  for (const [what, change, title] of faults)
    it(`catches ${what}`, async () => {
      expect((await outcome(change)).failed).to.include(title)
    })
  it('passes answers that several parts of a handler send at once, each of which waits', async () => {
    const handle: WebSocketRoute['handle'] = async ({ messages, send }) => {
      const iterator = messages[Symbol.asyncIterator]()
      const work = async (): Promise<void> => {
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) await send(next.value).catch(() => undefined)
      }
      await Promise.all(Array.from({ length: 16 }, work))
    }
    const { failed } = await outcome(() => ({}), {
      create: () => ({ ...createRooms().route, handle }),
      examples: [{ title: 'one', sends: [message('Hello')], receives: 1 }],
      stranger: 'not applicable',
    })
    expect(failed).to.deep.equal([])
  })
  it('passes a room whose clients hear each other', async () => {
    const talk = (title: string, text: string): WebSocketRouteExample => ({
      title,
      principal: principal('ada'),
      sends: [message(text)],
      receives: 2,
      check: (received) => expect(received).to.deep.include(message(text)),
    })
    const { failed } = await outcome(() => ({}), { examples: [talk('one', 'The bread is done'), talk('other', 'The cake is done')] })
    expect(failed).to.deep.equal([])
  })
  it('says what it did not check, but not what does not apply', async () => {
    const describeWith = async (options: object, under: object = {}): Promise<readonly string[]> => {
      const runner = createCollectingRunner()
      describeWebSocketRoute({ name: 'r', runner, create: () => ({ route: createRooms().route, ...under }), examples, ...options })
      await runner.run()
      return runner.notes
    }
    expect(await describeWith({})).to.deep.equal([
      'WebSocket r: not checked, because “stranger” was not given: another user gets no message that is meant for the user',
      'WebSocket r: not checked, because “secrets” was not given: no message, error or close reason has a secret',
      'WebSocket r: not checked, because “change” was not given: a client hears of what happens, and no other user does',
      'WebSocket r: not checked, because “held” was not given: a client that is gone leaves no listener or place behind',
    ])
    expect(
      await describeWith({ stranger: 'not applicable', secrets: [] }, { held: 'not applicable', change: 'not applicable' }),
    ).to.deep.equal([])
  })
})
