import type { AuditRecord } from './audit-records.js'

export const auditOutcomes = ['succeeded', 'failed'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

const failures: ReadonlySet<string> = new Set([
  'sign_in.failed',
  'password.change_refused',
  'session.confirmation_refused',
  'session.refresh_reused',
])

/** Whether what an entry reports took place, or was refused or went wrong. */
export function outcomeOf({ kind, details }: Pick<AuditRecord, 'kind' | 'details'>): AuditOutcome {
  const { status, ok } = details
  const failed = failures.has(kind) || ok === false || (typeof status === 'number' && status >= 400)
  return failed ? 'failed' : 'succeeded'
}
