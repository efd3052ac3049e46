import type { PolicyEngine } from '@agent-service/sdk/contracts/policy-engine'

/** The kinds of jobs that the process does. */
export type JobKind = 'load' | 'decide' | 'rehearse' | 'check'

/** The request of a job. */
export type JobRequest<Kind extends JobKind> = Parameters<PolicyEngine[Kind]>[0]

/** The answer to a job. */
export type JobAnswer<Kind extends JobKind> = Awaited<ReturnType<PolicyEngine[Kind]>>

/** A job as the process gets it. */
export type Job = { readonly [Kind in JobKind]: { readonly kind: Kind; readonly request: JobRequest<Kind> } }[JobKind]
