import { sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'
import type { Governor } from '../governor/governor.js'
import type { AuditNotes } from '../reports/audit-notes.js'
import type { ProcessEvents } from '../reports/process-events.js'
import type { SandboxMetrics } from '../reports/sandbox-metrics.js'
import type { ExecutionReports } from './create-sandbox.js'

/** Gives each report to those whom it concerns. */
export function createReports(to: {
  readonly metrics: SandboxMetrics
  readonly events: ProcessEvents
  readonly notes: AuditNotes
  readonly governor: Governor
}): ExecutionReports {
  const { metrics, events, notes, governor } = to
  return {
    started(execution) {
      const view = execution.view()
      metrics.started(view)
      events.report('sandbox.process.started', view)
      if (view.kind === 'terminal') notes.terminalOpened(view.principal)
      governor.watch()
    },
    ended(execution) {
      const view = execution.view()
      metrics.ended(view)
      events.report('sandbox.process.ended', view)
    },
    refused({ principal, kind }, error) {
      metrics.refused(error)
      if (sandboxRefusedError.isInstance(error))
        notes.refused('sandbox_process.refused', principal, { process: kind, reason: String(error.details['reason']).slice(0, 500) })
    },
  }
}
