import type { FailureReport } from './failure-report.js'

const marker = Symbol('call failure')

/**
 * An internal failure, which {@link callModel} turns into a provider error. Never leaves the
 * adapter.
 */
export interface CallFailure extends Error {
  /** What failed. */
  readonly report: FailureReport
}

/** Makes a failure to throw inside a call. */
export const callFailure = (report: FailureReport, cause?: unknown): CallFailure =>
  Object.assign(new Error(report.reason, cause === undefined ? undefined : { cause }), { report, [marker]: true })

/** True for what {@link callFailure} made. */
export const isCallFailure = (value: unknown): value is CallFailure => typeof value === 'object' && value !== null && marker in value
