import { strict as assert } from 'node:assert'
import type { Principal } from '../../contracts/http-route/principal.js'
import type { HttpRoute } from '../../contracts/http-route/route.js'
import { ServiceError } from '../../core/errors.js'
import { call, callAndRead, contentOf, type RouteSuite, settled } from './suite-bench.js'
import type { HttpRouteExample, SuiteAnswer } from './suite-options.js'

/** An answer that is thrown by a coin is the same so often once in a million times. */
const timesAlone = 20

/** Rules for an answer beside others: of the same route, of other requests, of another user. */
export function describeBeside(suite: RouteSuite, example: HttpRouteExample): void {
  const { runner, using, examples, patience } = suite
  runner.it(`answers each of several requests at once as if it were alone, if it reads: ${example.title}`, () =>
    using(async ({ route }) => {
      if (route.method !== 'GET') return
      const answered = [example, ...examples].filter(({ code }) => code === undefined)
      const alone = async (): Promise<readonly string[]> => {
        const contents: string[] = []
        for (const each of answered) contents.push(contentOf(await callAndRead(route, each, patience)))
        return contents
      }
      const before = await alone()
      const answers = await Promise.all(answered.map((each) => callAndRead(route, each, patience)))
      const after = await alone()
      for (const [index, each] of answered.entries()) {
        const came = answers[index]
        if (came === undefined) continue
        assert.equal(came.status, each.status, `the status of “${each.title}”`)
        each.check?.(came)
        if (before[index] !== after[index] || contentOf(came) === before[index]) continue
        // What is the same whenever it is alone, and another one in between, is the answer to another request.
        for (let time = 0; time < timesAlone; time += 1) if (contentOf(await callAndRead(route, each, patience)) !== before[index]) return
        assert.equal(contentOf(came), before[index], `the answer to “${each.title}” beside others`)
      }
    }),
  )
  runner.it(`does not change an answer that it has given: ${example.title}`, () =>
    using(async ({ route }) => {
      const response = await call(route, example)
      if (response.kind !== 'json' && response.kind !== 'bytes') return
      const copy = structuredClone(response)
      for (const other of examples) await settled(call(route, other))
      assert.deepEqual(response, copy, 'a later request changed an earlier answer')
    }),
  )
  describeStranger(suite, example)
}

function describeStranger({ runner, using, patience, stranger, withheld }: RouteSuite, example: HttpRouteExample): void {
  const foreignAnswer = async (route: HttpRoute, principal: Principal): Promise<SuiteAnswer | Error> =>
    callAndRead(route, { ...example, principal }, patience).catch((error: unknown) => {
      if (ServiceError.isInstance(error)) return error
      throw error
    })
  runner.it(`gives a stranger nothing of what the user gets: ${example.title}`, async () => {
    if (stranger === undefined) return
    // Alone, since the user may take away what the stranger would get; then after the user, for what is remembered.
    if (withheld) await using(async ({ route }) => assertWithheld(await foreignAnswer(route, stranger), example, withheld))
    await using(async ({ route }) => {
      const answer = await callAndRead(route, example, patience)
      const foreign = await foreignAnswer(route, stranger)
      if (withheld) return assertWithheld(foreign, example, withheld)
      if (foreign instanceof Error || foreign.status === 204) return
      assert.notEqual(
        contentOf(foreign),
        contentOf(answer),
        'a stranger got the answer of the user; if it has nothing of the user, name in “withheld” the texts that no other may read',
      )
    })
  })
}

/** Fails if an answer or a problem has one of the texts that the request itself did not bring. */
function assertWithheld(came: SuiteAnswer | Error, { params, query, headers, body }: HttpRouteExample, texts: readonly string[]): void {
  const sent = JSON.stringify([params, query, headers, body])
  const got = came instanceof Error ? JSON.stringify([came.message, came]) : JSON.stringify([came.headers]) + contentOf(came)
  const leaked = texts.filter((text) => got.includes(text) && !sent.includes(text))
  assert.deepEqual(leaked, [], 'a stranger got texts of the user')
}
