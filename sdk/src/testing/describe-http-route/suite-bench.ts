import type { Principal } from '../../contracts/http-route/principal.js'
import type { HttpRoute, RouteResponse } from '../../contracts/http-route/route.js'
import type { JsonValue } from '../../core/json.js'
import { boundMembers } from '../bound-members.js'
import { createSecretFinder, type SecretFinder } from '../secret-finder.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { givenInput, type UncheckedRules } from '../unchecked-rules.js'
import { type Patience, readAnswer } from './read-answer.js'
import type { HttpRouteExample, HttpRouteSuiteOptions, HttpRouteUnderTest, SuiteAnswer } from './suite-options.js'
import { bytesOf, suiteRequest } from './suite-request.js'

/** What the parts of the suite are described with. */
export interface RouteSuite {
  readonly runner: SuiteRunner
  readonly unchecked: UncheckedRules
  readonly examples: readonly HttpRouteExample[]
  readonly patience: Patience
  readonly stranger: Principal | undefined
  readonly withheld: readonly string[] | undefined
  readonly secrets: SecretFinder
  /** Runs a test with a route of its own, filled, and closes it afterwards. */
  using(test: (under: RouteUnderTest) => Promise<void>): Promise<void>
}

/** A route in one test. */
export interface RouteUnderTest {
  readonly route: HttpRoute
  /** The inputs that the author neither gave nor called not applicable. */
  readonly absent: ReadonlySet<'state' | 'held' | 'change'>
  /** Absent if the suite cannot see it. */
  readonly state?: () => JsonValue | Promise<JsonValue>
  /** Absent if the suite cannot see it. */
  readonly held?: () => number
  /** Absent if the suite can make nothing happen. */
  readonly change?: () => Promise<void>
}

/** The route of `create`, with or without what goes with it. */
export const underTest = (made: HttpRoute | HttpRouteUnderTest): HttpRouteUnderTest =>
  'route' in made ? boundMembers(made) : { route: made }

/** What the tests of these options need. */
export function openSuite(options: HttpRouteSuiteOptions, unchecked: UncheckedRules): RouteSuite {
  const { runner = globalSuiteRunner(), examples, withheld, secrets = [], abortLimitMs = 2_000, quietMs = 100 } = options
  return {
    runner,
    unchecked,
    examples,
    patience: { abortLimitMs, quietMs },
    stranger: givenInput(options.stranger),
    withheld,
    secrets: createSecretFinder(secrets),
    async using(test) {
      const under = underTest(options.create())
      try {
        await under.fill?.()
        const [state, held, change] = [givenInput(under.state), givenInput(under.held), givenInput(under.change)]
        const absent = new Set((['state', 'held', 'change'] as const).filter((input) => under[input] === undefined))
        await test({ route: under.route, absent, ...(state && { state }), ...(held && { held }), ...(change && { change }) })
      } finally {
        await under.close?.()
      }
    },
  }
}

/** Calls a route as the host does. */
export async function call(
  route: HttpRoute,
  example: HttpRouteExample,
  signal: AbortSignal = new AbortController().signal,
  request = suiteRequest(route, example),
): Promise<RouteResponse> {
  const streamed = route.body?.kind === 'stream' ? { bodyStream: bytesOf(example.bytes ?? []) } : {}
  return route.handle({ ...request, ...streamed, signal })
}

/** Calls a route, and reads its answer to the end. */
export async function callAndRead(route: HttpRoute, example: HttpRouteExample, patience: Patience): Promise<SuiteAnswer> {
  const controller = new AbortController()
  return readAnswer(await call(route, example, controller.signal), controller, patience)
}

/** Whatever comes of work, as a value. */
export const settled = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => undefined,
    () => undefined,
  )

/** What a client sees of an answer, without the bytes of its transport and the comments that keep it open. */
export const contentOf = ({ json, bytes, events }: SuiteAnswer): string =>
  JSON.stringify([json, bytes && Buffer.from(bytes).toString('latin1'), events?.filter((event) => !('comment' in event))])
