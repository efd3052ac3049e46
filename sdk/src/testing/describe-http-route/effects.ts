import { strict as assert } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import type { HttpRoute } from '../../contracts/http-route/route.js'
import { defineError } from '../../core/errors.js'
import { pass } from '../event-loop-turns.js'
import { call, callAndRead, type RouteSuite, settled } from './suite-bench.js'
import type { HttpRouteExample } from './suite-options.js'

const mayChange = ({ method, changes = method !== 'GET' }: HttpRoute): boolean => changes

/** What nothing checks of a route while the suite cannot see its state. */
const rulesOfState = (route: HttpRoute): readonly string[] => [
  ...(mayChange(route)
    ? ['a request has done what it answers', 'one that is refused changes nothing']
    : ['a request that reads changes nothing']),
  ...(route.auth === 'public' ? [] : ['another user changes nothing of the user']),
]

/** Rules for what requests change. Most need the state of the route. */
export function describeEffects(suite: RouteSuite): void {
  const { runner, using, examples, patience, unchecked } = suite
  runner.it('changes something by an example, unless it declares that it does not', () =>
    using(async ({ route, state, absent }) => {
      if (absent.has('state')) unchecked.without('state', ...rulesOfState(route))
      const answered = examples.filter(({ code }) => code === undefined)
      if (state === undefined || answered.length === 0 || !mayChange(route)) return
      const before = structuredClone(await state())
      for (const example of answered) await settled(callAndRead(route, example, patience))
      await pass()
      const isUnchanged = isDeepStrictEqual(await state(), before)
      assert.ok(!isUnchanged, 'no example changed the state; a route that changes nothing says so with changes: false')
    }),
  )
  for (const example of examples) {
    describeOwnEffect(suite, example)
    describeStrangeEffect(suite, example)
    if (example.code === undefined) describeLargeBody(suite, example)
  }
}

function describeOwnEffect({ runner, using, patience }: RouteSuite, example: HttpRouteExample): void {
  const { title, code } = example
  runner.it(`changes nothing, if it reads or refuses: ${title}`, () =>
    using(async ({ route, state }) => {
      if (state === undefined || (code === undefined && mayChange(route))) return
      const before = structuredClone(await state())
      await settled(callAndRead(route, example, patience))
      await pass()
      assert.deepEqual(await state(), before, `a request that ${code === undefined ? 'reads' : 'was refused'} changed something`)
    }),
  )
  runner.it(`has done what it answers: ${title}`, () =>
    using(async ({ route, state }) => {
      if (state === undefined || code !== undefined) return
      const { status } = await callAndRead(route, example, patience)
      if (status === 202) return
      const atAnswer = structuredClone(await state())
      await pass()
      assert.deepEqual(await state(), atAnswer, 'it changed something after its answer; wait for the work, or answer with 202')
    }),
  )
}

function describeStrangeEffect({ runner, using, patience, stranger }: RouteSuite, example: HttpRouteExample): void {
  runner.it(`lets a stranger change nothing of the user: ${example.title}`, () =>
    using(async ({ route, state }) => {
      if (stranger === undefined || state === undefined) return
      const before = structuredClone(await state())
      await settled(callAndRead(route, { ...example, principal: stranger }, patience))
      await pass()
      assert.deepEqual(
        await state(),
        before,
        'a request of a stranger changed what the user has; “state” shows what belongs to the user, and nothing of others',
      )
    }),
  )
}

/** What reading a streamed body ends with in the host. */
const bodyTooLargeError = defineError<Record<string, never>>({
  code: 'body_too_large',
  status: 413,
  title: 'Body too large',
  message: () => 'The body is larger than the route permits.',
})

function describeLargeBody({ runner, using }: RouteSuite, example: HttpRouteExample): void {
  runner.it(`does not take a part of a body that is too large for all of it: ${example.title}`, () =>
    using(async ({ route }) => {
      if (route.body?.kind !== 'stream') return
      let isCut = false
      const bodyStream = (async function* (): AsyncGenerator<Uint8Array> {
        for (const piece of example.bytes ?? []) yield piece
        isCut = true
        throw bodyTooLargeError.create({})
      })()
      const cut: HttpRoute = { ...route, handle: (request) => route.handle({ ...request, bodyStream }) }
      const status = await call(cut, example).then(
        (response) => response.status,
        () => undefined,
      )
      if (isCut)
        assert.ok(status === undefined || status >= 400, `it answered ${status} although reading the body ended with body_too_large`)
    }),
  )
}
