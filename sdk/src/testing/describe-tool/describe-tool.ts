import { strict as assert } from 'node:assert'
import { checkTool } from '../../contracts/tool/check-tool.js'
import type { Tool, ToolContext, ToolResult } from '../../contracts/tool/tool.js'
import type { Problem } from '../../core/errors.js'
import type { JsonObject } from '../../core/json.js'
import { validate } from '../../core/validate.js'
import { visibleLine } from '../../core/visible-line.js'
import { createToolContext } from '../plugin-test/call-tool.js'
import { assertMembers, settleWithin } from '../settle-within.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'

/** Limits of the kinds of one call, as the service has them; keys and labels in UTF-16 code units. */
const maxScopes = 10
const maxKeyLength = 500
const maxLabelLength = 200

/** One call that the suite makes. Examples must be safe to run again and again. */
export interface ToolExample {
  /** Part of the test's title. */
  readonly title: string
  /** Fits the tool's parameters. */
  readonly input: JsonObject
  /** The tool returns an error for the model. */
  readonly isError?: boolean
  /** Further checks of the result. */
  check?(result: ToolResult): void
}

/** The options of {@link describeTool}. */
export interface ToolSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the tool. Called for each test. */
  create(): Tool
  /** At least one. */
  readonly examples: readonly ToolExample[]
  /** Changes to the context of the examples. */
  readonly context?: Partial<ToolContext>
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted call, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

/**
 * Tests every rule of the `tool` contract.
 *
 * @example
 * describeTool({
 *   name: 'roll_dice',
 *   create: createTool,
 *   examples: [{ title: 'two dice', input: { count: 2 } }],
 * })
 */
export function describeTool(options: ToolSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  runner.describe(`tool ${options.name}`, () => {
    describeDeclaration(options, runner)
    describeCalls(options, runner)
  })
}

function describeDeclaration({ create, examples }: ToolSuiteOptions, runner: SuiteRunner): void {
  const groups = {
    'has specVersion 1 and a name that models can call': ['/specVersion', '/name'],
    'has a title for people and a description for models': ['/title', '/description'],
    'has parameters that can be read as plain JSON and are closed': ['/parameters'],
    'states a known effect and a sensible time limit': ['/effect', '/timeoutMs'],
    'has probe exactly when it supports it, and always when it is checkable': ['/probe', '/supports'],
  }
  for (const [title, places] of Object.entries(groups)) runner.it(title, () => assert.deepEqual(problemsAt(create(), places), []))
  runner.it('has the members that a host accepts and no others', () => {
    const named = new Set(Object.values(groups).flatMap((places) => problemsAt(create(), places)))
    assert.deepEqual(
      checkTool(create())
        .map(wordsOf)
        .filter((problem) => !named.has(problem)),
      [],
    )
  })
  runner.it('decides synchronously which agents may have it', () => {
    for (const enabled of [true, false])
      for (const run of [{}, { reportsTo: null }, { reportsTo: { kind: 'tests.run', id: '1' } }]) {
        const agent = { id: 'agent-1', handle: 'assistant', userId: 'user-1', memory: { enabled }, ...run }
        const verdict: unknown = create().offered?.(agent) ?? true
        assert.equal(typeof verdict, 'boolean', 'offered must return true or false, not a promise')
      }
  })
  runner.it('has examples that its parameters accept', () => {
    assert.ok(examples.length > 0, 'examples is empty')
    for (const { input } of examples) assert.deepEqual(validate(create().parameters, input), [])
  })
}

/** The host's problems with these members. */
const problemsAt = (tool: Tool, places: readonly string[]): readonly string[] =>
  checkTool(tool)
    .filter(({ path }) => places.some((place) => path === place || path.startsWith(`${place}/`)))
    .map(wordsOf)

const wordsOf = ({ path, message }: Problem): string => `${path} ${message}`

function describeCalls(options: ToolSuiteOptions, runner: SuiteRunner): void {
  const { create, examples } = options
  const abortLimitMs = options.abortLimitMs ?? 2_000
  for (const example of examples) {
    runner.it(`answers: ${example.title}`, async () => {
      const result = await create().execute(structuredClone(example.input), contextOf(options))
      assert.ok(result.content.length > 0, 'the result is empty')
      assert.equal(result.isError ?? false, example.isError ?? false)
      example.check?.(result)
    })
    runner.it(`answers with plain data: ${example.title}`, async () => {
      const result = await create().execute(structuredClone(example.input), contextOf(options))
      assert.deepEqual(JSON.parse(JSON.stringify(result)), result)
    })
    runner.it(`answers with content of known types: ${example.title}`, async () => {
      const result = await create().execute(structuredClone(example.input), contextOf(options))
      assertMembers(result, ['content', 'isError'], 'the result')
      for (const [index, content] of result.content.entries()) assertContent(content, `content ${index}`)
    })
    runner.it(`asks its question synchronously: ${example.title}`, () => {
      const asked: unknown = create().asks?.(structuredClone(example.input))
      if (asked === undefined) return
      assert.ok(isObject(asked) && !('then' in asked), 'asks returned a promise; expected the question itself, or undefined')
      assertMembers(asked, ['question', 'options'], 'the question')
      assert.ok(isText(asked['question']), 'the question is not a text, or empty')
      const { options: choices = [] } = asked
      assert.ok(Array.isArray(choices) && choices.every(isText), 'the options are not a list of texts')
    })
    runner.it(`names well-formed kinds of calls: ${example.title}`, () => assertScopes(create().scopes?.(structuredClone(example.input))))
    runner.it(`says what exactly this call is: ${example.title}`, () => {
      const words: unknown = create().exactly?.(structuredClone(example.input)) ?? 'Exactly this call'
      assert.ok(words === false || isLine(words, maxLabelLength), `exactly returned ${shownValue(words)}; expected one line, or false`)
    })
    runner.it(`names the same kinds of the same call each time: ${example.title}`, () => {
      const tool = create()
      const input = structuredClone(example.input)
      const named = [tool.scopes?.(input), tool.exactly?.(input)]
      assert.deepEqual(input, example.input, 'naming kinds changed the input')
      for (const other of [tool, create()]) assert.deepEqual([other.scopes?.(input), other.exactly?.(input)], named)
    })
    runner.it(`does not change its input: ${example.title}`, async () => {
      const input = structuredClone(example.input)
      await create().execute(input, contextOf(options))
      assert.deepEqual(input, example.input)
    })
    runner.it(`has a purpose of one line: ${example.title}`, () => {
      const purpose = create().purpose?.(structuredClone(example.input))
      assert.ok(purpose === undefined || (purpose.trim() !== '' && !purpose.includes('\n')), 'the purpose is empty or has several lines')
    })
    runner.it(`ends when it is aborted: ${example.title}`, async () => {
      const controller = new AbortController()
      const call = create().execute(structuredClone(example.input), contextOf(options, controller.signal))
      controller.abort(new Error('stopped'))
      await settleWithin(call, abortLimitMs, 'the call')
    })
  }
  runner.it('can probe an unknown call, if it supports probe', async () => {
    const tool = create()
    if (!tool.probe) return
    const answer = await tool.probe('a-call-that-never-was', { signal: new AbortController().signal })
    assert.ok(answer === 'not_done' || answer === 'unknown', `it returned “${answer}” for an unknown call`)
  })
}

const contextOf = ({ context }: ToolSuiteOptions, signal: AbortSignal = new AbortController().signal): ToolContext =>
  createToolContext({ ...context, signal })

function assertScopes(scopes: unknown): void {
  if (scopes === undefined) return
  assert.ok(Array.isArray(scopes), `scopes returned ${shownValue(scopes)}; expected a list, not a promise`)
  assert.ok(scopes.length <= maxScopes, `scopes named ${scopes.length} kinds; at most ${maxScopes} are offered`)
  for (const [index, scope] of scopes.entries()) {
    assert.ok(isObject(scope), `the scope ${index} is not an object`)
    assertMembers(scope, ['key', 'label'], `the scope ${index}`)
    assert.ok(
      isText(scope['key']) && scope['key'].length <= maxKeyLength,
      `the key of the scope ${index} is not a text of 1 to ${maxKeyLength} characters`,
    )
    assert.ok(
      isLine(scope['label'], maxLabelLength),
      `the label of the scope ${index} is not one line of 1 to ${maxLabelLength} visible characters`,
    )
  }
  assert.equal(new Set(scopes.map(({ key }) => key)).size, scopes.length, 'two scopes have the same key')
}

/** The types of content and their required members. */
function assertContent(content: unknown, what: string): void {
  assert.ok(isObject(content), `${what} is not an object`)
  switch (content['type']) {
    case 'text':
      assertMembers(content, ['type', 'text'], what)
      assert.equal(typeof content['text'], 'string', `the text of ${what} is ${typeof content['text']}; expected a string`)
      break
    case 'image':
      assertMembers(content, ['type', 'media_type', 'data'], what)
      assert.match(
        String(content['media_type']),
        /^image\//,
        `the media type of ${what} is “${String(content['media_type'])}”; expected image/…`,
      )
      assert.match(String(content['data']), /^[A-Za-z0-9+/]+={0,2}$/, `the data of ${what} are not base64`)
      break
    case 'json':
      assertMembers(content, ['type', 'json'], what)
      assert.ok(isObject(content['json']), `the JSON of ${what} is not an object`)
      break
    default:
      assert.fail(`the type of ${what} is “${String(content['type'])}”; expected text, image or json`)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One line, with nothing that a screen hides or a terminal obeys. */
const isLine = (value: unknown, maxLength: number): boolean => isText(value) && value.length <= maxLength && visibleLine(value) === value

const shownValue = (value: unknown): string => (typeof value === 'string' ? `“${value}”` : Object.prototype.toString.call(value))

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
