import { strict as assert } from 'node:assert'
import type { HttpRoute, RouteResponse } from '../../contracts/http-route/route.js'
import { ServiceError } from '../../core/errors.js'
import type { TSchema } from '../../core/type.js'
import { validate } from '../../core/validate.js'
import { checkPortableSchema } from '../../manifest/portable-schema.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'
import { readAnswer, within } from './read-answer.js'
import type { HttpRouteExample, HttpRouteSuiteOptions, SuiteAnswer } from './suite-options.js'
import { bytesOf, suiteRequest } from './suite-request.js'

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

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
 * })
 */
export function describeHttpRoute(options: HttpRouteSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  const { method, path, auth } = options.create()
  runner.describe(`route ${options.name ?? `${method} ${path}`}`, () => {
    const unchecked = collectUncheckedRules(runner, `route ${options.name ?? `${method} ${path}`}`)
    if (options.stranger === undefined && auth !== 'public')
      unchecked.without('stranger', 'another user does not get what the user of the examples gets')
    describeDeclaration(options, runner)
    for (const example of options.examples) describeExample(options, runner, example)
  })
}

function describeDeclaration({ create, examples }: HttpRouteSuiteOptions, runner: SuiteRunner): void {
  runner.it('has specVersion 1, and a method and a path that the host accepts', () => {
    const { specVersion, method, path } = create()
    assert.equal(specVersion, 1)
    assert.ok(methods.has(method), `“${method}” is not a valid method of a route`)
    assertPath(path)
  })
  runner.it('has an operationId in camelCase and a summary of one line', () => {
    const { operationId, summary } = create()
    assertNames(operationId, summary)
  })
  runner.it('has schemas that can be read as plain JSON', () => {
    for (const [where, schema] of schemasOf(create())) assert.deepEqual(checkPortableSchema(schema, where), [])
  })
  runner.it('declares the parameters of its path, and refuses unknown query parameters and body members', () => {
    const { path, params, query, body } = create()
    if (params) assert.deepEqual(Object.keys(params.properties).sort(), parameterNamesOf(path).sort())
    assertClosed('the query', query)
    if (body?.kind === 'json') assertClosed('the body', body.schema)
  })
  runner.it('has examples that its schemas accept', () => {
    assert.ok(examples.length > 0, 'examples is empty')
    for (const example of examples) assertExample(create(), example)
  })
  runner.it('declares the answers of its examples', () => {
    const { answers } = create()
    for (const { status, code, title } of examples)
      if (code === undefined) assert.ok(answers[status], `the answer ${status} of “${title}” is not declared`)
  })
}

function describeExample(options: HttpRouteSuiteOptions, runner: SuiteRunner, example: HttpRouteExample): void {
  const { title, code } = example
  const patience = { abortLimitMs: options.abortLimitMs ?? 2_000, quietMs: options.quietMs ?? 100 }
  const answer = async (): Promise<{ readonly route: HttpRoute; readonly response: RouteResponse; readonly read: SuiteAnswer }> => {
    const route = options.create()
    const controller = new AbortController()
    const response = await call(route, example, controller.signal)
    return { route, response, read: await readAnswer(response, controller, patience) }
  }
  if (code !== undefined) {
    runner.it(`refuses: ${title}`, async () => {
      const error = await call(options.create(), example).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      assert.ok(error !== undefined, `it answered; expected the problem ${code}`)
      assert.ok(ServiceError.isInstance(error), `it threw ${String(error)}, which becomes 500; throw an error made with defineError`)
      assert.deepEqual({ status: error.status, code: error.code }, { status: example.status, code })
    })
  } else {
    runner.it(`answers: ${title}`, async () => {
      const { read } = await answer()
      assert.equal(read.status, example.status)
      example.check?.(read)
    })
    runner.it(`answers as it declares: ${title}`, async () => {
      const { route, response } = await answer()
      assertDeclared(route, response)
      assertHeaders(response)
    })
    describeBeside(options, runner, example)
  }
  runner.it(`does not change its request: ${title}`, async () => {
    const route = options.create()
    const request = suiteRequest(route, example)
    const before = structuredClone(request)
    await settled(call(route, example, undefined, request))
    assert.deepEqual(request, before)
  })
  runner.it(`ends when it is aborted: ${title}`, async () => {
    for (const isBefore of [true, false]) {
      const controller = new AbortController()
      if (isBefore) controller.abort(new Error('The client went away.'))
      const work = call(options.create(), example, controller.signal).then((response) => readAnswer(response, controller, patience))
      controller.abort(new Error('The client went away.'))
      const end = await within(settled(work), patience.abortLimitMs + patience.quietMs)
      assert.ok(end, `the request continued for ${patience.abortLimitMs} ms after its abort`)
    }
  })
}

/** Rules for an answer beside others: of the same route, of other requests, of another user. */
function describeBeside(options: HttpRouteSuiteOptions, runner: SuiteRunner, example: HttpRouteExample): void {
  const { create, examples, stranger } = options
  const patience = { abortLimitMs: options.abortLimitMs ?? 2_000, quietMs: options.quietMs ?? 100 }
  const read = async (route: HttpRoute, each: HttpRouteExample): Promise<SuiteAnswer> => {
    const controller = new AbortController()
    return readAnswer(await call(route, each, controller.signal), controller, patience)
  }
  const isRead = create().method === 'GET'
  runner.it(`answers each of several requests at once as if it were alone, if it reads: ${example.title}`, async () => {
    if (!isRead) return
    const route = create()
    const answered = [example, ...examples].filter(({ code }) => code === undefined)
    const answers = await Promise.all(answered.map((each) => read(route, each)))
    for (const [index, each] of answered.entries()) {
      const came = answers[index]
      if (came === undefined) continue
      assert.equal(came.status, each.status, `the status of “${each.title}”`)
      each.check?.(came)
    }
  })
  runner.it(`does not change an answer that it has given: ${example.title}`, async () => {
    const route = create()
    const response = await call(route, example)
    if (response.kind !== 'json' && response.kind !== 'bytes') return
    const kept = structuredClone(response)
    for (const other of examples) await settled(call(route, other))
    assert.deepEqual(response, kept, 'a later request changed an earlier answer')
  })
  runner.it(`gives a stranger nothing of what the user gets: ${example.title}`, async () => {
    if (stranger === undefined) return
    const route = create()
    const own = await read(route, example)
    const foreign = await read(route, { ...example, principal: stranger }).catch((error: unknown) => {
      if (ServiceError.isInstance(error)) return undefined
      throw error
    })
    if (foreign === undefined || foreign.status === 204) return
    const contentOf = ({ json, bytes, events }: SuiteAnswer): string => JSON.stringify([json, bytes && [...bytes], events])
    assert.notEqual(contentOf(foreign), contentOf(own), 'a stranger got the answer of the user')
  })
}

async function call(
  route: HttpRoute,
  example: HttpRouteExample,
  signal: AbortSignal = new AbortController().signal,
  request = suiteRequest(route, example),
): Promise<RouteResponse> {
  const streamed = route.body?.kind === 'stream' ? { bodyStream: bytesOf(example.bytes ?? []) } : {}
  return route.handle({ ...request, ...streamed, signal })
}

const settled = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => undefined,
    () => undefined,
  )

/** @throws for a path that the host refuses. */
export function assertPath(path: string): void {
  assert.match(path, /^(\/([A-Za-z0-9._~!$&'()*+,;=:@-]+|\{[a-z][a-z0-9_]*\}))+$/)
  const names = parameterNamesOf(path)
  assert.equal(new Set(names).size, names.length, 'the path has a parameter twice')
}

/** @throws for names that the OpenAPI document cannot have. */
export function assertNames(operationId: string, summary: string): void {
  assert.match(operationId, /^[a-z][A-Za-z0-9]*$/)
  assert.ok(summary.trim() !== '' && !summary.includes('\n'), 'the summary is empty or has several lines')
}

/** The names of a path's parameters. */
export const parameterNamesOf = (path: string): string[] => [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)

/** @throws for an object schema that accepts unknown members. */
export function assertClosed(what: string, schema: TSchema | undefined): void {
  const { type, additionalProperties } = (schema ?? {}) as { readonly type?: unknown; readonly additionalProperties?: unknown }
  if (type === 'object') assert.notEqual(additionalProperties, true, `${what} accepts unknown members`)
  if (type === 'object')
    assert.notEqual(additionalProperties, undefined, `${what} accepts unknown members; set additionalProperties: false`)
}

function schemasOf({ params, query, body, answers }: HttpRoute): readonly (readonly [string, unknown])[] {
  const answered = Object.entries(answers).map(([status, { schema }]) => [`/answers/${status}/schema`, schema] as const)
  const sent = body?.kind === 'json' ? [['/body/schema', body.schema] as const] : []
  return [['/params', params] as const, ['/query', query] as const, ...sent, ...answered].filter(([, schema]) => schema !== undefined)
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
