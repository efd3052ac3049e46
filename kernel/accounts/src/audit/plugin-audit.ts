import { type AuditActor, type AuditEntry, noActor } from '@agent-service/kernel-core/audit'
import { currentOperation } from '@agent-service/kernel-core/work'
import { defineError } from '@agent-service/sdk'
import type { Audit, AuditEvent } from '@agent-service/sdk/services/audit'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { AuditLog } from './audit-log.js'
import { auditKindPattern, auditKinds } from './audit-records.js'

const maxEventBytes = 4 * 1024
const maxSubject = 200

/** A plugin tried to note an invalid event. */
export const auditEventInvalidError = defineError<{ readonly plugin: string; readonly reason: string }>({
  code: 'audit_event_invalid',
  status: 500,
  title: 'Audit event invalid',
  message: ({ plugin, reason }) => `The plugin “${plugin}” tried to note an audit event that is not valid: ${reason}.`,
})

/**
 * The audit log for one plugin. The service's own kinds are refused. `viewOf` returns the kernel's
 * view of a plugin's transaction.
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

/** @throws `audit_event_invalid` */
function entryOf({ kind, actor, subject, before, after, details = {} }: AuditEvent, plugin: string): AuditEntry {
  const refuse = (reason: string): Error => auditEventInvalidError.create({ plugin, reason })
  if (!pattern.test(kind) || kind.length > 60) throw refuse('its kind must be two words in snake_case with a dot between them')
  if (own.has(kind)) throw refuse(`the kind “${kind}” is reserved for the service`)
  if (subject !== undefined && subject.length > maxSubject) throw refuse(`its subject has more than ${maxSubject} characters`)
  if (Buffer.byteLength(JSON.stringify([before, after, details])) > maxEventBytes)
    throw refuse(`its states and details have more than ${maxEventBytes} bytes`)
  return { kind, actor: actorOf(actor), subjectId: subject ?? null, before, after, details }
}

/**
 * The named actor, with the address of the current request if it is theirs. Otherwise the user of
 * the request, or the service itself.
 */
function actorOf(named: AuditEvent['actor']): AuditActor {
  const operation = currentOperation()
  if (named) return { userId: named.userId, address: named.address ?? (operation?.userId === named.userId ? operation.address : null) }
  return operation ? { userId: operation.userId, address: operation.address } : noActor
}
