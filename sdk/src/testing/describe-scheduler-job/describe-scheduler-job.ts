import { strict as assert } from 'node:assert'
import type { SchedulerJob } from '../../contracts/scheduler-job/index.js'
import { assertMembers, settleWithin } from '../settle-within.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'

/** What {@link describeSchedulerJob} is told. */
export interface SchedulerJobSuiteOptions {
  /** Stands in the titles. */
  readonly name: string
  /** Makes the job, on data of its own. Called for each test anew. */
  create(): SchedulerJob | Promise<SchedulerJob>
  /** Default: the test framework on the global object. */
  readonly runner?: SuiteRunner
  /** The longest that an aborted run may take to end, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

const members = ['specVersion', 'id', 'title', 'everySeconds', 'timeoutSeconds', 'schedule', 'run']

/** Every promise of the `scheduler.job` contract as tests. */
export function describeSchedulerJob({ name, create, runner = globalSuiteRunner(), abortLimitMs = 2_000 }: SchedulerJobSuiteOptions): void {
  runner.describe(`job ${name}`, () => {
    runner.it('has specVersion 1, an id with its plugin in front, and a title', async () => {
      const { specVersion, id, title } = await create()
      assert.equal(specVersion, 1)
      assert.match(id, /^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$/, `the id is “${id}”; expected is <plugin>.<what>`)
      assert.ok(title.trim() !== '' && !title.includes('\n'), 'the title is empty or has several lines')
    })
    runner.it('states how often it runs and how long it may take, and nothing unknown', async () => {
      const job = await create()
      const { everySeconds, timeoutSeconds } = job
      if (everySeconds !== undefined)
        assert.ok(
          Number.isSafeInteger(everySeconds) && everySeconds >= 1,
          `everySeconds is ${everySeconds}; expected is a whole number from 1`,
        )
      if (timeoutSeconds !== undefined) assert.ok(timeoutSeconds > 0, `timeoutSeconds is ${timeoutSeconds}; expected is more than 0`)
      assertMembers(job, members, 'the job')
    })
    runner.it('runs, and may run again', async () => {
      const job = await create()
      for (const time of ['first', 'second']) {
        const result: unknown = await job.run({ signal: new AbortController().signal, epoch: 1 })
        assert.equal(result, undefined, `the ${time} run answered ${String(result)}; expected is nothing`)
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
