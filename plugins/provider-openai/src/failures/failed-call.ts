import type { FailureReport } from './failure-report.js'

const marker = Symbol('failed call')

/** A failure on its way to the place that knows connection and model. Never leaves the package. */
export interface FailedCall extends Error {
  readonly report: FailureReport
}

/** Makes a failure to throw. */
export const failed = (report: FailureReport, cause?: unknown): FailedCall =>
  Object.assign(new Error(report.reason, cause === undefined ? undefined : { cause }), { report, [marker]: true })

/** True for what {@link failed} made. */
export const isFailedCall = (value: unknown): value is FailedCall => typeof value === 'object' && value !== null && marker in value
