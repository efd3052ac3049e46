import type { Contribution } from '../../core/contribution-point.js'

/** Recurring work. One process of a deployment runs it at a time, and never twice at once. */
export interface SchedulerJob extends Contribution {
  /** The generation of this contract that the job is written for. */
  readonly specVersion: 1
  /** `<plugin>.<what>`: `agents.prune-events`; of a third party `<plugin id>.<what>`. */
  readonly id: string
  /** For people. */
  readonly title: string
  /** Seconds from the start of one run to the start of the next; a run that takes longer makes the next one skip. At least 1. */
  readonly everySeconds: number
  /** The longest one run may take, in seconds; then its signal is aborted. Default 60. */
  readonly timeoutSeconds?: number
  /** One run. A throw is logged with the job's id, counted, and the job runs again at its next time. */
  run(options: { readonly signal: AbortSignal }): Promise<void>
}
