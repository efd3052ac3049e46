import { defineError } from '@agent-service/sdk'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { AuditLog } from './audit-log.js'
import { auditKindPattern, auditKinds, noActor } from './audit-records.js'

const largestDetails = 4 * 1024

/** A plugin wants to note what cannot be noted. */
export const auditEventInvalidError = defineError<{ readonly plugin: string; readonly reason: string }>({
  code: 'audit_event_invalid',
  status: 500,
  title: 'Audit event invalid',
  message: ({ plugin, reason }) => `The plugin “${plugin}” notes an event that cannot be noted: ${reason}.`,
})

/** The audit log as one plugin writes to it. What only the service itself can say stays its own. */
export function createPluginAudit({ audit, pluginId }: { readonly audit: AuditLog; readonly pluginId: string }): Audit {
  const own: ReadonlySet<string> = new Set(auditKinds)
  const pattern = new RegExp(auditKindPattern)
  return Object.freeze<Audit>({
    async note({ kind, actor, details = {} }) {
      const refuse = (reason: string): Error => auditEventInvalidError.create({ plugin: pluginId, reason })
      if (!pattern.test(kind) || kind.length > 60) throw refuse('its kind must be two words in snake_case with a dot between them')
      if (own.has(kind)) throw refuse(`“${kind}” is said by the service alone`)
      if (Buffer.byteLength(JSON.stringify(details)) > largestDetails) throw refuse(`its details have more than ${largestDetails} bytes`)
      await audit.noteFor(pluginId, { kind, actor: actor ?? noActor, details })
    },
  })
}
