import type { Contribution } from '../../core/contribution-point.js'
import type { CalendarSchedule } from '../../kits/schedule/calendar-schedule.js'

/** What a job gets when it runs. */
export interface SchedulerJobRun {
  /**
   * Aborted when the run takes too long, the job is taken off, the service stops, or another
   * process may have taken the job over.
   */
  readonly signal: AbortSignal
  /**
   * Grows whenever another process of the deployment takes the job over; the same while one process
   * has it. What outlives a run, at a receiver for example, can refuse the late work of a smaller
   * one.
   */
  readonly epoch: number
  /** Of a job with a `schedule`: the time that this run is for, in milliseconds since 1970. */
  readonly scheduledFor?: number
}

/**
 * Recurring work. One process of a deployment runs it at a time, by a lease that is renewed while the
 * process lives. A process that stood still, such as a suspended machine, may go on for a moment after
 * another one took the job over, so the work must bear two runs at once. When a process crashes, another
 * takes over the job within a minute.
 */
export interface SchedulerJob extends Contribution {
  /** The generation of this contract that the job is written for. */
  readonly specVersion: 1
  /** `<plugin>.<what>`: `agents.prune-events`; of a third party `<plugin id>.<what>`. */
  readonly id: string
  /** For people. */
  readonly title: string
  /**
   * Seconds from the start of one run to the start of the next; a run that takes longer makes the
   * next one skip. At least 1. A job has this or a `schedule`.
   */
  readonly everySeconds?: number
  /**
   * Times by the calendar, in the zone of the deployment (`server.timezone`) unless it names one;
   * `@agent-service/sdk/schedule` has the rules, also for nights in which clocks change. Times that
   * were missed because no process ran are skipped. A job has this or `everySeconds`.
   */
  readonly schedule?: CalendarSchedule
  /** The longest one run may take, in seconds; then its signal is aborted. Default 60. */
  readonly timeoutSeconds?: number
  /**
   * One run. A throw is logged with the job's id, counted, and the job runs again at its next time.
   */
  run(options: SchedulerJobRun): Promise<void>
}
