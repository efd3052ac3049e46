import type { Principal, RouteRequest } from '@agent-service/sdk/contracts/http-route'

/**
 * The principal of the request. Every route of this plugin requires `auth: 'user'`, so the host
 * never calls without one.
 */
export function principalOf(request: Pick<RouteRequest, 'principal'>): Principal {
  if (!request.principal) throw new Error('A route that requires a user was called without a principal.')
  return request.principal
}

/** The caller's user id. */
export const ownerOf = (request: Pick<RouteRequest, 'principal'>): string => principalOf(request).userId
