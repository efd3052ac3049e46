import type { PolicyEngine } from '@agent-service/sdk/contracts/policy-engine'

/** What the process does. */
export type JobKind = 'load' | 'decide' | 'rehearse' | 'check'

/** What it is given for that. */
export type JobRequest<Kind extends JobKind> = Parameters<PolicyEngine[Kind]>[0]

/** What it answers. */
export type JobAnswer<Kind extends JobKind> = Awaited<ReturnType<PolicyEngine[Kind]>>

/** A job as the process gets it. */
export type Job = { readonly [Kind in JobKind]: { readonly kind: Kind; readonly request: JobRequest<Kind> } }[JobKind]
