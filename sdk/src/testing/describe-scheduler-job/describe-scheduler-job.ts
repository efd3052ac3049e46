import { strict as assert } from 'node:assert'
import { checkSchedulerJob } from '../../contracts/scheduler-job/check-scheduler-job.js'
import type { SchedulerJob, SchedulerJobRun } from '../../contracts/scheduler-job/index.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { pass } from '../event-loop-turns.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'
import { grownKinds, listenersOn, openResources } from './leftovers.js'
import type { JobWithState, SchedulerJobSuiteOptions } from './suite-options.js'

/** A time for jobs that run by the calendar. */
const plannedTime = Date.UTC(2026, 0, 1)

/**
 * Tests every rule of the `scheduler.job` contract.
 *
 * @example
 * describeSchedulerJob({ name: 'feature-visits.prune', create: createJob })
 */
export function describeSchedulerJob(options: SchedulerJobSuiteOptions): void {
  const { name, create, runner = globalSuiteRunner(), abortLimitMs = 2_000 } = options
  runner.describe(`job ${name}`, () => {
    const unchecked = collectUncheckedRules(runner, `job ${name}`)
    const make = async (): Promise<JobWithState | { readonly job: SchedulerJob; readonly state?: never }> => {
      const made = await create()
      if ('job' in made) return made
      unchecked.without(
        'state',
        'runs at once do the work once',
        'an aborted run does nothing after its end, and the next one does the rest',
      )
      return { job: made }
    }
    const suite: JobSuite = { runner, make, limitMs: abortLimitMs }
    runner.it(soundTitle, async () => assertSound(checkSchedulerJob((await make()).job)))
    describeRuns(suite)
    describeEnds(suite)
    describeWork(suite)
  })
}

interface JobSuite {
  readonly runner: SuiteRunner
  readonly limitMs: number
  make(): Promise<JobWithState | { readonly job: SchedulerJob; readonly state?: never }>
}

const run = (job: SchedulerJob, changes: Partial<SchedulerJobRun> = {}): Promise<unknown> =>
  job.run({
    signal: new AbortController().signal,
    epoch: 1,
    ...(job.schedule && { scheduledFor: plannedTime }),
    ...changes,
  })

function describeRuns({ runner, make }: JobSuite): void {
  runner.it('runs, and may run again', async () => {
    const { job } = await make()
    for (const time of ['first', 'second']) {
      const result = await run(job)
      assert.equal(result, undefined, `the ${time} run returned ${String(result)}; expected no result`)
    }
  })
  runner.it('leaves nothing behind: no listener on its signal, no timer, no open handle', async () => {
    const { job } = await make()
    await run(job)
    const before = await openResources()
    for (let time = 0; time < 3; time += 1) {
      const { signal } = new AbortController()
      await run(job, { signal })
      assert.equal(listenersOn(signal), 0, 'a listener is left on the signal of a run that has ended')
    }
    assert.deepEqual(grownKinds(before, await openResources()), [], 'each run leaves one of these open')
  })
}

function describeEnds({ runner, make, limitMs }: JobSuite): void {
  runner.it('ends when it is aborted', async () => {
    for (const moment of momentsOfAbort) {
      const { job } = await make()
      await abortAt(moment, (signal) => run(job, { signal }), { limitMs, what: 'the run' })
    }
  })
  runner.it('runs again after a run that was aborted', async () => {
    for (const moment of momentsOfAbort) {
      const { job } = await make()
      await abortAt(moment, (signal) => run(job, { signal }), { limitMs, what: 'the run' })
      assert.equal(await run(job), undefined, `the run after one that was aborted ${moment} returned a result`)
    }
  })
}

/** Rules that can be checked only with the state of the job. */
function describeWork({ runner, make, limitMs }: JobSuite): void {
  runner.it('does its work once when two runs are at it', async () => {
    const [ordered, together] = [await make(), await make()]
    if (!ordered.state || !together.state) return
    for (const epoch of [1, 2]) await run(ordered.job, { epoch })
    await Promise.allSettled([1, 2].map((epoch) => run(together.job, { epoch })))
    assert.deepEqual(await together.state(), await ordered.state(), 'two runs at once did something else than one after the other')
  })
  runner.it('does nothing after the end of an aborted run, and the rest in the next one', async () => {
    const whole = await make()
    if (!whole.state) return
    await run(whole.job)
    for (const moment of momentsOfAbort) {
      const { job, state } = await make()
      await abortAt(moment, (signal) => run(job, { signal }), { limitMs, what: 'the run' })
      const atEnd = await state?.()
      await pass()
      assert.deepEqual(await state?.(), atEnd, `a run aborted ${moment} did something after its end`)
      await run(job)
      assert.deepEqual(await state?.(), await whole.state(), `a run aborted ${moment} and the next one did not the work of one`)
    }
  })
}
