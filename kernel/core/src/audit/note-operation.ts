import type { AuditLog } from './audit-log.js'

/** A call of an administrator's operation, as the HTTP layer tells of it. */
interface OperationCall {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly status: number
  readonly userId: string | null
  readonly address: string
}

/** Notes calls of which nothing else says more. The log is asked for at each call, since it opens later than the listener. */
export const noteOperationIn =
  (audit: () => AuditLog) =>
  ({ operationId, method, path, params, status, userId, address }: OperationCall): Promise<void> =>
    audit().note({
      kind: 'admin.operation',
      actor: { userId, address },
      subjectId: null,
      details: { operation: operationId, method, path, params: { ...params }, status },
    })
