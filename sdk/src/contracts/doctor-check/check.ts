import type { Contribution } from '../../core/contribution-point.js'
import type { JsonValue } from '../../core/json.js'

/** One thing that a check found out. */
export interface DoctorFinding {
  /** `warning`: the service starts, but something is missing; `failed`: it cannot do its work. */
  readonly state: 'well' | 'warning' | 'failed'
  /** One line for people, at most 500 characters, without secrets. */
  readonly text: string
}

/** The result of a check. */
export interface DoctorReport {
  /**
   * At most 50, the summary first; one that failed makes `doctor` end with 1. Empty: the check does
   * not apply here, and nothing is shown.
   */
  readonly findings: readonly DoctorFinding[]
  /** What `--json` has beside the findings. Default: nothing. */
  readonly json?: JsonValue
}

/**
 * Something that `agent-service doctor` examines: whether this machine has what the plugin needs.
 *
 * It runs in the command's own process, also while no service runs. The plugin's `setup` runs there
 * too, with `kernel.clock`, `kernel.deployment` and `kernel.resources` as the only services, without
 * collections, and with no effect but its checks.
 */
export interface DoctorCheck extends Contribution {
  /** The generation of this contract that the check is written for. */
  readonly specVersion: 1
  /** Of a third party the plugin's id, or beginning with it and a dash. */
  readonly id: string
  /** What is examined, in a word or two: `Sandbox`. At most 14 characters. */
  readonly title: string
  /**
   * Examines, and changes nothing. Within 15 seconds, then the signal is aborted. A throw is a
   * finding that failed.
   */
  run(options: { readonly signal: AbortSignal }): Promise<DoctorReport>
}
