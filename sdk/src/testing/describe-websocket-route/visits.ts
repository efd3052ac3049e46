import { strict as assert } from 'node:assert'
import { connectionClosedError } from '../../contracts/websocket-route/errors.js'
import type { WebSocketRoute } from '../../contracts/websocket-route/route.js'
import { ServiceError } from '../../core/errors.js'
import { boundMembers } from '../bound-members.js'
import { within } from '../describe-http-route/read-answer.js'
import { createSuiteConnection, type SuiteClient, type SuiteConnection } from './suite-connection.js'
import type { WebSocketRouteExample, WebSocketRouteSuiteOptions, WebSocketRouteUnderTest } from './suite-options.js'

/** One connection of the suite. */
export interface Visit extends SuiteConnection {
  readonly route: WebSocketRoute
  /** What the handler threw; `undefined` when it resolved. */
  readonly handled: Promise<unknown>
}

/** The limits of a visit. */
export type VisitLimits = Pick<WebSocketRouteSuiteOptions, 'answerLimitMs' | 'endLimitMs'>

/** The route of `create`, with or without what goes with it. */
export const underTest = (made: WebSocketRoute | WebSocketRouteUnderTest): WebSocketRouteUnderTest =>
  'route' in made ? boundMembers(made) : { route: made }

/** Runs a test with a route of its own, filled, and closes it afterwards. */
export async function using(
  { create }: Pick<WebSocketRouteSuiteOptions, 'create'>,
  test: (under: WebSocketRouteUnderTest) => Promise<void>,
): Promise<void> {
  const under = underTest(create())
  try {
    await under.fill?.()
    await test(under)
  } finally {
    await under.close?.()
  }
}

/** Connects as the client of an example. */
export function visit(route: WebSocketRoute, example: WebSocketRouteExample, client: SuiteClient = {}): Visit {
  const connected = createSuiteConnection(route, example, client)
  const handled = route.handle(connected.connection).then(
    () => undefined,
    (error: unknown) => error ?? new Error('It threw nothing.'),
  )
  return { ...connected, route, handled }
}

/** Runs a connection of the example to its end. */
export async function visitInFull(route: WebSocketRoute, example: WebSocketRouteExample, limits: VisitLimits): Promise<Visit> {
  const visited = await visitUntilAnswered(route, example, limits)
  await leave(visited, limits)
  return visited
}

/** Connects, and resolves once the example has what it expects; the client stays. @throws if that does not come. */
export async function visitUntilAnswered(route: WebSocketRoute, example: WebSocketRouteExample, limits: VisitLimits): Promise<Visit> {
  const visited = visit(route, example)
  const limitMs = limits.answerLimitMs ?? 5_000
  const { receives = 0, ends, title } = example
  const enough = ends ? visited.handled : Promise.race([visited.until(receives), visited.handled])
  const came = await within(Promise.resolve(enough), limitMs)
  const what = ends ? 'did not end the connection' : `sent ${visited.received.length} of ${receives} messages`
  assert.ok(came, `the handler ${what} within ${limitMs} ms (“${title}”)`)
  return visited
}

/** Disconnects the client, and waits for the end of the handler. @throws if it goes on. */
export async function leave(visited: Visit, { endLimitMs = 2_000 }: VisitLimits): Promise<void> {
  visited.leave()
  assert.ok(await within(visited.handled, endLimitMs), `the handler continued for ${endLimitMs} ms after its connection had ended`)
}

/**
 * After a disconnect a handler may end by an error of `send` or its signal; any other error would
 * be logged as a fault of the plugin.
 */
export function assertGraceful(error: unknown, { ends }: Pick<WebSocketRouteExample, 'ends'> = {}): void {
  if (error === undefined || connectionClosedError.isInstance(error)) return
  if (error instanceof Error && error.name === 'AbortError') return
  if (ends && 'errorCode' in ends && ServiceError.isInstance(error) && error.code === ends.errorCode) return
  assert.fail(`the handler threw ${String(error)}`)
}
