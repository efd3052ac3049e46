import { strict as assert } from 'node:assert'
import { checkWebSocketRoute } from '../../contracts/websocket-route/check-websocket-route.js'
import { connectionClosedError } from '../../contracts/websocket-route/errors.js'
import type { WebSocketMessage, WebSocketRoute } from '../../contracts/websocket-route/route.js'
import { ServiceError } from '../../core/errors.js'
import { validate } from '../../core/validate.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { assertClosed } from '../describe-http-route/describe-http-route.js'
import { within } from '../describe-http-route/read-answer.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { createSuiteConnection, type SuiteConnection } from './suite-connection.js'
import type { WebSocketRouteExample, WebSocketRouteSuiteOptions } from './suite-options.js'

/**
 * The maximum number of unsent messages to a client that does not read: several parts of a handler
 * may each wait for one.
 */
const maxWaiting = 8

/**
 * Tests every rule of the `websocket.route` contract, without a kernel or a network: the
 * suite is the client.
 *
 * @example
 * describeWebSocketRoute({
 *   create: createSocket,
 *   examples: [{ title: 'a die', sends: [{ kind: 'json', json: { sides: 6 } }], receives: 1 }],
 * })
 */
export function describeWebSocketRoute(options: WebSocketRouteSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  runner.describe(`WebSocket ${options.name ?? options.create().path}`, () => {
    describeDeclaration(options, runner)
    for (const example of options.examples) {
      describeAnswers(options, runner, example)
      describeEnds(options, runner, example)
    }
    describeTogether(options, runner)
  })
}

function describeDeclaration({ create, examples }: WebSocketRouteSuiteOptions, runner: SuiteRunner): void {
  runner.it(soundTitle, () => assertSound(checkWebSocketRoute(create())))
  runner.it('refuses unknown query parameters and message members', () => {
    const { query, messages } = create()
    assertClosed('the query', query)
    if (messages.kind === 'json') assertClosed('a message', messages.inbound)
  })
  runner.it('has examples that its schemas accept', () => {
    assert.ok(examples.length > 0, 'examples is empty')
    for (const example of examples) assertExample(create(), example)
  })
}

interface Visit extends SuiteConnection {
  readonly route: WebSocketRoute
  /** What the handler threw; `undefined` when it resolved. */
  readonly handled: Promise<unknown>
}

function visit({ create }: WebSocketRouteSuiteOptions, example: WebSocketRouteExample, reads = true): Visit {
  const route = create()
  const client = createSuiteConnection(route, example, { reads })
  const handled = route.handle(client.connection).then(
    () => undefined,
    (error: unknown) => error ?? new Error('It threw nothing.'),
  )
  return { ...client, route, handled }
}

/** Runs a connection of the example to its end. */
async function visitInFull(options: WebSocketRouteSuiteOptions, example: WebSocketRouteExample): Promise<Visit> {
  const visited = visit(options, example)
  const limitMs = options.answerLimitMs ?? 5_000
  const { receives = 0, ends, title } = example
  const enough = ends ? visited.handled : Promise.race([visited.until(receives), visited.handled])
  const came = await within(Promise.resolve(enough), limitMs)
  const what = ends ? 'did not end the connection' : `sent ${visited.received.length} of ${receives} messages`
  assert.ok(came, `the handler ${what} within ${limitMs} ms (“${title}”)`)
  visited.leave()
  await assertEnds(options, visited)
  return visited
}

function describeAnswers(options: WebSocketRouteSuiteOptions, runner: SuiteRunner, example: WebSocketRouteExample): void {
  const { title, receives = 0, ends } = example
  runner.it(`serves: ${title}`, async () => {
    const { received, handled, closedWith, wrong } = await visitInFull(options, example)
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
  })
  runner.it(`sends what it declares: ${title}`, async () => {
    const { received, route } = await visitInFull(options, example)
    for (const message of received) assertMessage(route, message, 'outbound')
  })
  runner.it(`serves two clients at once: ${title}`, async () => {
    const both = await Promise.all([visitInFull(options, example), visitInFull(options, example)])
    for (const { received } of both) example.check?.(received)
  })
}

/** Clients of all examples at once: none gets what is meant for another. */
function describeTogether(options: WebSocketRouteSuiteOptions, runner: SuiteRunner): void {
  runner.it('serves clients of all examples at once as if each were alone', async () => {
    const route = options.create()
    const shared = { ...options, create: () => route }
    const visits = await Promise.all(options.examples.map((example) => visitInFull(shared, example)))
    for (const [index, { received }] of visits.entries()) options.examples[index]?.check?.(received)
  })
}

function describeEnds(options: WebSocketRouteSuiteOptions, runner: SuiteRunner, example: WebSocketRouteExample): void {
  const { title } = example
  runner.it(`ends when the client disconnects at once: ${title}`, async () => {
    const visited = visit(options, example)
    visited.leave()
    await assertEnds(options, visited)
    assertGraceful(await visited.handled, example)
  })
  runner.it(`waits for a client that does not read: ${title}`, async () => {
    const visited = visit(options, example, false)
    // Long enough to send everything that is ready.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    const most = visited.mostWaiting()
    visited.leave()
    await assertEnds(options, visited)
    assert.ok(most <= maxWaiting, `${most} messages were sent at once; wait for “send” before the next`)
    assertGraceful(await visited.handled, example)
  })
}

async function assertEnds({ endLimitMs = 2_000 }: WebSocketRouteSuiteOptions, { handled }: Visit): Promise<void> {
  assert.ok(await within(handled, endLimitMs), `the handler continued for ${endLimitMs} ms after its connection had ended`)
}

/**
 * After a disconnect a handler may end by an error of `send` or its signal; any other error would
 * be logged as a fault of the plugin.
 */
function assertGraceful(error: unknown, { ends }: Pick<WebSocketRouteExample, 'ends'> = {}): void {
  if (error === undefined || connectionClosedError.isInstance(error)) return
  if (error instanceof Error && error.name === 'AbortError') return
  if (ends && 'errorCode' in ends && ServiceError.isInstance(error) && error.code === ends.errorCode) return
  assert.fail(`the handler threw ${String(error)}`)
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
