import { strict as assert } from 'node:assert'
import { onAbort } from '../../async/index.js'
import { checkHttpRoute } from '../../contracts/http-route/check-http-route.js'
import type { HttpRoute, RouteCookie, RouteResponse } from '../../contracts/http-route/route.js'
import { ServiceError } from '../../core/errors.js'
import type { TSchema } from '../../core/type.js'
import { validate } from '../../core/validate.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules, givenInput, type UncheckedRules } from '../unchecked-rules.js'
import { describeBeside } from './beside.js'
import { describeEffects } from './effects.js'
import { readAnswer } from './read-answer.js'
import { describeStreams } from './streams.js'
import { call, callAndRead, openSuite, type RouteSuite, settled, underTest } from './suite-bench.js'
import type { HttpRouteExample, HttpRouteSuiteOptions } from './suite-options.js'
import { suiteRequest } from './suite-request.js'

/**
 * Tests every rule of the `http.route` contract, without a kernel: the suite makes the
 * requests that the host would make.
 *
 * @example
 * describeHttpRoute({
 *   create: createRoute,
 *   examples: [
 *     { title: 'two dice', params: { count: 2 }, status: 200 },
 *     { title: 'too many dice', params: { count: 101 }, status: 400, code: 'invalid_request' },
 *   ],
 *   stranger: 'not applicable',
 *   secrets: [],
 * })
 */
export function describeHttpRoute(options: HttpRouteSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  const { route, close } = underTest(options.create())
  const title = `route ${options.name ?? `${route.method} ${route.path}`}`
  runner.describe(title, () => {
    if (close) runner.after(() => close())
    const unchecked = collectUncheckedRules(runner, title)
    noteAbsentInputs(options, route, unchecked)
    const suite = openSuite(options, unchecked)
    describeDeclaration(suite)
    for (const example of options.examples) {
      if (example.code === undefined) describeAnswer(suite, example)
      else describeRefusal(suite, { ...example, code: example.code })
      describeRequest(suite, example)
    }
    describeEffects(suite)
  })
}

function noteAbsentInputs({ stranger, withheld, secrets }: HttpRouteSuiteOptions, { auth }: HttpRoute, unchecked: UncheckedRules): void {
  if (stranger === undefined && auth !== 'public')
    unchecked.without('stranger', 'another user does not get what the user of the examples gets')
  if (givenInput(stranger) !== undefined && withheld === undefined) unchecked.without('withheld', 'another user gets no part of it')
  if (secrets === undefined) unchecked.without('secrets', 'no answer and no problem has a secret')
}

function describeDeclaration({ using, examples, runner }: RouteSuite): void {
  runner.it(soundTitle, () => using(async ({ route }) => assertSound(checkHttpRoute(route))))
  runner.it('refuses unknown query parameters and body members', () =>
    using(async ({ route: { query, body } }) => {
      assertClosed('the query', query)
      if (body?.kind === 'json') assertClosed('the body', body.schema)
    }),
  )
  runner.it('has examples that its schemas accept', () =>
    using(async ({ route }) => {
      assert.ok(examples.length > 0, 'examples is empty')
      for (const example of examples) assertExample(route, example)
    }),
  )
  runner.it('declares the answers of its examples', () =>
    using(async ({ route: { answers } }) => {
      for (const { status, code, title } of examples)
        if (code === undefined) assert.ok(answers[status], `the answer ${status} of “${title}” is not declared`)
    }),
  )
  runner.it('lists the errors of its examples that clients see only then', () =>
    using(async ({ route: { errors = [] } }) => {
      for (const { status, code, title } of examples) {
        const isListed = errors.some((error) => error.code === code && error.status === status)
        if (code !== undefined && isHidden(status))
          assert.ok(isListed, `clients see “internal_error” in place of ${code} (“${title}”) until “errors” of the route lists it`)
      }
    }),
  )
}

/** The statuses of errors that the host shows only where the route lists them. */
const isHidden = (status: number): boolean => status > 500 && status !== 503 && status !== 507

function describeRefusal(
  { runner, using, patience, secrets }: RouteSuite,
  { code, ...example }: HttpRouteExample & { readonly code: string },
): void {
  runner.it(`refuses: ${example.title}`, () =>
    using(async ({ route }) => {
      const error = await callAndRead(route, example, patience).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      assert.ok(error !== undefined, `it answered; expected the problem ${code}`)
      assert.ok(ServiceError.isInstance(error), `it threw ${String(error)}, which becomes 500; throw an error made with defineError`)
      assert.deepEqual({ status: error.status, code: error.code }, { status: example.status, code })
    }),
  )
  runner.it(`refuses without a secret: ${example.title}`, () =>
    using(async ({ route }) => {
      const error: unknown = await callAndRead(route, example, patience).catch((thrown: unknown) => thrown)
      secrets.assertNone(error, 'the problem')
    }),
  )
}

function describeAnswer(suite: RouteSuite, example: HttpRouteExample): void {
  const { runner, using, patience, secrets } = suite
  runner.it(`answers: ${example.title}`, () =>
    using(async ({ route }) => {
      const answer = await callAndRead(route, example, patience)
      assert.equal(answer.status, example.status)
      example.check?.(answer)
    }),
  )
  runner.it(`answers as it declares: ${example.title}`, () =>
    using(async ({ route }) => {
      const controller = new AbortController()
      const response = await call(route, example, controller.signal)
      await readAnswer(response, controller, patience)
      assertDeclared(route, response)
      assertHeaders(response)
      response.cookies?.forEach(assertCookie)
    }),
  )
  runner.it(`answers without a secret: ${example.title}`, () =>
    using(async ({ route }) => {
      const controller = new AbortController()
      const response = await call(route, example, controller.signal)
      const { bytes, ...answer } = await readAnswer(response, controller, patience)
      secrets.assertNone({ ...answer, cookies: response.cookies }, 'the answer')
      if (bytes) secrets.assertNone(Buffer.from(bytes).toString(), 'the answer')
    }),
  )
  describeBeside(suite, example)
  describeStreams(suite, example)
}

function describeRequest({ runner, using, patience }: RouteSuite, example: HttpRouteExample): void {
  const { title } = example
  runner.it(`does not change its request: ${title}`, () =>
    using(async ({ route }) => {
      const request = suiteRequest(route, example)
      const before = structuredClone(request)
      await settled(call(route, example, undefined, request))
      assert.deepEqual(request, before)
    }),
  )
  runner.it(`ends when it is aborted: ${title}`, async () => {
    for (const moment of momentsOfAbort)
      await using(({ route }) =>
        abortAt(moment, (signal) => callAndReadUntil(route, example, signal), {
          limitMs: patience.abortLimitMs + patience.quietMs,
          what: 'the request',
        }),
      )
  })

  /** The signal is the client's: it goes away. */
  async function callAndReadUntil(route: HttpRoute, each: HttpRouteExample, signal: AbortSignal): Promise<unknown> {
    const controller = new AbortController()
    onAbort(signal, () => controller.abort(signal.reason))
    // The limit of the abort is that of the test, not that of the reader.
    const reader = { ...patience, abortLimitMs: 2 * patience.abortLimitMs }
    return readAnswer(await call(route, each, controller.signal), controller, reader)
  }
}

/** @throws for an object schema that accepts unknown members. */
export function assertClosed(what: string, schema: TSchema | undefined): void {
  const { type, additionalProperties } = (schema ?? {}) as { readonly type?: unknown; readonly additionalProperties?: unknown }
  if (type === 'object') assert.notEqual(additionalProperties, true, `${what} accepts unknown members`)
  if (type === 'object')
    assert.notEqual(additionalProperties, undefined, `${what} accepts unknown members; set additionalProperties: false`)
}

function assertExample({ params, query, body }: HttpRoute, example: HttpRouteExample): void {
  const { title } = example
  const fits = (what: string, schema: TSchema | undefined, value: unknown): void => {
    if (schema) assert.deepEqual(validate(schema, value), [], `the ${what} of “${title}” does not fit its schema`)
  }
  fits('params', params, example.params ?? {})
  fits('query', query, example.query ?? {})
  if (!query) assert.deepEqual(Object.keys(example.query ?? {}), [], `“${title}” has a query, but the route takes none`)
  if (body?.kind === 'json') fits('body', body.schema, example.body)
  else assert.equal(example.body, undefined, `“${title}” has a JSON body, but the route takes none`)
}

/** Fails for headers that could end the head of the answer, or begin another one. */
function assertHeaders({ headers = {} }: RouteResponse): void {
  for (const [name, value] of Object.entries(headers)) {
    assert.match(name, /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, `“${name}” is no name of a header`)
    assert.match(String(value), /^[\t\x20-\x7e\x80-\xff]*$/, `the header “${name}” has characters that no header may have`)
  }
}

/** Fails for a cookie that the host cannot set. */
function assertCookie({ name, value, path, maxAgeSeconds }: RouteCookie): void {
  assert.match(name, /^[A-Za-z0-9_-]{1,64}$/, 'the name of a cookie has 1 to 64 letters, digits, “-” and “_”')
  assert.match(
    value,
    /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/,
    `the value of the cookie “${name}” has characters that no cookie may have`,
  )
  assert.match(path, /^\/[^;\s]*$/, `the path of the cookie “${name}” does not begin with “/”`)
  assert.ok(Number.isSafeInteger(maxAgeSeconds) && maxAgeSeconds >= 0, `the cookie “${name}” lasts ${maxAgeSeconds} seconds`)
}

function assertDeclared({ answers }: HttpRoute, response: RouteResponse): void {
  const declared = answers[response.status]
  assert.ok(declared, `the answer ${response.status} is not declared`)
  if (response.kind === 'json') {
    assert.ok(declared.schema, `a JSON answer is not declared for ${response.status}`)
    const wire: unknown = JSON.parse(JSON.stringify(response.json))
    assert.deepEqual(validate(declared.schema, wire), [], 'the answer does not fit its schema')
    assert.deepEqual(wire, response.json, 'the answer is not plain JSON')
    return
  }
  const actual =
    response.kind === 'events' ? 'text/event-stream' : response.kind === 'empty' ? undefined : response.contentType.split(';')[0]
  const wanted = declared.contentType
  if (declared.schema && wanted === undefined) assert.fail(`a JSON answer is declared for ${response.status}, not ${response.kind}`)
  const open = actual !== undefined && (wanted === '*/*' || wanted === 'application/octet-stream')
  assert.ok(open || actual === wanted, `the content type ${actual ?? '(none)'} is not the declared ${wanted ?? '(none)'}`)
}
