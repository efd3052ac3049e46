import type { FailureReport } from './failure-report.js'

const marker = Symbol('call failure')

/** A failure on its way to {@link callModel}, which makes the provider error of it. Never leaves the adapter. */
export interface CallFailure extends Error {
  /** What failed. */
  readonly report: FailureReport
}

/** Makes a failure to throw inside of a call. */
export const callFailure = (report: FailureReport, cause?: unknown): CallFailure =>
  Object.assign(new Error(report.reason, cause === undefined ? undefined : { cause }), { report, [marker]: true })

/** True for what {@link callFailure} made. */
export const isCallFailure = (value: unknown): value is CallFailure => typeof value === 'object' && value !== null && marker in value
