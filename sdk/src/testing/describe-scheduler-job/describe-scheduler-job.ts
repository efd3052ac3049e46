import { strict as assert } from 'node:assert'
import { checkSchedulerJob } from '../../contracts/scheduler-job/check-scheduler-job.js'
import type { SchedulerJob } from '../../contracts/scheduler-job/index.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { settleWithin } from '../settle-within.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'

/** The options of {@link describeSchedulerJob}. */
export interface SchedulerJobSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the job with its own data. Called for each test. */
  create(): SchedulerJob | Promise<SchedulerJob>
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted run, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

/**
 * Tests every rule of the `scheduler.job` contract.
 *
 * @example
 * describeSchedulerJob({ name: 'feature-visits.prune', create: createJob })
 */
export function describeSchedulerJob({ name, create, runner = globalSuiteRunner(), abortLimitMs = 2_000 }: SchedulerJobSuiteOptions): void {
  runner.describe(`job ${name}`, () => {
    runner.it(soundTitle, async () => assertSound(checkSchedulerJob(await create())))
    runner.it('runs, and may run again', async () => {
      const job = await create()
      for (const time of ['first', 'second']) {
        const result: unknown = await job.run({ signal: new AbortController().signal, epoch: 1 })
        assert.equal(result, undefined, `the ${time} run returned ${String(result)}; expected no result`)
      }
    })
    runner.it('ends when it is aborted', async () => {
      const controller = new AbortController()
      const run = (await create()).run({ signal: controller.signal, epoch: 1 })
      controller.abort(new Error('stopped'))
      await settleWithin(run, abortLimitMs, 'the run')
    })
  })
}
