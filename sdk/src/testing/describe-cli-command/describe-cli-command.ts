import { strict as assert } from 'node:assert'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { checkCliCommand } from '../../contracts/cli-command/check-cli-command.js'
import type { CliCommand } from '../../contracts/cli-command/index.js'
import type { Problem } from '../../core/errors.js'
import type { JsonValue } from '../../core/json.js'
import { assertMembers, settleWithin } from '../settle-within.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { createTestCommand, type TestCommand, type TestCommandOptions } from './create-test-command.js'

/** One call that the suite makes. Examples must be safe to run again and again. */
export interface CommandExample extends TestCommandOptions {
  /** Part of the test's title. */
  readonly title: string
  /** The lines of standard input; then the input ends. Default: none. */
  readonly typed?: readonly string[]
  /** The exit status. Default 0. */
  readonly status?: 0 | 1
  /** Further checks of the output and the value. */
  check?(outcome: {
    readonly lines: readonly string[]
    readonly warnings: readonly string[]
    /** All of standard output. */
    readonly output: string
    readonly json: JsonValue | undefined
  }): void
}

/** The options of {@link describeCliCommand}. */
export interface CommandSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the command. Called for each test. */
  create(): CliCommand
  /** At least one. */
  readonly examples: readonly CommandExample[]
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /**
   * The limit for the end of an aborted command, in milliseconds. Default 5,000, as in the program.
   */
  readonly abortLimitMs?: number
}

const members = ['specVersion', 'name', 'summary', 'arguments', 'options', 'run']
const reserved = /^(help|json|url|username|no-.*)$/

/** What the kernel refuses of a part of a command, as it does when a plugin contributes it. */
const refused = (command: CliCommand, part: RegExp): readonly Problem[] => checkCliCommand(command).filter(({ path }) => part.test(path))

/**
 * Tests every rule of the `cli.command` contract.
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
      `the name is “${command.name}”; expected one or two lower-case words`,
    )
    assert.match(command.summary, /^[^\n]*[^\n.]$/, `the summary is “${command.summary}”; expected one line without a full stop at its end`)
    assertMembers(command, members, 'the command')
    assert.deepEqual(refused(command, /^\/(specVersion|name|summary|run)/), [], 'the kernel refuses it')
  })
  runner.it('has required arguments first, and options that are its own', () => {
    const command = create()
    const { arguments: positional = [], options = [] } = command
    const firstOptional = positional.findIndex(({ required }) => !required)
    assert.ok(
      firstOptional < 0 || positional.slice(firstOptional).every(({ required }) => !required),
      'a required argument follows an optional one',
    )
    for (const { name } of options) {
      assert.match(name, /^[a-z][a-z0-9-]*$/, `“${name}” is not a long name of an option`)
      assert.doesNotMatch(name, reserved, `“${name}” is a reserved option of the program`)
    }
    assert.equal(new Set(options.map(({ name }) => name)).size, options.length, 'two options have the same name')
    assert.deepEqual(refused(command, /^\/(arguments|options)/), [], 'the kernel refuses them')
  })
  runner.it('has examples', () => {
    assert.ok(examples.length > 0, 'examples is empty')
  })
}

/** Turns of the event loop until a command waits. */
const turnsUntilWaiting = 20

function describeExample({ create, abortLimitMs = 5_000 }: CommandSuiteOptions, runner: SuiteRunner, example: CommandExample): void {
  runner.it(`ends with its status and a plain value: ${example.title}`, async () => {
    const test = begin(example)
    test.endInput()
    const result = await create().run(test.context)
    assertMembers(result, ['status', 'json'], 'the result')
    assert.equal(result.status, example.status ?? 0, `the status is ${result.status}; expected ${example.status ?? 0}`)
    if ('json' in result) assert.deepEqual(JSON.parse(JSON.stringify(result.json ?? null)), result.json, 'the value is not plain JSON')
    for (const [method, written] of Object.entries({ print: test.lines, warn: test.warnings }))
      for (const line of written)
        assert.ok(typeof line === 'string' && !line.includes('\n'), `${method} got ${JSON.stringify(line)}; expected one line`)
    example.check?.({ lines: test.lines, warnings: test.warnings, output: test.output(), json: result.json })
  })
  runner.it(`runs again as if it had never run: ${example.title}`, async () => {
    const command = create()
    const outcomes: unknown[] = []
    for (const _time of [1, 2]) {
      const test = begin(example)
      test.endInput()
      const { status } = await command.run(test.context)
      outcomes.push({ status, lines: test.lines.length, warnings: test.warnings.length })
    }
    assert.deepEqual(outcomes[1], outcomes[0], 'the second run of the same command differs from the first')
  })
  runner.it(`leaves no stream open: ${example.title}`, async () => {
    const test = begin(example)
    test.endInput()
    await create()
      .run(test.context)
      .catch(() => undefined)
    await nextTurn()
    assert.equal(test.openStreams(), 0, 'events or interrupts are still being read after the end')
  })
  runner.it(`ends when it is aborted: ${example.title}`, async () => {
    for (const turns of [-1, 0, turnsUntilWaiting]) {
      const test = begin(example)
      if (turns < 0) test.abort()
      const run = create().run(test.context)
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      test.abort()
      await settleWithin(run, abortLimitMs, 'the command')
    }
  })
}

function begin(example: CommandExample): TestCommand {
  const test = createTestCommand(example)
  for (const line of example.typed ?? []) test.type(line)
  return test
}
