import { strict as assert } from 'node:assert'
import type { CliCommand, CommandContext } from '../../contracts/cli-command/index.js'
import type { JsonValue } from '../../core/json.js'
import { assertMembers, settleWithin } from '../settle-within.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'

/** One call that the suite makes. Examples must be safe to run again and again. */
export interface CommandExample {
  /** Stands in the title of the test. */
  readonly title: string
  /** Positional arguments. Default none. */
  readonly arguments?: readonly string[]
  /** Options by their long name. Default none. */
  readonly options?: Readonly<Record<string, string | boolean>>
  /** What the service answers to a request. Default: null. */
  answer?(method: string, path: string, body?: JsonValue): JsonValue | Promise<JsonValue>
  /** What the person types, question by question. Default: nothing. */
  readonly typed?: readonly string[]
  /** The exit status. Default 0. */
  readonly status?: 0 | 1
  /** Looks at what was printed and the value beyond the contract. */
  check?(outcome: { readonly lines: readonly string[]; readonly json: JsonValue | undefined }): void
}

/** The options of {@link describeCliCommand}. */
export interface CommandSuiteOptions {
  /** Stands in the titles. */
  readonly name: string
  /** Makes the command. Called for each test anew. */
  create(): CliCommand
  /** At least one. */
  readonly examples: readonly CommandExample[]
  /** Default: the test framework on the global object. */
  readonly runner?: SuiteRunner
  /** The longest that an aborted command may take to end, in milliseconds. Default 5,000, as in the program. */
  readonly abortLimitMs?: number
}

const members = ['specVersion', 'name', 'summary', 'arguments', 'options', 'run']
const reserved = /^(help|json|url|username|no-.*)$/

/**
 * Every promise of the `cli.command` contract as tests.
 *
 * @example
 * describeCliCommand({
 *   name: 'dice',
 *   create: createCommand,
 *   examples: [{ title: 'two dice', arguments: ['2'], status: 0 }],
 * })
 */
export function describeCliCommand(options: CommandSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  runner.describe(`command ${options.name}`, () => {
    describeDeclaration(options, runner)
    for (const example of options.examples) describeExample(options, runner, example)
  })
}

function describeDeclaration({ create, examples }: CommandSuiteOptions, runner: SuiteRunner): void {
  runner.it('has specVersion 1, a name of one or two words, a summary, and nothing unknown', () => {
    const command = create()
    assert.equal(command.specVersion, 1)
    assert.match(
      command.name,
      /^[a-z][a-z0-9-]*( [a-z][a-z0-9-]*)?$/,
      `the name is “${command.name}”; expected are one or two lower-case words`,
    )
    assert.match(
      command.summary,
      /^[^\n]*[^\n.]$/,
      `the summary is “${command.summary}”; expected is one line without a full stop at its end`,
    )
    assertMembers(command, members, 'the command')
  })
  runner.it('has required arguments first, and options that are its own', () => {
    const { arguments: positional = [], options = [] } = create()
    const firstOptional = positional.findIndex(({ required }) => !required)
    assert.ok(
      firstOptional < 0 || positional.slice(firstOptional).every(({ required }) => !required),
      'a required argument follows an optional one',
    )
    for (const { name } of options) {
      assert.match(name, /^[a-z][a-z0-9-]*$/, `“${name}” is not a long name of an option`)
      assert.doesNotMatch(name, reserved, `“${name}” is an option of the program`)
    }
    assert.equal(new Set(options.map(({ name }) => name)).size, options.length, 'two options have one name')
  })
  runner.it('has examples', () => {
    assert.ok(examples.length > 0, 'examples is empty')
  })
}

function describeExample({ create, abortLimitMs = 5_000 }: CommandSuiteOptions, runner: SuiteRunner, example: CommandExample): void {
  runner.it(`ends with its status and a plain value: ${example.title}`, async () => {
    const lines: string[] = []
    const result = await create().run(contextOf(example, lines, new AbortController().signal))
    assertMembers(result, ['status', 'json'], 'the result')
    assert.equal(result.status, example.status ?? 0, `the status is ${result.status}; expected is ${example.status ?? 0}`)
    if ('json' in result) assert.deepEqual(JSON.parse(JSON.stringify(result.json ?? null)), result.json, 'the value is not plain JSON')
    for (const line of lines)
      assert.ok(typeof line === 'string' && !line.includes('\n'), `print got ${JSON.stringify(line)}; expected is one line`)
    example.check?.({ lines, json: result.json })
  })
  runner.it(`ends when it is aborted: ${example.title}`, async () => {
    const controller = new AbortController()
    const run = create().run(contextOf(example, [], controller.signal))
    controller.abort(new Error('stopped'))
    await settleWithin(run, abortLimitMs, 'the command')
  })
}

function contextOf(example: CommandExample, lines: string[], signal: AbortSignal): CommandContext {
  const typed = [...(example.typed ?? [])]
  return {
    arguments: example.arguments ?? [],
    options: example.options ?? {},
    signal,
    print: async (line) => void lines.push(line),
    async ask(question) {
      const answer = typed.shift()
      if (answer === undefined) throw new Error(`The example types nothing to “${question}”. Add it to typed.`)
      return answer
    },
    request: async (method, path, body) => (await example.answer?.(method, path, body)) ?? null,
  }
}
