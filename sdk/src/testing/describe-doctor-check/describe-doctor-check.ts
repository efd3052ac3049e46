import { strict as assert } from 'node:assert'
import { checkDoctorCheck, checkDoctorReport } from '../../contracts/doctor-check/check-doctor-check.js'
import type { DoctorCheck, DoctorReport } from '../../contracts/doctor-check/index.js'
import type { JsonValue } from '../../core/json.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { pass } from '../event-loop-turns.js'
import { leavesProcessAlone, openResources, withoutOutput } from '../process-watch.js'
import { createSecretFinder } from '../secret-finder.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules, givenInput, type NotApplicable, type UncheckedRules } from '../unchecked-rules.js'
import { assertPlainData } from '../within-limit.js'

/** The options of {@link describeDoctorCheck}. */
export interface DoctorCheckSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the check. Called for each test. */
  create(): DoctorCheck | Promise<DoctorCheck>
  /**
   * Makes the check where what it examines is missing, broken or out of reach. It must not report that
   * all is well. Not applicable where nothing that it examines can be. Default: not checked.
   */
  readonly broken?: (() => DoctorCheck | Promise<DoctorCheck>) | NotApplicable
  /**
   * Texts that no report may have, whole or in part: passwords of the settings, keys. Not applicable to a check
   * that is given none. Default: not checked.
   */
  readonly secrets?: readonly string[] | NotApplicable
  /**
   * What the check could change, as plain data: the entries of a folder, the rows of a table. Read before
   * and after a run. Not applicable to a check that reaches nothing that can be changed. Default: not checked.
   */
  readonly state?: (() => JsonValue | Promise<JsonValue>) | NotApplicable
  /**
   * The report has figures that differ from run to run, such as milliseconds or free space. Then reports
   * are compared by the states of their findings alone. Default false.
   */
  readonly measures?: boolean
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted run, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

/**
 * Tests every rule of the `doctor.check` contract.
 *
 * @example
 * const run = async () => ({ findings: [{ state: 'well', text: 'Six of them are here.' }] }) as const
 * describeDoctorCheck({ name: 'dice', create: () => defineDoctorCheck({ id: 'tool-dice', title: 'Dice', run }) })
 */
export function describeDoctorCheck(options: DoctorCheckSuiteOptions): void {
  const { name, runner = globalSuiteRunner() } = options
  runner.describe(`doctor check ${name}`, () => {
    noteUnchecked(options, collectUncheckedRules(runner, `doctor check ${name}`))
    runner.it(soundTitle, async () => assertSound(checkDoctorCheck(await options.create())))
    // First, so that what a run changes for good has not been changed before.
    describeEffects(options, runner)
    describeReports(options, runner)
    describeFaults(options, runner)
  })
}

function noteUnchecked({ broken, secrets, state }: DoctorCheckSuiteOptions, unchecked: UncheckedRules): void {
  if (broken === undefined)
    unchecked.without('broken', 'a check that cannot find or reach what it examines does not report that all is well')
  if (secrets === undefined) unchecked.without('secrets', 'no report has a secret')
  if (state === undefined) unchecked.without('state', 'a check changes nothing')
}

const run = async (check: DoctorCheck): Promise<DoctorReport> => check.run({ signal: new AbortController().signal })

const makersOf = ({ create, broken }: DoctorCheckSuiteOptions) => (typeof broken === 'function' ? [create, broken] : [create])

function describeReports({ create, measures = false }: DoctorCheckSuiteOptions, runner: SuiteRunner): void {
  const compared = (report: DoctorReport): unknown => (measures ? report.findings.map(({ state }) => state) : report)
  runner.it('reports findings, and the same ones again', async () => {
    const check = await create()
    const first = await run(check)
    assertReport(first)
    assert.deepEqual(compared(await run(check)), compared(first), 'the second report; if it has figures that differ, give measures: true')
  })
  runner.it('reports the same to several who ask at once', async () => {
    const check = await create()
    const alone = await run(check)
    for (const report of await Promise.all([1, 2, 3].map(() => run(check))))
      assert.deepEqual(compared(report), compared(alone), 'a report beside others; if it has figures that differ, give measures: true')
  })
}

function describeEffects(options: DoctorCheckSuiteOptions, runner: SuiteRunner): void {
  const { create, state, abortLimitMs = 2_000 } = options
  runner.it('changes nothing', async () => {
    const check = await create()
    const stateNow = async (): Promise<unknown> => (typeof state === 'function' ? structuredClone(await state()) : undefined)
    const before = await stateNow()
    await leavesProcessAlone(() => run(check))
    assert.deepEqual(await stateNow(), before, 'what there was before the run differs')
  })
  runner.it('writes nothing itself', async () => {
    const check = await create()
    await withoutOutput(() => run(check))
  })
  runner.it('leaves nothing open, however often it runs', async () => {
    const check = await create()
    await run(check)
    const before = openResources()
    for (let times = 0; times < timesOfLeak; times += 1) await run(check)
    await pass()
    const more = openResources() - before
    assert.ok(more < timesOfLeak, `after ${timesOfLeak} runs, ${more} more sockets, servers, processes or watchers are open than before`)
  })
  runner.it('ends when it is aborted, and runs again', async () => {
    for (const make of makersOf(options))
      for (const moment of momentsOfAbort) {
        const check = await make()
        await abortAt(moment, (signal) => check.run({ signal }), { limitMs: abortLimitMs, what: 'the run' })
        if (make === create) assertReport(await run(check))
      }
  })
}

/** More than what closes a little later, or is opened once and used again. */
const timesOfLeak = 8

function describeFaults(options: DoctorCheckSuiteOptions, runner: SuiteRunner): void {
  const { broken, secrets } = options
  const finder = createSecretFinder(givenInput(secrets) ?? [])
  runner.it('reports no secret', async () => {
    for (const make of makersOf(options)) {
      // A throw is a finding, too, and its message is shown.
      const report = await run(await make()).catch((error: unknown) => error)
      finder.assertNone(report instanceof Error ? report : JSON.stringify(report), 'the report')
    }
  })
  runner.it('does not report that all is well where something is missing or out of reach', async () => {
    if (typeof broken !== 'function') return
    const check = await broken()
    const outcome = await run(check).then(
      (report) => ({ report }),
      () => undefined,
    )
    // A throw is a finding that failed.
    if (outcome === undefined) return
    const { report } = outcome
    assertReport(report)
    assert.ok(report.findings.length > 0, 'it reported nothing, as where it does not apply')
    assert.ok(
      report.findings.some(({ state }) => state !== 'well'),
      'all of its findings are well',
    )
  })
}

function assertReport(report: DoctorReport): void {
  assert.deepEqual(checkDoctorReport(report), [], 'the report')
  assert.deepEqual(structuredClone(report), report, 'the report is not plain data')
  assertPlainData(report.json, 'the member json of the report')
}
