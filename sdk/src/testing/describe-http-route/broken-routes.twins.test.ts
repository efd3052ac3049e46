import { once } from 'node:events'
import { expect } from 'chai'
import { notFoundError } from '../../contracts/http-route/errors.js'
import { created, ok } from '../../contracts/http-route/responses.js'
import { defineRoute, type HttpRoute, type RouteRequest, type ServerSentEvent } from '../../contracts/http-route/route.js'
import { Type } from '../../core/type.js'
import { soundTitle } from '../assert-sound.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeHttpRoute, type HttpRouteExample } from './index.js'

const plainRoute = defineRoute({
  method: 'POST',
  path: '/api/plugins/greeter/{name}',
  operationId: 'greet',
  summary: 'Greet a person',
  auth: 'user',
  params: Type.Object({ name: Type.String() }),
  query: Type.Object({ loud: Type.Optional(Type.Boolean()) }),
  body: { kind: 'json', schema: Type.Object({ words: Type.String() }) },
  answers: { 201: { description: 'The greeting.', schema: Type.Object({ greeting: Type.String() }) } },
  async handle({ params, query, body, principal }) {
    if (params.name === 'nobody' || !principal) throw notFoundError.create({ what: 'person' })
    const greeting = `${body.words}, ${params.name}`
    return created({ greeting: query.loud ? greeting.toUpperCase() : greeting })
  },
})

const examples: readonly HttpRouteExample[] = [
  {
    title: 'one',
    params: { name: 'Ada' },
    query: { loud: true },
    body: { words: 'Hello' },
    status: 201,
    check: ({ json }) => expect(json).to.deep.equal({ greeting: 'HELLO, ADA' }),
  },
  { title: 'none', params: { name: 'nobody' }, body: { words: 'Hello' }, status: 404, code: 'not_found' },
]

const tick = (signal: AbortSignal) => once(signal, 'abort')

/** An endless stream that ends with its signal. */
async function* events(signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  yield { data: 'first' }
  if (!signal.aborted) await tick(signal)
}

const streamRoute = defineRoute({
  method: 'GET',
  path: '/api/plugins/greeter/events',
  operationId: 'greetings',
  summary: 'Greetings as they come',
  auth: 'public',
  streaming: true,
  answers: { 200: { description: 'Them.', contentType: 'text/event-stream' } },
  handle: async ({ signal }) => ({ status: 200, kind: 'events', events: events(signal) }),
})
const streamExamples: readonly HttpRouteExample[] = [
  { title: 'all', status: 200, check: (answer) => expect(answer.events).to.deep.equal([{ data: 'first' }]) },
]

async function failing(route: HttpRoute, change: Partial<HttpRoute>, given: readonly HttpRouteExample[]): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeHttpRoute({ name: 'r', runner, create: () => ({ ...route, ...change }), examples: given, abortLimitMs: 50, quietMs: 20 })
  const results = await runner.run({ testLimitMs: 2_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('route r › ', ''))
}

const closed = 'refuses unknown query parameters and body members'
const fit = 'has examples that its schemas accept'
const declared = 'declares the answers of its examples'
const answerInstead = (response: Awaited<ReturnType<HttpRoute['handle']>>): Partial<HttpRoute> => ({
  handle: async (request) => {
    const { name } = request.params as { readonly name: string }
    return name === 'nobody' ? plainRoute.handle(request) : response
  },
})

const faults: readonly (readonly [string, Partial<HttpRoute>, readonly string[]])[] = [
  ['another version', { specVersion: 2 as never }, [soundTitle]],
  ['a path with an empty segment', { path: '/api//{name}' }, [soundTitle]],
  ['a name with a dash', { operationId: 'greet-it' }, [soundTitle]],
  ['a summary of two lines', { summary: 'a\nb' }, [soundTitle]],
  ['a schema that JSON does not carry', { query: Type.Object({ loud: Type.Optional({ pattern: /x/ } as never) }) }, [soundTitle]],
  [
    'params that the path does not have',
    { params: Type.Object({ name: Type.String(), more: Type.Optional(Type.String()) }) },
    [soundTitle],
  ],
  [
    'a query that accepts anything',
    { query: Type.Object({ loud: Type.Optional(Type.Boolean()) }, { additionalProperties: true }) },
    [closed],
  ],
  ['a query that refuses its example', { query: Type.Object({ quiet: Type.Optional(Type.Boolean()) }) }, [fit]],
  ['an undeclared answer', { answers: { 200: { description: 'Other.' } } }, [declared, 'answers as it declares: one']],
  ['another status', answerInstead(ok({ greeting: 'HELLO, ADA' })), ['answers: one', 'answers as it declares: one']],
  ['an invalid answer', answerInstead(created({ greeting: 7 })), ['answers: one', 'answers as it declares: one']],
  [
    'a secret beside the answer',
    answerInstead(created({ greeting: 'HELLO, ADA', hash: 'x' })),
    ['answers: one', 'answers as it declares: one'],
  ],
  ['a date in the answer', answerInstead(created({ greeting: new Date(0) as never })), ['answers: one', 'answers as it declares: one']],
  ['an answer instead of the expected problem', { handle: async () => created({ greeting: 'HELLO, ADA' }) }, ['refuses: none']],
  [
    'an error without a public code',
    {
      handle: (request) =>
        (request.params as { readonly name: string }).name === 'nobody' ? Promise.reject(new Error('no')) : plainRoute.handle(request),
    },
    ['refuses: none'],
  ],
  [
    'a request that is changed',
    {
      handle: async (request) => {
        const response = plainRoute.handle(request)
        Object.assign(request.params as object, { name: 'changed' })
        return response
      },
    },
    ['does not change its request: one', 'does not change its request: none'],
  ],
  [
    'a request that hangs after its abort',
    {
      handle: async (request: RouteRequest) => {
        await Promise.resolve()
        return request.signal.aborted ? new Promise(() => undefined) : plainRoute.handle(request)
      },
    },
    ['ends when it is aborted: one', 'ends when it is aborted: none'],
  ],
]

const streamFaults: readonly (readonly [string, HttpRoute['handle'], readonly string[]])[] = [
  [
    'a stream that continues after its abort',
    async () => ({
      status: 200,
      kind: 'events',
      events: (async function* (): AsyncGenerator<ServerSentEvent> {
        yield { data: 'first' }
        await new Promise(() => undefined)
      })(),
    }),
    ['answers: all', 'answers as it declares: all', 'ends when it is aborted: all'],
  ],
  [
    'bytes where events are declared',
    async () => ({ status: 200, kind: 'bytes', contentType: 'text/plain', bytes: new Uint8Array() }),
    ['answers: all', 'answers as it declares: all'],
  ],
  [
    'fewer bytes than announced',
    async () => ({
      status: 200,
      kind: 'stream',
      contentType: 'text/event-stream',
      length: 5,
      stream: (async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from('four')
      })(),
    }),
    ['answers: all', 'answers as it declares: all'],
  ],
]

describe('describeHttpRoute', () => {
  it('passes routes that keep the contract', async () => {
    expect(await failing(plainRoute, {}, examples)).to.deep.equal([])
    expect(await failing(streamRoute, {}, streamExamples)).to.deep.equal([])
  })
  it('asks for an example', async () => {
    expect(await failing(streamRoute, {}, [])).to.deep.equal([fit])
  })
  for (const [what, change, titles] of faults) {
    it(`catches ${what}`, async () => {
      expect(await failing(plainRoute, change, examples)).to.include.members([...titles])
    })
  }
  for (const [what, handle, titles] of streamFaults) {
    it(`catches ${what}`, async () => {
      expect(await failing(streamRoute, { handle }, streamExamples)).to.include.members([...titles])
    })
  }
})

describe('describeHttpRoute, beside other requests', () => {
  const diary = new Map([
    ['ada', 'Dear diary'],
    ['bob', 'Nothing'],
  ])
  const principal = (username: string) => ({ userId: username, username, handle: username, role: 'user', scopes: ['read'] }) as const
  const readDiary = defineRoute({
    method: 'GET',
    path: '/api/plugins/diary/page',
    operationId: 'readDiary',
    summary: 'Read the diary',
    auth: 'user',
    answers: { 200: { description: 'It.', schema: Type.Object({ text: Type.String() }) } },
    handle: async (request) => ok({ text: diary.get(request.principal?.userId ?? '') ?? '' }),
  })
  const ofUsers: readonly HttpRouteExample[] = ['ada', 'bob'].map((name) => ({
    title: name,
    principal: principal(name),
    status: 200,
    check: ({ json }) => expect(json).to.deep.equal({ text: diary.get(name) }),
  }))
  const outcome = async (change: () => Partial<HttpRoute>, stranger = true) => {
    const runner = createCollectingRunner()
    const create = () => ({ route: { ...readDiary, ...change() }, state: 'not applicable' }) as const
    describeHttpRoute({
      name: 'r',
      runner,
      create,
      examples: ofUsers,
      abortLimitMs: 50,
      quietMs: 20,
      secrets: [],
      withheld: ['Dear', 'Nothing'],
      ...(stranger && { stranger: principal('eve') }),
    })
    const results = await runner.run({ testLimitMs: 1_000 })
    const failed = results
      .filter(({ error }) => error !== undefined)
      .map(({ title }) => title.replace('route r › ', '').replace(/: (ada|bob)$/, ''))
    return { failed: [...new Set(failed)], notes: runner.notes }
  }

  it('passes a route that keeps them apart, and says what it did not check', async () => {
    expect(await outcome(() => ({}))).to.deep.equal({ failed: [], notes: [] })
    expect((await outcome(() => ({}), false)).notes).to.deep.equal([
      'route r: not checked, because “stranger” was not given: another user does not get what the user of the examples gets',
    ])
  })

  const faults: readonly (readonly [string, () => Partial<HttpRoute>, string])[] = [
    [
      'a user who is kept between two requests',
      () => {
        let last: RouteRequest | undefined
        return {
          async handle(request) {
            last = request
            await new Promise((resolve) => setImmediate(resolve))
            return readDiary.handle(last)
          },
        }
      },
      'answers each of several requests at once as if it were alone, if it reads',
    ],
    [
      'an answer that later requests change',
      () => {
        const json = { text: '' }
        return {
          async handle(request) {
            json.text = diary.get(request.principal?.userId ?? '') ?? ''
            return { status: 200, kind: 'json', json }
          },
        }
      },
      'does not change an answer that it has given',
    ],
    [
      'an answer that a stranger gets too',
      () => ({
        handle: (request) => readDiary.handle(request.principal?.userId === 'eve' ? { ...request, principal: principal('ada') } : request),
      }),
      'gives a stranger nothing of what the user gets',
    ],
    [
      'a header in two lines',
      () => ({
        async handle(request) {
          return { ...(await readDiary.handle(request)), headers: { 'x-page': 'one\r\nset-cookie: a=b' } }
        },
      }),
      'answers as it declares',
    ],
    [
      'a request that waits for an abort that has been',
      () => ({ handle: (request) => (request.signal.aborted ? new Promise(() => undefined) : readDiary.handle(request)) }),
      'ends when it is aborted',
    ],
  ]
  for (const [what, change, title] of faults) {
    it(`catches ${what}`, async () => {
      expect((await outcome(change)).failed).to.include(title)
    })
  }
})
