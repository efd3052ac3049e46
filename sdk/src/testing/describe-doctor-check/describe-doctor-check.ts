import { strict as assert } from 'node:assert'
import { getEventListeners } from 'node:events'
import { checkDoctorCheck, checkDoctorReport } from '../../contracts/doctor-check/check-doctor-check.js'
import type { DoctorCheck } from '../../contracts/doctor-check/index.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { createSecretFinder } from '../secret-finder.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'

/** The options of {@link describeDoctorCheck}. */
export interface DoctorCheckSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the check. Called for each test. */
  create(): DoctorCheck | Promise<DoctorCheck>
  /** Texts that no report may have, whole or in part: passwords of the settings, keys. Default: not checked. */
  readonly secrets?: readonly string[]
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
  const { name, create, secrets, runner = globalSuiteRunner(), abortLimitMs = 2_000 } = options
  runner.describe(`doctor check ${name}`, () => {
    const unchecked = collectUncheckedRules(runner, `doctor check ${name}`)
    if (secrets === undefined) unchecked.without('secrets', 'no report has a secret')
    runner.it(soundTitle, async () => assertSound(checkDoctorCheck(await create())))
    runner.it('reports findings, and the same ones again', async () => {
      const check = await create()
      const { signal } = new AbortController()
      const first = await check.run({ signal })
      assert.deepEqual(checkDoctorReport(first), [], 'the report')
      assert.deepEqual(structuredClone(first), first, 'the report is not plain data')
      assert.deepEqual(await check.run({ signal }), first, 'the second report')
    })
    runner.it('reports the same to several who ask at once', async () => {
      const check = await create()
      const { signal } = new AbortController()
      const alone = await check.run({ signal })
      for (const report of await Promise.all([1, 2, 3].map(() => check.run({ signal })))) assert.deepEqual(report, alone)
    })
    runner.it('reports no secret', async () => {
      const finder = createSecretFinder(secrets ?? [])
      finder.assertNone(JSON.stringify(await (await create()).run({ signal: new AbortController().signal })), 'the report')
    })
    runner.it('leaves no listener on its signal', async () => {
      const { signal } = new AbortController()
      await (await create()).run({ signal })
      assert.equal(getEventListeners(signal, 'abort').length, 0, 'a listener is left after the run')
    })
    runner.it('ends when it is aborted', async () => {
      for (const moment of momentsOfAbort) {
        const check = await create()
        await abortAt(moment, (signal) => check.run({ signal }), { limitMs: abortLimitMs, what: 'the run' })
      }
    })
  })
}
