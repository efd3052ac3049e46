import { strict as assert } from 'node:assert'
import { checkDoctorCheck, checkDoctorReport } from '../../contracts/doctor-check/check-doctor-check.js'
import type { DoctorCheck } from '../../contracts/doctor-check/index.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { settleWithin } from '../settle-within.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'

/** The options of {@link describeDoctorCheck}. */
export interface DoctorCheckSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the check. Called for each test. */
  create(): DoctorCheck | Promise<DoctorCheck>
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
export function describeDoctorCheck({ name, create, runner = globalSuiteRunner(), abortLimitMs = 2_000 }: DoctorCheckSuiteOptions): void {
  runner.describe(`doctor check ${name}`, () => {
    runner.it(soundTitle, async () => assertSound(checkDoctorCheck(await create())))
    runner.it('reports findings, and the same ones again', async () => {
      const check = await create()
      const { signal } = new AbortController()
      const first = await check.run({ signal })
      assert.deepEqual(checkDoctorReport(first), [], 'the report')
      assert.deepEqual(structuredClone(first), first, 'the report is not plain data')
      assert.deepEqual(await check.run({ signal }), first, 'the second report')
    })
    runner.it('ends when it is aborted', async () => {
      const controller = new AbortController()
      const run = (await create()).run({ signal: controller.signal })
      controller.abort(new Error('stopped'))
      await settleWithin(run, abortLimitMs, 'the run')
    })
  })
}
