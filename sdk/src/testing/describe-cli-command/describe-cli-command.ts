import { strict as assert } from 'node:assert'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { checkCliCommand } from '../../contracts/cli-command/check-cli-command.js'
import type { CliCommand, CommandContext } from '../../contracts/cli-command/index.js'
import { type Problem, ServiceError } from '../../core/errors.js'
import type { JsonValue } from '../../core/json.js'
import { pass } from '../event-loop-turns.js'
import { leavesProcessAlone, withoutOutput } from '../process-watch.js'
import { assertMembers, settleWithin } from '../settle-within.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules, type NotApplicable } from '../unchecked-rules.js'
import { createTestCommand, type TestCommand, type TestCommandOptions } from './create-test-command.js'

/** One call of the service that a command has made. */
export interface CommandRequest {
  /** As the command gave it. */
  readonly method: string
  /** As the command gave it, with its query. */
  readonly path: string
  /** Of `request` and `requestText`; absent without one. */
  readonly body?: JsonValue
}

/** One call that the suite makes. Examples must be safe to run again and again. */
export interface CommandExample extends TestCommandOptions {
  /** Part of the test's title. */
  readonly title: string
  /** The lines of standard input; then the input ends. Default: none. */
  readonly typed?: readonly string[]
  /** The exit status. Default 0. */
  readonly status?: 0 | 1
  /** Further checks of the output, the value and what the service was asked. */
  check?(outcome: {
    /** What was asked with `request`, `requestText` and `transfer`, in order. */
    readonly requests: readonly CommandRequest[]
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
  /** `not applicable`: with `--json` the command has nothing for a program, whatever it prints for people. Default: it has. */
  readonly json?: NotApplicable
  /** `works`: the command does its work without the service, too. Default: where calls of the service fail, it fails. */
  readonly withoutService?: 'works'
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
    const unchecked = collectUncheckedRules(runner, `command ${options.name}`)
    if (options.examples.every(({ check }) => check === undefined))
      unchecked.without('check of an example', 'the command asks the service, prints and returns the right thing')
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
  runner.it('has examples, each of them a call that the program would make', () => {
    assert.ok(examples.length > 0, 'examples is empty')
    const { arguments: positional = [], options = [] } = create()
    const required = positional.filter((argument) => argument.required).length
    for (const { title, arguments: given = [], options: chosen = {} } of examples) {
      const count = `${title}: ${given.length} arguments are given, and the command declares ${required} to ${positional.length}`
      assert.ok(given.length >= required && given.length <= positional.length, count)
      for (const [name, value] of Object.entries(chosen)) {
        const option = options.find((declared) => declared.name === name)
        assert.ok(option, `${title}: the command declares no option --${name}`)
        const expected = option.value === undefined ? 'boolean' : 'string'
        assert.equal(typeof value, expected, `${title}: --${name} has a ${typeof value}; as it is declared it has a ${expected}`)
      }
    }
  })
}

/** Turns of the event loop until a command waits. */
const turnsUntilWaiting = 20

function describeExample(options: CommandSuiteOptions, runner: SuiteRunner, example: CommandExample): void {
  const { create } = options
  // First, so that what a command changes for good has not been changed before.
  runner.it(`prints through its context alone, and leaves the process as it was: ${example.title}`, async () => {
    const call = async (): Promise<unknown> => begin(example).run(create())
    await withoutOutput(() => leavesProcessAlone(call))
  })
  runner.it(`ends with its status and a plain value: ${example.title}`, async () => {
    const call = begin(example)
    const result = await call.run(create())
    assertResult(result, example)
    assertLines(call, example)
    const { lines, warnings, output } = call.test
    example.check?.({ requests: call.requests, lines, warnings, output: output(), json: result.json })
  })
  runner.it(`runs again as if it had never run: ${example.title}`, async () => {
    const command = create()
    const outcomes: unknown[] = []
    for (const _time of [1, 2]) {
      const { test, run } = begin(example)
      const { status } = await run(command)
      outcomes.push({ status, lines: test.lines.length, warnings: test.warnings.length })
    }
    assert.deepEqual(outcomes[1], outcomes[0], 'the second run of the same command differs from the first')
  })
  runner.it(`has for a program what it has for people, with --json: ${example.title}`, () => assertJson(options, example))
  runner.it(`waits for each answer of the service: ${example.title}`, async () => {
    const call = begin(example)
    await call.run(create()).catch(() => undefined)
    const open = call.pending().map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(open, [], 'the command has ended, and with it the program, before the answer to these')
  })
  runner.it(`does not report success while the service fails: ${example.title}`, () => assertHonest(options, example))
  describeEnd(options, runner, example)
}

function describeEnd({ create, abortLimitMs = defaultLimitMs }: CommandSuiteOptions, runner: SuiteRunner, example: CommandExample): void {
  runner.it(`leaves no stream open: ${example.title}`, async () => {
    const { test, run } = begin(example)
    await run(create()).catch(() => undefined)
    await nextTurn()
    assert.equal(test.openStreams(), 0, 'events or interrupts are still being read after the end')
  })
  runner.it(`ends when it is aborted: ${example.title}`, async () => {
    for (const turns of [-1, 0, turnsUntilWaiting]) {
      const { test, requests, run } = begin(example, { open: true })
      if (turns < 0) test.abort()
      const running = run(create())
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      test.abort()
      await settleWithin(running, abortLimitMs, 'the command')
      const asked = requests.length
      await pass()
      assert.equal(requests.length, asked, 'the command asks the service for more after its end')
    }
  })
}

const defaultLimitMs = 5_000

type Result = Awaited<ReturnType<CliCommand['run']>>

function assertResult(result: Result, example: CommandExample): void {
  assertMembers(result, ['status', 'json'], 'the result')
  assert.equal(result.status, example.status ?? 0, `the status is ${result.status}; expected ${example.status ?? 0}`)
  if ('json' in result) assert.deepEqual(JSON.parse(JSON.stringify(result.json ?? null)), result.json, 'the value is not plain JSON')
}

function assertLines({ test, requests, answers }: Call, example: CommandExample): void {
  for (const [method, written] of Object.entries({ print: test.lines, warn: test.warnings }))
    for (const line of written)
      assert.ok(typeof line === 'string' && !line.includes('\n'), `${method} got ${JSON.stringify(line)}; expected one line`)
  // What an example brings itself is shown with visible control characters, as it should be.
  const brought = JSON.stringify([example, requests, answers])
  const isOwn = !brought.includes(JSON.stringify(escapeCharacter).slice(1, -1))
  const written = [...test.warnings, test.output()].join('\n')
  assert.ok(
    !isOwn || !written.includes(escapeCharacter),
    'an escape sequence is printed, which the terminal shows as text; use the option “style”',
  )
}

const escapeCharacter = '\u001b'

async function assertJson({ create, json }: CommandSuiteOptions, example: CommandExample): Promise<void> {
  const people = begin(example)
  await people.run(create())
  const program = begin({ ...example, json: true })
  // A command may refuse --json, with an error that a person understands.
  const result = await program.run(create()).catch((error: unknown) => {
    if (ServiceError.isInstance(error)) return undefined
    throw error
  })
  if (result === undefined) return
  assertResult(result, example)
  const { records } = program.test
  assert.deepEqual(JSON.parse(JSON.stringify(records)), records, 'a record is not plain JSON')
  const hasValue = result.json !== undefined || records.length > 0
  if (json === 'not applicable') assert.ok(!hasValue, 'json is “not applicable”, and there is a value')
  else if (result.status === 0 && people.test.output() !== '')
    assert.ok(
      hasValue,
      'people read something, and a program gets nothing: return { status, json }, use record, or give json: “not applicable”',
    )
}

/** Runs an example while the service is out of reach, and while one change after the other fails. */
async function assertHonest(options: CommandSuiteOptions, example: CommandExample): Promise<void> {
  if (options.withoutService === 'works' || example.status === 1) return
  const whole = begin(example)
  await whole.run(options.create())
  const changes = whole.requests.filter(isChange).length
  await assertFails(options, example, () => unreachable())
  for (let failing = 0; failing < Math.min(changes, maxChanges); failing += 1) {
    let change = -1
    let failed: CommandRequest | undefined
    await assertFails(options, example, (request) => {
      if (!isChange(request)) return undefined
      change += 1
      if (change === failing) failed = request
      // A command may try again, which fails as well.
      return failed !== undefined && isDeepStrictEqual(request, failed) ? broken() : undefined
    })
  }
}

const maxChanges = 5
const isChange = ({ method }: CommandRequest): boolean => !['GET', 'HEAD'].includes(method.toUpperCase())
const unreachable = (): ServiceError =>
  new ServiceError({ code: 'service_unreachable', status: 503, title: 'Service unreachable', message: 'No service answers.' })
const broken = (): ServiceError =>
  new ServiceError({ code: 'internal', status: 500, title: 'Internal error', message: 'The service failed.' })

async function assertFails(
  { create, abortLimitMs = defaultLimitMs }: CommandSuiteOptions,
  example: CommandExample,
  failure: (request: CommandRequest) => ServiceError | undefined,
): Promise<void> {
  const call = begin(example, { failure })
  const running = call.run(create()).catch(() => undefined)
  await settleWithin(running, abortLimitMs, 'the command, while the service fails,')
  const result = await running
  if (!call.hasFailed() || result?.status !== 0) return
  // A conversation goes on with its next line.
  const isToldInConversation = (example.typed?.length ?? 0) > 0 && call.test.warnings.length > 0
  const hint = 'throw, return the status 1, or give withoutService: “works”'
  assert.ok(isToldInConversation, `a call of the service failed, and the command ended with 0; ${hint}`)
}

/** A call of a command, and what it asks of the service. */
interface Call {
  readonly test: TestCommand
  readonly requests: readonly CommandRequest[]
  readonly answers: readonly unknown[]
  /** Requests without an answer. */
  pending(): readonly CommandRequest[]
  /** Whether a call of the service has failed on purpose. */
  hasFailed(): boolean
  run(command: CliCommand): Promise<Result>
}

interface CallOptions {
  /** Whether the input stays open. Default false. */
  readonly open?: boolean
  /** The error of a request. Default: none, so the example answers. */
  failure?(request: CommandRequest): ServiceError | undefined
}

function begin(example: CommandExample, { open = false, failure }: CallOptions = {}): Call {
  const requests: CommandRequest[] = []
  const answers: unknown[] = []
  const pending = new Set<CommandRequest>()
  let failed = false
  const failIf = (request: CommandRequest): void => {
    const error = failure?.(request)
    if (error === undefined) return
    failed = true
    throw error
  }
  const answered = async <Answer>(request: CommandRequest, answer: () => Promise<Answer>): Promise<Answer> => {
    requests.push(request)
    pending.add(request)
    try {
      // A service answers in a later turn at the earliest.
      await nextTurn()
      failIf(request)
      const given = await answer()
      answers.push(given)
      return given
    } finally {
      pending.delete(request)
    }
  }
  const test = createTestCommand(example)
  for (const line of example.typed ?? []) test.type(line)
  if (!open) test.endInput()
  const { request, requestText, transfer, events } = test.context
  const context: CommandContext = {
    ...test.context,
    request: (method, path, body) => answered(requestOf(method, path, body), () => request(method, path, body)),
    requestText: (method, path, body) => answered(requestOf(method, path, body), () => requestText(method, path, body)),
    transfer: (method, path, options) => answered(requestOf(method, path), () => transfer(method, path, options)),
    async events(options) {
      failIf(requestOf('GET', '/api/events'))
      return events(options)
    },
  }
  const run = async (command: CliCommand): Promise<Result> => command.run(context)
  return { test, requests, answers, pending: () => [...pending], hasFailed: () => failed, run }
}

const requestOf = (method: string, path: string, body?: JsonValue): CommandRequest =>
  body === undefined ? { method, path } : { method, path, body }
