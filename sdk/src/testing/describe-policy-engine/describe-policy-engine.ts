import { strict as assert } from 'node:assert'
import { checkPolicyEngine } from '../../contracts/policy-engine/check-policy-engine.js'
import type {
  EngineDecision,
  EngineQuestion,
  PolicyEngine,
  PolicyFile,
  PolicyProblem,
  PolicyText,
} from '../../contracts/policy-engine/policy-engine.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { assertPlainData, endsWithin } from '../within-limit.js'

/** Policies in the engine's language, and questions for them. */
export interface PolicyEngineExample {
  /** The policy files that are loaded with them. At least one file with one policy. */
  readonly files: readonly PolicyFile[]
  /**
   * Two questions of different users, which no policy of the files permits. Both users have the
   * same attributes.
   */
  readonly questions: readonly [EngineQuestion, EngineQuestion]
  /** A policy that permits both. */
  readonly permit: string
  /** A policy that forbids both. */
  readonly forbid: string
  /** A policy that permits only the first, by the id of its user. */
  readonly permitFirst: string
  /** A text that is not a policy. */
  readonly bad: string
}

/** The options of {@link describePolicyEngine}. */
export interface PolicyEngineSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the engine. Called for each test. */
  create(): PolicyEngine | Promise<PolicyEngine>
  /** Closes what {@link create} opened. Called after each test. Default: does nothing. */
  dispose?(): Promise<void>
  /** The examples. */
  readonly example: PolicyEngineExample
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted call, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

/**
 * Tests every rule of the `policy.engine` contract.
 *
 * @example
 * const test = (engine: PolicyEngine, example: PolicyEngineExample) =>
 *   describePolicyEngine({ name: 'lines', create: () => engine, example })
 */
export function describePolicyEngine(options: PolicyEngineSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  runner.describe(`policy engine ${options.name}`, () => {
    runner.afterEach(() => options.dispose?.())
    runner.it(soundTitle, async () => assertSound(checkPolicyEngine(await options.create())))
    describeDecisions(options, runner)
    describeSets(options, runner)
    describeChecks(options, runner)
    describeCalls(options, runner)
  })
}

const permitOnly = ({ permit }: PolicyEngineExample): readonly PolicyText[] => [{ id: 'suite-permit', text: permit }]

function describeDecisions({ create, example }: PolicyEngineSuiteOptions, runner: SuiteRunner): void {
  const { files, questions, permit, forbid, permitFirst } = example
  const [first, second] = questions
  const decidedBy = async (stored: readonly PolicyText[], asked: readonly EngineQuestion[] = questions) => {
    const engine = await create()
    await loaded(engine, 1, files, stored)
    return decided(engine, 1, asked)
  }

  runner.it('denies what no policy permits', async () => {
    for (const decision of await decidedBy([])) assert.deepEqual(decision, { allowed: false, policyIds: [], errors: [] })
  })

  runner.it('permits what a policy permits, and returns its id', async () => {
    for (const decision of await decidedBy(permitOnly(example)))
      assert.deepEqual(decision, { allowed: true, policyIds: ['suite-permit'], errors: [] })
  })

  runner.it('lets forbid win over every permit, whichever is older', async () => {
    const both = [
      { id: 'suite-permit', text: permit },
      { id: 'suite-forbid', text: forbid },
    ]
    for (const stored of [both, [...both].reverse()])
      for (const { allowed, policyIds } of await decidedBy(stored)) assert.deepEqual([allowed, policyIds], [false, ['suite-forbid']])
  })

  runner.it('decides each question of a list, in order', async () => {
    const stored = [{ id: 'suite-first', text: permitFirst }]
    assert.deepEqual(allowedOf(await decidedBy(stored, [second, first, second])), [false, true, false])
    assert.deepEqual(await decidedBy(stored, []), [])
  })

  runner.it('denies an invalid question with the reason', async () => {
    const unfit = { ...first, action: 'suite_has_no_such_action' }
    const [wrong, right] = await decidedBy(permitOnly(example), [unfit, first])
    assert.equal(wrong?.allowed, false, 'it is permitted')
    assert.equal(right?.allowed, true, 'the question beside it is denied too')
    if (wrong.errors.length > 0) assert.equal(wrong.errors[0]?.policyId, null)
  })

  runner.it('reports whether a decision depends on the user', async () => {
    const engine = await create()
    const named = await loaded(engine, 1, files, [{ id: 'suite-first', text: permitFirst }])
    assert.equal(named.dependsOnUserIds, true, 'a policy names a user, and dependsOnUserIds is false')
    assert.equal(typeof (await loaded(engine, 2, files, permitOnly(example))).dependsOnUserIds, 'boolean')
  })
}

function describeSets({ create, example }: PolicyEngineSuiteOptions, runner: SuiteRunner): void {
  const { files, questions, bad } = example
  const badOnly = [{ id: 'suite-bad', text: bad }]

  runner.it('lists the policies of the files, each with id, text and description', async () => {
    const { shipped } = await loaded(await create(), 1, files, permitOnly(example))
    assert.ok(shipped.length > 0, 'the list is empty')
    assert.equal(new Set(shipped.map(({ id }) => id)).size, shipped.length, 'two policies have the same id')
    assert.ok(!shipped.some(({ id }) => id === 'suite-permit'), 'a stored policy is among them')
    for (const { id, text, effect, description } of shipped) {
      assert.ok(
        [id, text, description].every((part) => typeof part === 'string' && part.trim() !== ''),
        `“${id}” lacks an id, a text or a description`,
      )
      assert.ok(effect === 'permit' || effect === 'forbid', `the effect of “${id}” is ${JSON.stringify(effect)}`)
      assert.ok(
        files.some((file) => file.text.includes(text)),
        `the text of “${id}” is in no file`,
      )
    }
  })

  runner.it('decides by the set that was loaded last, only under its version', async () => {
    const engine = await create()
    assert.equal((await decide(engine, 1, questions)).outcome, 'not_loaded')
    await loaded(engine, 1, files, permitOnly(example))
    await loaded(engine, 2, files, [])
    assert.equal((await decide(engine, 1, questions)).outcome, 'not_loaded')
    assert.deepEqual(allowedOf(await decided(engine, 2, questions)), [false, false])
  })

  runner.it('refuses a set with an invalid policy, reports its position, and keeps the previous set', async () => {
    const engine = await create()
    await loaded(engine, 1, files, permitOnly(example))
    const answer = await engine.load({ version: 2, sources: { files, stored: badOnly } }, running())
    assert.ok(answer.outcome === 'refused', 'it was loaded')
    assertProblems(answer.problems)
    assert.deepEqual([...new Set(answer.problems.map(({ where }) => where))], ['suite-bad'])
    assert.equal((await decide(engine, 2, questions)).outcome, 'not_loaded')
    assert.deepEqual(allowedOf(await decided(engine, 1, questions)), [true, true])
  })

  runner.it('rehearses other sets, and keeps the one in force', async () => {
    const engine = await create()
    await loaded(engine, 1, files, [])
    const rehearse = (stored: readonly PolicyText[]) =>
      engine.rehearse(structuredClone({ sources: { files, stored }, questions }), running())
    const answer = await rehearse(permitOnly(example))
    assert.ok(answer.outcome === 'loaded', 'it was refused')
    assert.deepEqual(allowedOf(answer.decisions), [true, true])
    assert.equal((await rehearse(badOnly)).outcome, 'refused')
    assert.deepEqual(allowedOf(await decided(engine, 1, questions)), [false, false])
  })
}

function describeChecks({ create, example }: PolicyEngineSuiteOptions, runner: SuiteRunner): void {
  const { files, permit, forbid, bad } = example
  for (const [effect, text] of Object.entries({ permit, forbid }))
    runner.it(`accepts a valid policy: ${effect}`, async () => {
      const found = await (await create()).check({ files, text }, running())
      assert.ok(found.outcome === 'sound', 'it was refused')
      assert.equal(found.effect, effect)
      assert.ok(Array.isArray(found.warnings), 'the list of warnings is missing')
    })

  for (const [what, text] of Object.entries({ 'an invalid policy': bad, 'two policies': `${permit}\n${forbid}`, 'an empty text': '' }))
    runner.it(`refuses ${what}, and reports ${what === 'two policies' ? 'their' : 'its'} position`, async () => {
      const found = await (await create()).check({ files, text }, running())
      assert.ok(found.outcome === 'refused', 'it was accepted')
      assertProblems(found.problems)
    })
}

/** What holds for every call. */
function describeCalls({ create, example, abortLimitMs = 2_000 }: PolicyEngineSuiteOptions, runner: SuiteRunner): void {
  const sources = { files: example.files, stored: permitOnly(example) }
  const { questions, permit: text } = example
  const calls: Readonly<Record<string, (engine: PolicyEngine, signal: AbortSignal) => readonly [unknown, Promise<unknown>]>> = {
    load: (engine, signal) => called({ version: 1, sources }, (given) => engine.load(given, { signal })),
    decide: (engine, signal) => called({ version: 1, questions }, (given) => engine.decide(given, { signal })),
    rehearse: (engine, signal) => called({ sources, questions }, (given) => engine.rehearse(given, { signal })),
    check: (engine, signal) => called({ files: example.files, text }, (given) => engine.check(given, { signal })),
  }
  for (const [name, call] of Object.entries(calls)) {
    runner.it(`answers with plain data, and does not change its input: ${name}`, async () => {
      const engine = await create()
      await loaded(engine, 1, example.files, permitOnly(example))
      const [given, answer] = call(engine, running().signal)
      const before = structuredClone(given)
      assertPlainData(await answer, 'the answer')
      assert.deepEqual(given, before, 'its input was changed')
    })
    runner.it(`ends when it is aborted: ${name}`, async () => {
      const engine = await create()
      const controller = new AbortController()
      const [, work] = call(engine, controller.signal)
      controller.abort(new Error('stopped'))
      await endsWithin(work, abortLimitMs, `${name} was still working`)
    })
  }
  runner.it('can be made ready at any time, and again, and then works', async () => {
    const engine = await create()
    await engine.prepare()
    await engine.prepare()
    await loaded(engine, 1, example.files, [])
    await engine.prepare()
    assert.equal((await decided(engine, 1, questions)).length, questions.length)
  })
}

const called = <Given>(request: Given, call: (given: Given) => Promise<unknown>): readonly [unknown, Promise<unknown>] => {
  const given = structuredClone(request)
  return [given, call(given)]
}

const running = (): { readonly signal: AbortSignal } => ({ signal: new AbortController().signal })

async function loaded(engine: PolicyEngine, version: number, files: readonly PolicyFile[], stored: readonly PolicyText[]) {
  const answer = await engine.load(structuredClone({ version, sources: { files, stored } }), running())
  if (answer.outcome === 'loaded') return answer
  throw new assert.AssertionError({ message: `the set was refused: ${JSON.stringify(answer.problems)}` })
}

const decide = (engine: PolicyEngine, version: number, questions: readonly EngineQuestion[]) =>
  engine.decide(structuredClone({ version, questions }), running())

async function decided(engine: PolicyEngine, version: number, questions: readonly EngineQuestion[]): Promise<readonly EngineDecision[]> {
  const answer = await decide(engine, version, questions)
  if (answer.outcome !== 'decided') throw new assert.AssertionError({ message: `the answer is ${answer.outcome}` })
  assert.equal(answer.decisions.length, questions.length, 'the numbers of decisions and questions differ')
  return answer.decisions
}

const allowedOf = (decisions: readonly EngineDecision[]): readonly boolean[] => decisions.map(({ allowed }) => allowed)

function assertProblems(problems: readonly PolicyProblem[]): void {
  assert.ok(problems.length > 0, 'the list of problems is empty')
  for (const { line, column, message } of problems) {
    assert.ok(Number.isSafeInteger(line) && line >= 1, `the line is ${line}; lines begin at 1`)
    assert.ok(Number.isSafeInteger(column) && column >= 1, `the column is ${column}; columns begin at 1`)
    assert.ok(typeof message === 'string' && message.trim() !== '', 'a problem has no message')
  }
}
