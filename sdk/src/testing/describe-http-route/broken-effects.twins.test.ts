import { EventEmitter, on } from 'node:events'
import { expect } from 'chai'
import { notFoundError } from '../../contracts/http-route/errors.js'
import type { Principal } from '../../contracts/http-route/principal.js'
import { noContent, ok } from '../../contracts/http-route/responses.js'
import {
  defineRoute,
  type HttpRoute,
  type RouteRequest,
  type RouteResponse,
  type ServerSentEvent,
} from '../../contracts/http-route/route.js'
import { defineError } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeHttpRoute, type HttpRouteExample, type HttpRouteSuiteOptions } from './index.js'

const principal = (username: string): Principal => ({
  userId: username,
  username,
  handle: username,
  role: 'user',
  scopes: ['read', 'write'],
})
const path = '/api/plugins/notes/{note_id}'
const params = Type.Object({ note_id: Type.String() })
const note = Type.Object({ text: Type.String() })
const turn = () => new Promise((resolve) => setImmediate(resolve))
const vendorError = defineError<{ readonly text: string }>({
  code: 'vendor_failed',
  status: 502,
  title: 'It failed',
  message: ({ text }) => text,
})

/** The notes of everyone, and what is heard of them. */
function createNotes() {
  const notes = new Map([
    ['ada/1', 'Buy bread'],
    ['bob/1', 'Sell bread'],
  ])
  const bus = new EventEmitter()
  const keyOf = (request: RouteRequest): string =>
    `${request.principal?.userId}/${(request.params as { readonly note_id: string }).note_id}`
  const textOf = (request: RouteRequest): string => {
    const text = notes.get(keyOf(request))
    if (text === undefined) throw notFoundError.create({ what: 'note' })
    return text
  }
  async function* follow(userId: string | undefined, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    yield { event: 'begin', data: '{}' }
    for await (const [text, owner] of on(bus, 'note', { signal })) if (owner === userId) yield { data: String(text) }
  }
  return { notes, bus, keyOf, textOf, follow }
}
type Notes = ReturnType<typeof createNotes>

const answers = { 200: { description: 'The note.', schema: note } }
const routesOf = (world: Notes) => {
  const read = defineRoute({
    ...({ method: 'GET', path, operationId: 'notesRead', summary: 'Reads a note', auth: 'user', params, answers } as const),
    handle: async (request) => ok({ text: world.textOf(request) }),
  })
  const write = defineRoute({
    ...({ method: 'PUT', path, operationId: 'notesWrite', summary: 'Writes a note', auth: 'user', params, answers } as const),
    body: { kind: 'json', schema: note },
    async handle(request) {
      if (request.body.text === 'forbidden') throw notFoundError.create({ what: 'word' })
      await turn()
      world.notes.set(world.keyOf(request), request.body.text)
      return ok({ text: request.body.text })
    },
  })
  const upload = defineRoute({
    ...({ method: 'PUT', path, operationId: 'notesUpload', summary: 'Uploads a note', auth: 'user', params } as const),
    body: { kind: 'stream', contentTypes: ['text/plain'], limit: 10 },
    answers: { 204: { description: 'It is stored.' } },
    async handle(request) {
      const pieces: Uint8Array[] = []
      for await (const piece of request.bodyStream ?? []) pieces.push(piece)
      world.notes.set(world.keyOf(request), Buffer.concat(pieces).toString())
      return noContent()
    },
  })
  const follow = defineRoute({
    ...({ method: 'GET', path, operationId: 'notesFollow', summary: 'Follows a note', auth: 'user', params, streaming: true } as const),
    answers: { 200: { description: 'Events.', contentType: 'text/event-stream' } },
    handle: async ({ principal: user, signal }) => ({ status: 200, kind: 'events', events: world.follow(user?.userId, signal) }),
  })
  const remove = defineRoute({
    ...({ method: 'DELETE', path, operationId: 'notesDelete', summary: 'Deletes a note', auth: 'user', params } as const),
    answers: { 204: { description: 'It is gone.' } },
    async handle(request) {
      world.textOf(request)
      world.notes.delete(world.keyOf(request))
      return noContent()
    },
  })
  return { read, write, upload, follow, remove }
}
type Kind = keyof ReturnType<typeof routesOf>

const ofAda = { principal: principal('ada'), params: { note_id: '1' }, status: 200 }
const examplesOf: Readonly<Record<Kind, readonly HttpRouteExample[]>> = {
  read: [{ ...ofAda, title: 'one' }],
  write: [
    { ...ofAda, title: 'one', body: { text: 'Buy milk' } },
    { ...ofAda, title: 'none', body: { text: 'forbidden' }, status: 404, code: 'not_found' },
  ],
  upload: [{ ...ofAda, title: 'one', bytes: [Buffer.from('Buy '), Buffer.from('tea')], status: 204 }],
  follow: [{ ...ofAda, title: 'one' }],
  remove: [{ ...ofAda, title: 'one', status: 204 }],
}
type Change = (plain: HttpRoute, world: Notes) => Partial<HttpRoute>

async function outcome(kind: Kind, change: Change, options: Partial<HttpRouteSuiteOptions> = {}) {
  const runner = createCollectingRunner()
  describeHttpRoute({
    name: 'r',
    runner,
    create() {
      const world = createNotes()
      const plain = routesOf(world)[kind]
      return {
        route: { ...plain, ...change(plain, world) },
        state: () => [...world.notes].filter(([key]) => key.startsWith('ada/')),
        held: () => world.bus.listenerCount('note'),
        change: async () => void world.bus.emit('note', 'Bake the bread', 'ada'),
      }
    },
    examples: examplesOf[kind],
    stranger: principal('eve'),
    withheld: ['bread'],
    secrets: ['open sesame!'],
    abortLimitMs: 50,
    quietMs: 20,
    ...options,
  })
  const results = await runner.run({ testLimitMs: 1_000 })
  const failed = results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('route r › ', ''))
  return { failed, notes: runner.notes }
}

/** The answer of the plain route, changed. */
const answering =
  (change: (response: RouteResponse, request: RouteRequest) => unknown): Change =>
  (plain) => ({ handle: async (request) => change(await plain.handle(request), request) as RouteResponse })
/** The plain route, with work before each request. */
const after =
  (work: (world: Notes) => unknown): Change =>
  (plain, world) => ({
    handle(request) {
      work(world)
      return plain.handle(request)
    },
  })
/** A text beside that of the note, in whatever form. */
const withText = (text: string): Change => answering((response) => ({ ...response, json: { text } }))

const stranger = 'gives a stranger nothing of what the user gets: one'
const strangeChange = 'lets a stranger change nothing of the user: one'
const secret = 'answers without a secret: one'
const unread = 'ends a stream that is left unread, as for HEAD, and one that is left in the middle: one'
const held = 'holds nothing for a client that is gone: one'
const reports = 'reports what happens to its user, and to no stranger: one'
const events = 'sends events that can be written: one'
const failing = { title: 'failing', params: { note_id: 'x' }, status: 502, code: 'vendor_failed' }
const throwing =
  (text: string, errors?: HttpRoute['errors']): Change =>
  (plain) => ({
    ...(errors && { errors }),
    handle(request) {
      if ((request.params as { readonly note_id: string }).note_id === 'x') throw vendorError.create({ text })
      return plain.handle(request)
    },
  })
const withFailing = { examples: [...examplesOf.read, failing] }

const faults: readonly (readonly [string, Kind, Change, string, Partial<HttpRouteSuiteOptions>?])[] = [
  ['a member that no route has', 'read', () => ({ authentication: 'admin' }) as object, soundTitle],
  ['agents in a route of administrators', 'read', () => ({ auth: 'admin', actors: ['agent'] }), soundTitle],
  [
    'an error that clients never see',
    'read',
    throwing('It failed.'),
    'lists the errors of its examples that clients see only then',
    withFailing,
  ],
  [
    'a stranger who gets the words of the user among others',
    'read',
    (_, { notes }) => ({
      handle: async (request) => ok({ text: `${request.principal?.username}: ${[...notes.values()].join(', ')}` }),
    }),
    stranger,
  ],
  [
    'a stranger who reads the words of the user in a problem',
    'read',
    (plain, { notes }) => ({
      handle(request) {
        if (request.principal?.userId !== 'ada') throw notFoundError.create({ what: `note but “${notes.get('ada/1')}”` })
        return plain.handle(request)
      },
    }),
    stranger,
  ],
  [
    'a stranger who writes for the user',
    'write',
    (plain) => ({ handle: (request) => plain.handle({ ...request, principal: principal('ada') }) }),
    strangeChange,
  ],
  [
    'a stranger who is refused after the work',
    'write',
    (plain) => ({
      async handle(request) {
        const response = await plain.handle({ ...request, principal: principal('ada') })
        if (request.principal?.userId !== 'ada') throw notFoundError.create({ what: 'note' })
        return response
      },
    }),
    strangeChange,
  ],
  [
    'a request that reads and writes',
    'read',
    after(({ notes }) => notes.set('ada/read', 'once')),
    'changes nothing, if it reads or refuses: one',
  ],
  [
    'a refused request that writes',
    'write',
    after(({ notes }) => notes.set('ada/1', 'tried')),
    'changes nothing, if it reads or refuses: none',
  ],
  [
    'an answer before the work',
    'write',
    (plain) => ({
      async handle(request) {
        void plain.handle(request).catch(() => undefined)
        return ok(request.body as never)
      },
    }),
    'has done what it answers: one',
  ],
  [
    'an answer without the work',
    'write',
    (plain) => ({
      handle: async (request) =>
        (request.body as { readonly text: string }).text === 'forbidden' ? plain.handle(request) : ok(request.body as never),
    }),
    'changes something by an example, unless it declares that it does not',
  ],
  [
    'a part of a body that is stored for the whole',
    'upload',
    (plain) => ({
      handle: (request) =>
        plain.handle({
          ...request,
          bodyStream: (async function* () {
            try {
              yield* request.bodyStream ?? []
            } catch {
              // What came has to do.
            }
          })(),
        }),
    }),
    'does not take a part of a body that is too large for all of it: one',
  ],
  ['a secret in an answer', 'read', withText('the key is open sesame!'), secret],
  ['an encoded secret in an answer', 'read', withText(Buffer.from('open sesame!').toString('base64')), secret],
  ['a secret in a header', 'read', answering((response) => ({ ...response, headers: { 'x-key': 'open sesame!' } })), secret],
  [
    'a secret in bytes',
    'read',
    answering(() => ({ status: 200, kind: 'bytes', contentType: 'text/plain', bytes: Buffer.from('open sesame!') })),
    secret,
  ],
  ['a secret in a problem', 'read', throwing('No: open sesame!', [vendorError]), 'refuses without a secret: failing', withFailing],
  [
    'a cookie that cannot be set',
    'read',
    answering((response) => ({ ...response, cookies: [{ name: 'last', value: 'a b', path: '/', maxAgeSeconds: 60 }] })),
    'answers as it declares: one',
  ],
  [
    'a cookie of half a second',
    'read',
    answering((response) => ({ ...response, cookies: [{ name: 'last', value: 'a', path: '/', maxAgeSeconds: 0.5 }] })),
    'answers as it declares: one',
  ],
  [
    'a listener for a client that reads nothing',
    'follow',
    (plain, { bus }) => ({
      async handle(request) {
        const listener = (): void => undefined
        bus.on('note', listener)
        const response = await plain.handle(request)
        if (response.kind !== 'events') return response
        const following = async function* (): AsyncGenerator<ServerSentEvent> {
          try {
            yield* response.events
          } finally {
            bus.off('note', listener)
          }
        }
        return { ...response, events: following() }
      },
    }),
    held,
  ],
  ['a listener for each client that has been', 'follow', after(({ bus }) => bus.on('note', () => undefined)), held],
  [
    'what happens to the user in the stream of a stranger',
    'follow',
    (_, { follow }) => ({ handle: async ({ signal }) => ({ status: 200, kind: 'events', events: follow('ada', signal) }) }),
    reports,
  ],
  [
    'a stream that reports nothing',
    'follow',
    (_, { follow }) => ({ handle: async ({ signal }) => ({ status: 200, kind: 'events', events: follow('no one', signal) }) }),
    reports,
  ],
  [
    'a stream that does not end when it is left',
    'follow',
    answering((response, { signal }) => ({
      ...response,
      events: {
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ done: true, value: undefined }))),
          return: () => new Promise(() => undefined),
        }),
      },
    })),
    unread,
  ],
  ...(
    [
      ['an event whose name has two lines', { event: 'a\ndata: forged', data: '{}' }],
      ['an event whose id is a number', { id: 7, data: '{}' }],
      ['an event whose data is no text', { data: { text: 'Buy bread' } }],
    ] as const
  ).map(
    ([what, event]) =>
      [
        what,
        'follow',
        answering((response) => ({
          ...response,
          events: (async function* () {
            yield event
          })(),
        })),
        events,
      ] as const,
  ),
]

describe('describeHttpRoute, of what requests change and hold', () => {
  for (const kind of ['read', 'write', 'upload', 'follow', 'remove'] as const)
    it(`passes a route that keeps the contract: ${kind}`, async () => {
      expect(await outcome(kind, () => ({}))).to.deep.equal({ failed: [], notes: [] })
    })
  for (const [what, kind, change, title, options] of faults)
    it(`catches ${what}`, async () => {
      expect((await outcome(kind, change, options)).failed).to.include(title)
    })
  it('passes a listed error of another system', async () => {
    expect((await outcome('read', throwing('It failed.', [vendorError]), withFailing)).failed).to.deep.equal([])
  })
  it('catches an answer to another request, also without a check of its own', async () => {
    const forgetful: Change = (plain) => {
      let last: RouteRequest | undefined
      return {
        async handle(request) {
          last = request
          await turn()
          return plain.handle(last)
        },
      }
    }
    const examples = [...examplesOf.read, { ...ofAda, title: 'of Bob', principal: principal('bob') }]
    const { failed } = await outcome('read', forgetful, { examples })
    expect(failed).to.include('answers each of several requests at once as if it were alone, if it reads: one')
  })
  it('says what it did not check, but not what does not apply', async () => {
    const describeWith = async (kind: Kind, under: object, options: object): Promise<readonly string[]> => {
      const runner = createCollectingRunner()
      const create = () => ({ route: routesOf(createNotes())[kind], ...under })
      describeHttpRoute({ name: 'r', runner, create, examples: examplesOf[kind], quietMs: 20, ...options })
      await runner.run()
      return runner.notes
    }
    expect(await describeWith('follow', {}, {})).to.deep.equal([
      'route r: not checked, because “stranger” was not given: another user does not get what the user of the examples gets',
      'route r: not checked, because “secrets” was not given: no answer and no problem has a secret',
      'route r: not checked, because “held” was not given: a client that is gone leaves no listener or subscription behind',
      'route r: not checked, because “change” was not given: a stream reports what happens to its user, and to no other',
      'route r: not checked, because “state” was not given: a request that reads changes nothing; another user changes nothing of the user',
    ])
    expect(await describeWith('write', {}, { stranger: principal('eve'), secrets: [] })).to.deep.equal([
      'route r: not checked, because “withheld” was not given: another user gets no part of it',
      'route r: not checked, because “state” was not given: a request has done what it answers; one that is refused changes nothing; another user changes nothing of the user',
    ])
    const absent = { state: 'not applicable', held: 'not applicable', change: 'not applicable' }
    expect(await describeWith('follow', absent, { stranger: 'not applicable', secrets: [] })).to.deep.equal([])
  })
})
