import { strict as assert } from 'node:assert'
import { checkWebSocketRoute } from '../../contracts/websocket-route/check-websocket-route.js'
import type { WebSocketMessage, WebSocketRoute } from '../../contracts/websocket-route/route.js'
import { ServiceError } from '../../core/errors.js'
import { validate } from '../../core/validate.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { assertClosed } from '../describe-http-route/describe-http-route.js'
import { pass } from '../event-loop-turns.js'
import { createSecretFinder } from '../secret-finder.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules, givenInput, type UncheckedRules } from '../unchecked-rules.js'
import { describeReports, describeStranger } from './strangers.js'
import type { WebSocketRouteExample, WebSocketRouteSuiteOptions } from './suite-options.js'
import { assertGraceful, leave, underTest, using, visit, visitInFull, visitUntilAnswered } from './visits.js'

/**
 * The maximum number of unsent messages to a client that does not read: several parts of a handler
 * may each wait for one.
 */
const maxWaiting = 8
/** How many messages a client sends that never reads, and the most that may wait for it then. */
const floodOfMessages = 200
const maxWaitingInFlood = 64

/**
 * Tests every rule of the `websocket.route` contract, without a kernel or a network: the
 * suite is the client.
 *
 * @example
 * describeWebSocketRoute({
 *   create: createSocket,
 *   examples: [{ title: 'a die', sends: [{ kind: 'json', json: { sides: 6 } }], receives: 1 }],
 *   stranger: 'not applicable',
 *   secrets: [],
 * })
 */
export function describeWebSocketRoute(options: WebSocketRouteSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  const { route, close } = underTest(options.create())
  const title = `WebSocket ${options.name ?? route.path}`
  runner.describe(title, () => {
    if (close) runner.after(() => close())
    const unchecked = collectUncheckedRules(runner, title)
    noteAbsentInputs(options, route, unchecked)
    describeDeclaration(options, runner)
    for (const example of options.examples) {
      describeAnswers(options, runner, example)
      describeEnds(options, runner, example)
      describeStranger(options, runner, example)
    }
    describeTogether(options, runner)
    describeReports(options, { runner, unchecked })
    describeHeld(options, runner, unchecked)
  })
}

function noteAbsentInputs(
  { stranger, withheld, secrets }: WebSocketRouteSuiteOptions,
  { auth }: WebSocketRoute,
  unchecked: UncheckedRules,
): void {
  if (stranger === undefined && auth !== 'public') unchecked.without('stranger', 'another user gets no message that is meant for the user')
  if (givenInput(stranger) !== undefined && withheld === undefined) unchecked.without('withheld', 'another user gets no part of one')
  if (secrets === undefined) unchecked.without('secrets', 'no message, error or close reason has a secret')
}

function describeDeclaration(options: WebSocketRouteSuiteOptions, runner: SuiteRunner): void {
  const { examples } = options
  runner.it(soundTitle, () => using(options, async ({ route }) => assertSound(checkWebSocketRoute(route))))
  runner.it('refuses unknown query parameters and message members', () =>
    using(options, async ({ route: { query, messages } }) => {
      assertClosed('the query', query)
      if (messages.kind === 'json') assertClosed('a message', messages.inbound)
    }),
  )
  runner.it('has examples that its schemas accept', () =>
    using(options, async ({ route }) => {
      assert.ok(examples.length > 0, 'examples is empty')
      for (const example of examples) assertExample(route, example)
    }),
  )
}

function describeAnswers(options: WebSocketRouteSuiteOptions, runner: SuiteRunner, example: WebSocketRouteExample): void {
  const { title, receives = 0, ends } = example
  runner.it(`serves: ${title}`, () =>
    using(options, async ({ route }) => {
      const { received, handled, closedWith, wrong } = await visitInFull(route, example, options)
      const error = await handled
      assert.deepEqual(wrong, [], 'the handler closed with what no connection can carry')
      if (ends && 'errorCode' in ends) {
        assert.ok(ServiceError.isInstance(error), `it ended with ${String(error)}; expected the error ${ends.errorCode}`)
        assert.equal(error.code, ends.errorCode)
      } else {
        assertGraceful(error)
        if (ends) assert.equal(closedWith() ?? 1000, ends.closeCode)
      }
      assert.ok(received.length >= receives, `it sent ${received.length} messages; expected ${receives}`)
      example.check?.(received)
    }),
  )
  runner.it(`sends what it declares: ${title}`, () =>
    using(options, async ({ route }) => {
      const { received } = await visitInFull(route, example, options)
      for (const message of received) assertMessage(route, message, 'outbound')
    }),
  )
  runner.it(`sends no secret: ${title}`, () =>
    using(options, async ({ route }) => {
      const { received, handled, reasons } = await visitInFull(route, example, options)
      const secrets = createSecretFinder(options.secrets ?? [])
      for (const message of received) {
        if (message.kind === 'binary') secrets.assertNone(Buffer.from(message.bytes).toString(), 'a message')
        else secrets.assertNone(message, 'a message')
      }
      secrets.assertNone([await handled, reasons], 'the end of the connection')
    }),
  )
  runner.it(`serves two clients at once: ${title}`, () =>
    // Each has a route of its own: in a room that both are in, each would get what the other says.
    using(options, (one) =>
      using(options, async (other) => {
        const both = await Promise.all([one, other].map(({ route }) => visitInFull(route, example, options)))
        for (const { received } of both) example.check?.(received)
      }),
    ),
  )
}

/** Clients of all examples at once: none gets what is meant for another. */
function describeTogether(options: WebSocketRouteSuiteOptions, runner: SuiteRunner): void {
  runner.it('serves clients of all examples at once as if each were alone', () =>
    using(options, async ({ route }) => {
      // All stay until each has its answers: in a room a message of another client may come first.
      const visits = await Promise.all(options.examples.map((example) => visitUntilAnswered(route, example, options)))
      await pass()
      await Promise.all(visits.map((visited) => leave(visited, options)))
      for (const [index, { received }] of visits.entries())
        try {
          options.examples[index]?.check?.(received)
        } catch (error) {
          const hint = 'where the clients of a room hear each other, check what an example has to get, wherever it comes'
          throw new assert.AssertionError({ message: `“${options.examples[index]?.title}” beside the others: ${String(error)}; ${hint}` })
        }
    }),
  )
  runner.it('serves or refuses a client that offers none of its subprotocols', () =>
    using(options, async ({ route }) => {
      const [example] = options.examples
      if (route.subprotocols === undefined || example === undefined) return
      const visited = visit(route, example, { offersSubprotocol: false })
      await pass()
      await leave(visited, options)
      const error = await visited.handled
      if (!ServiceError.isInstance(error) || error.status >= 500) assertGraceful(error)
    }),
  )
}

/** What a route keeps for clients that are gone. */
function describeHeld(options: WebSocketRouteSuiteOptions, runner: SuiteRunner, unchecked: UncheckedRules): void {
  runner.it('holds nothing for a client that is gone', () =>
    using(options, async (under) => {
      if (under.held === undefined) unchecked.without('held', 'a client that is gone leaves no listener or place behind')
      const held = givenInput(under.held)
      if (held === undefined) return
      const before = held()
      for (const example of options.examples) {
        await visitInFull(under.route, example, options)
        const visited = visit(under.route, example)
        await leave(visited, options)
      }
      await pass()
      assert.equal(
        held(),
        before,
        'something is still held for clients that are gone; let it go in a “finally” of the handler, and leave out of “held” what is opened once for all',
      )
    }),
  )
}

function describeEnds(options: WebSocketRouteSuiteOptions, runner: SuiteRunner, example: WebSocketRouteExample): void {
  const { title, sends = [] } = example
  runner.it(`ends when the client disconnects at once: ${title}`, () =>
    using(options, async ({ route }) => {
      const visited = visit(route, example)
      await leave(visited, options)
      assertGraceful(await visited.handled, example)
    }),
  )
  runner.it(`ends when the client disconnects while it works: ${title}`, () =>
    using(options, async ({ route }) => {
      for (const turns of [1, 2, 3, 5, 8]) {
        const visited = visit(route, example)
        await pass(turns)
        await leave(visited, options)
        assertGraceful(await visited.handled, example)
      }
    }),
  )
  runner.it(`waits for a client that does not read: ${title}`, () =>
    using(options, async ({ route }) => {
      const visited = visit(route, example, { reads: false })
      // Long enough to send everything that is ready.
      await pass(50)
      const most = visited.mostWaiting()
      await leave(visited, options)
      assert.ok(most <= maxWaiting, `${most} messages were sent at once; wait for “send” before the next`)
      assertGraceful(await visited.handled, example)
    }),
  )
  runner.it(`waits for a client that does not read and goes on sending: ${title}`, () =>
    using(options, async ({ route }) => {
      if (sends.length === 0) return
      const flood = Array.from({ length: Math.ceil(floodOfMessages / sends.length) }, () => sends).flat()
      const visited = visit(route, { ...example, sends: flood }, { reads: false })
      await pass(2 * floodOfMessages)
      const most = visited.mostWaiting()
      await leave(visited, options)
      assert.ok(most <= maxWaitingInFlood, `${most} answers were sent at once to a client that reads none; wait for “send” before the next`)
    }),
  )
}

function assertExample(route: WebSocketRoute, { title, params = {}, query = {}, sends = [] }: WebSocketRouteExample): void {
  if (route.params) assert.deepEqual(validate(route.params, params), [], `the params of “${title}” do not fit their schema`)
  if (route.query) assert.deepEqual(validate(route.query, query), [], `the query of “${title}” does not fit its schema`)
  else assert.deepEqual(Object.keys(query), [], `“${title}” has a query, but the route takes none`)
  for (const message of sends) assertMessage(route, message, 'inbound')
}

function assertMessage({ messages }: WebSocketRoute, message: WebSocketMessage, direction: 'inbound' | 'outbound'): void {
  if (messages.kind === 'raw') {
    assert.notEqual(message.kind, 'json', 'a route of raw messages has no message of the kind “json”')
  } else if (message.kind === 'json') {
    assert.deepEqual(JSON.parse(JSON.stringify(message.json)), message.json, 'the message is not plain JSON')
    assert.deepEqual(validate(messages[direction], message.json), [], `the ${direction} message does not fit its schema`)
  } else {
    assert.fail(`a route of JSON messages has no message of the kind “${message.kind}”`)
  }
}
