import { defineError } from '@agent-service/sdk'
import type { Audit, AuditEvent } from '@agent-service/sdk/services/audit'
import type { Transaction } from '@agent-service/sdk/services/database'
import { currentOperation } from '../work/work-context.js'
import type { AuditLog, PluginAuditEntry } from './audit-log.js'
import { type AuditActor, auditKindPattern, auditKinds, noActor } from './audit-records.js'

const maxEventBytes = 4 * 1024
const maxSubject = 200

/** A plugin wants to note what cannot be noted. */
export const auditEventInvalidError = defineError<{ readonly plugin: string; readonly reason: string }>({
  code: 'audit_event_invalid',
  status: 500,
  title: 'Audit event invalid',
  message: ({ plugin, reason }) => `The plugin “${plugin}” notes an event that cannot be noted: ${reason}.`,
})

/**
 * The audit log as one plugin writes to it. What only the service itself can say stays its own. `viewOf` gives the
 * kernel's view of a plugin's transaction.
 */
export function createPluginAudit(dependencies: {
  readonly audit: AuditLog
  readonly pluginId: string
  readonly viewOf: (transaction: Transaction) => Transaction
}): Audit {
  const { audit, pluginId, viewOf } = dependencies
  return Object.freeze<Audit>({
    note: async (event) => audit.noteFor(pluginId, entryOf(event, pluginId)),
    record: (transaction, event) => audit.recordFor(viewOf(transaction), pluginId, entryOf(event, pluginId)),
  })
}

const own: ReadonlySet<string> = new Set(auditKinds)
const pattern = new RegExp(auditKindPattern)

/** @throws `audit_event_invalid`. */
function entryOf({ kind, actor, subject, before, after, details = {} }: AuditEvent, plugin: string): PluginAuditEntry {
  const refuse = (reason: string): Error => auditEventInvalidError.create({ plugin, reason })
  if (!pattern.test(kind) || kind.length > 60) throw refuse('its kind must be two words in snake_case with a dot between them')
  if (own.has(kind)) throw refuse(`“${kind}” is said by the service alone`)
  if (subject !== undefined && subject.length > maxSubject) throw refuse(`its subject has more than ${maxSubject} characters`)
  if (Buffer.byteLength(JSON.stringify([before, after, details])) > maxEventBytes)
    throw refuse(`what it says has more than ${maxEventBytes} bytes`)
  return { kind, actor: actorOf(actor), subjectId: subject ?? null, before, after, details }
}

/** Who is named, from where the request comes that is being answered; without a name whoever asks in it, else the service itself. */
function actorOf(named: AuditEvent['actor']): AuditActor {
  const operation = currentOperation()
  if (named) return { userId: named.userId, address: named.address ?? (operation?.userId === named.userId ? operation.address : null) }
  return operation ? { userId: operation.userId, address: operation.address } : noActor
}
