import { strict as assert } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import { checkSchedulerJob } from '../../contracts/scheduler-job/check-scheduler-job.js'
import type { SchedulerJob, SchedulerJobRun } from '../../contracts/scheduler-job/index.js'
import type { JsonValue } from '../../core/json.js'
import { abortAt, momentsOfAbort } from '../aborts.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { boundMembers } from '../bound-members.js'
import { pass } from '../event-loop-turns.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'
import { grownKinds, listenersOn, openResources } from './leftovers.js'
import type { SchedulerJobSuiteOptions } from './suite-options.js'

/** A time for jobs that run by the calendar. */
const plannedTime = Date.UTC(2026, 0, 1)

/**
 * Tests every rule of the `scheduler.job` contract.
 *
 * @example
 * describeSchedulerJob({
 *   name: 'feature-visits.prune',
 *   create() {
 *     const visits = new Set(['old', 'new'])
 *     return { job: createPrune(visits), state: () => [...visits], after: ['new'], restarted: () => createPrune(visits) }
 *   },
 * })
 */
export function describeSchedulerJob(options: SchedulerJobSuiteOptions): void {
  const { name, create, runner = globalSuiteRunner(), abortLimitMs = 2_000 } = options
  runner.describe(`job ${name}`, () => {
    const unchecked = collectUncheckedRules(runner, `job ${name}`)
    const make = async (): Promise<JobUnderTest> => {
      const made = await create()
      if (!('job' in made)) {
        unchecked.without('state', ...rulesOfState)
        return { job: made }
      }
      const { job, state, after, restarted } = boundMembers(made)
      if (state === 'not applicable') return { job }
      if (after === undefined) unchecked.without('after', 'a run does all of its work, and nothing else')
      if (restarted === undefined) unchecked.without('restarted', 'another process does the rest of an aborted run')
      return {
        job,
        work: { state: async () => structuredClone(await state()), after, ...(typeof restarted === 'function' && { restarted }) },
      }
    }
    const suite: JobSuite = { runner, make, limitMs: abortLimitMs }
    runner.it(soundTitle, async () => assertSound(checkSchedulerJob((await make()).job)))
    describeRuns(suite)
    describeEnds(suite)
    describeWork(suite)
  })
}

/** What nothing checks of a job whose state the suite cannot see. */
const rulesOfState = [
  'a run does its work before it ends',
  'runs at once do the work once',
  'an aborted run does nothing after its end, and the next one does the rest',
] as const

/** What the suite sees of the work of a job. */
interface JobWork {
  /** A copy: what the author returns may be what the job writes into. */
  state(): Promise<JsonValue>
  readonly after: JsonValue | undefined
  restarted?(): SchedulerJob | Promise<SchedulerJob>
}

interface JobUnderTest {
  readonly job: SchedulerJob
  /** Absent if the suite cannot see it. */
  readonly work?: JobWork
}

interface JobSuite {
  readonly runner: SuiteRunner
  readonly limitMs: number
  make(): Promise<JobUnderTest>
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
  runner.it('has done its work when a run ends', async () => {
    const { job, work } = await make()
    if (!work) return
    const before = await work.state()
    await run(job)
    const atEnd = await work.state()
    if (work.after === undefined)
      assert.notDeepEqual(atEnd, before, 'a run changed nothing of the state; give the job work to do, or say in “after” what a run leaves')
    else assert.deepEqual(atEnd, work.after, 'the state after a run is not what “after” says')
    await pass()
    assert.deepEqual(await work.state(), atEnd, 'the run went on after its end: await what is not done yet')
  })
  runner.it('does its work once when two runs are at it', async () => {
    const [ordered, together] = [await make(), await make()]
    if (!ordered.work || !together.work) return
    for (const epoch of [1, 2]) await run(ordered.job, { epoch })
    await Promise.allSettled([1, 2].map((epoch) => run(together.job, { epoch })))
    const [state, wanted] = [await together.work.state(), await ordered.work.state()]
    if (isDeepStrictEqual(state, wanted) || (await hasSameEnd(make, together))) return
    assert.deepEqual(
      state,
      wanted,
      'two runs at once did something else than one after the other; a process that stood still may wake while another one has the job',
    )
  })
  runner.it('does nothing after the end of an aborted run, and the rest in the next one', async () => {
    const whole = await wholeRuns(make)
    if (!whole) return
    for (const moment of momentsOfAbort) {
      const { job, work } = await make()
      const isDone = await abortedRun(job, moment, limitMs)
      const atEnd = await work?.state()
      await pass()
      assert.deepEqual(await work?.state(), atEnd, `a run aborted ${moment} did something after its end`)
      await run(job)
      const state = await work?.state()
      if (isWhole(state, { ...whole, isDone }) || (await hasSameEnd(make, { job, ...(work && { work }) }))) continue
      assert.deepEqual(state, whole.once, `a run aborted ${moment} and the next one did not the work of one`)
    }
  })
  runner.it('does the rest of an aborted run in another process', async () => {
    const whole = await wholeRuns(make)
    for (const moment of momentsOfAbort) {
      const { job, work } = await make()
      if (!whole || !work?.restarted) return
      const isDone = await abortedRun(job, moment, limitMs)
      const next = await work.restarted()
      await run(next)
      const state = await work.state()
      if (isWhole(state, { ...whole, isDone }) || (await hasSameEnd(make, { job: next, work }))) continue
      assert.deepEqual(state, whole.once, `a run aborted ${moment} and the next one of another process did not the work of one`)
    }
  })
}

/** How often a job may run until nothing is left to do. */
const maxRuns = 100

/**
 * Whether a job that needs several runs for its work, such as one for each batch of a queue, has done the same as
 * a fresh one once nothing is left. False for a job that does all of it in one run, or is never done.
 */
async function hasSameEnd(make: JobSuite['make'], under: JobUnderTest): Promise<boolean> {
  const whole = await endOf(await make())
  return whole !== undefined && whole.runs > 1 && isDeepStrictEqual((await endOf(under))?.state, whole.state)
}

/** Runs a job until a run changes nothing; undefined if there is no end. */
async function endOf({ job, work }: JobUnderTest): Promise<{ readonly runs: number; readonly state: JsonValue } | undefined> {
  let state = await work?.state()
  for (let runs = 0; runs < maxRuns; runs += 1) {
    await run(job)
    const next = await work?.state()
    if (next === undefined) return undefined
    if (isDeepStrictEqual(next, state)) return { runs, state: next }
    state = next
  }
  return undefined
}

/** The states after one whole run and after two; undefined if the suite cannot see them. */
interface WholeRuns {
  readonly once: JsonValue
  readonly twice: JsonValue
}

async function wholeRuns(make: JobSuite['make']): Promise<WholeRuns | undefined> {
  const { job, work } = await make()
  if (!work) return undefined
  await run(job)
  const once = await work.state()
  await run(job)
  return { once, twice: await work.state() }
}

/** Aborts a run and says whether it ended as one that is done. */
async function abortedRun(job: SchedulerJob, moment: (typeof momentsOfAbort)[number], limitMs: number): Promise<boolean> {
  let isDone = false
  const work = async (signal: AbortSignal): Promise<void> => {
    await run(job, { signal })
    isDone = true
  }
  await abortAt(moment, work, { limitMs, what: 'the run' })
  return isDone
}

/** Whether the state is that after one run; or after two, if the aborted one was done already. */
const isWhole = (state: JsonValue | undefined, { once, twice, isDone }: WholeRuns & { readonly isDone: boolean }): boolean =>
  isDeepStrictEqual(state, once) || (isDone && isDeepStrictEqual(state, twice))
