import type { SchedulerJob } from '../../contracts/scheduler-job/index.js'
import type { JsonValue } from '../../core/json.js'
import type { SuiteRunner } from '../suite-runner.js'
import type { NotApplicable } from '../unchecked-rules.js'

/** A job whose work the suite can see. */
export interface JobWithState {
  /** The job, with work to do. */
  readonly job: SchedulerJob
  /**
   * What the job has done so far, or what is left to do: the mails that were sent, the entries that are
   * kept. Plain data, without what differs from one run to the next, such as ids and times. `not applicable`: a
   * run changes nothing that a test could look at.
   */
  readonly state: NotApplicable | (() => JsonValue | Promise<JsonValue>)
  /** What `state` returns after one whole run: all the work is done, and nothing else. */
  readonly after?: JsonValue
  /**
   * The same job as another process has it that takes it over, or this one after a restart: with the
   * same stored data, and no memory of the runs before. `not applicable`: it keeps nothing in memory or stores
   * nothing.
   */
  readonly restarted?: NotApplicable | (() => SchedulerJob | Promise<SchedulerJob>)
}

/** The options of {@link describeSchedulerJob}. */
export interface SchedulerJobSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /**
   * Makes the job with its own data; with its state, if the suite shall see what it does. Called for
   * each test, and several times in some.
   */
  create(): SchedulerJob | JobWithState | Promise<SchedulerJob | JobWithState>
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of an aborted run, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}
