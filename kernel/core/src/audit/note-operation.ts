import type { AuditLog } from './audit-log.js'

/** A call of an administrator's operation, as reported by the HTTP layer. */
interface OperationCall {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly status: number
  readonly userId: string | null
  readonly address: string
}

/**
 * Notes calls that have no more specific entry. The log is passed as a function, since it opens
 * later than the listener.
 */
export const noteOperationIn =
  (audit: () => AuditLog) =>
  ({ operationId, method, path, params, status, userId, address }: OperationCall): Promise<void> =>
    audit().note({
      kind: 'admin.operation',
      actor: { userId, address },
      subjectId: null,
      details: { operation: operationId, method, path, params: { ...params }, status },
    })
