import { type Logger, ServiceError } from '@agent-service/sdk'
import type { HttpRoute, RouteRequest, RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { AuditEntry, AuditNotes } from '../../audit/index.js'
import { runWithin, type SurroundingOperation } from '../../work/work-context.js'
import { scopesOf } from './access.js'

const maxParameter = 200

/** Whether a route is for administrators and may change something. */
export const isNotedOperation = (route: HttpRoute): boolean =>
  (route.changes ?? route.method !== 'GET') &&
  (route.auth === 'admin' || scopesOf(route).includes('admin') || route.path.startsWith('/api/admin/'))

/**
 * Runs a handler so that its audit entries have the data of the request. If the handler of an
 * administrator's operation has noted nothing, notes the call before it is answered. A refused call
 * has changed nothing and is not noted; a failed one is.
 */
export async function runNoted(
  route: HttpRoute,
  request: RouteRequest,
  collaborators: { readonly audit: AuditNotes; readonly logger: Logger },
  handle: () => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const operation = operationOf(route, request)
  try {
    return await runWithin({ operation }, () =>
      isNotedOperation(route) ? handleNoted(route, request, collaborators, operation, handle) : handle(),
    )
  } finally {
    operation.open = false
  }
}

/**
 * Notes that an administrator opens a WebSocket, since its messages may change anything; resolves
 * when the entry is stored. Does nothing for routes that are not for administrators.
 */
export async function noteOpening(
  route: HttpRoute,
  opening: Pick<RouteRequest, 'params' | 'requestId' | 'address' | 'principal'>,
  audit: AuditNotes,
): Promise<void> {
  if (isNotedOperation(route)) await runWithin({ operation: operationOf(route, opening) }, () => audit.note(noteOf(route, opening, 101)))
}

const operationOf = (
  { operationId }: HttpRoute,
  { requestId, address, principal }: Pick<RouteRequest, 'requestId' | 'address' | 'principal'>,
): SurroundingOperation => ({
  operationId,
  requestId,
  address,
  userId: principal?.userId ?? null,
  sessionId: principal?.sessionId ?? null,
  tokenId: principal?.tokenId ?? null,
  open: true,
  noted: false,
})

async function handleNoted(
  route: HttpRoute,
  request: RouteRequest,
  { audit, logger }: { readonly audit: AuditNotes; readonly logger: Logger },
  operation: SurroundingOperation,
  handle: () => Promise<RouteResponse>,
): Promise<RouteResponse> {
  let response: RouteResponse
  try {
    response = await handle()
  } catch (error) {
    const status = ServiceError.isInstance(error) ? error.status : 500
    if (status >= 500)
      await audit
        .note(noteOf(route, request, status))
        .catch((failure: unknown) =>
          logger.error('A failed operation could not be noted in the audit log.', { error: failure, operation: route.operationId }),
        )
    throw error
  }
  const isRefused = response.status >= 400 && response.status < 500
  if (!isRefused && !operation.noted) await audit.note(noteOf(route, request, response.status))
  return response
}

/** The entry of a call: without its query and body. */
function noteOf(
  { operationId, method, path }: HttpRoute,
  { params, principal, address }: Pick<RouteRequest, 'params' | 'principal' | 'address'>,
  status: number,
): AuditEntry {
  const entries = typeof params === 'object' && params !== null ? Object.entries(params) : []
  const shown = entries.map(([name, value]): [string, string] => [name, String(value).slice(0, maxParameter)])
  return {
    kind: 'admin.operation',
    actor: { userId: principal?.userId ?? null, address },
    subjectId: null,
    details: { operation: operationId, method, path, params: Object.fromEntries(shown), status },
  }
}
