import type { Principal, RouteRequest } from '@agent-service/sdk/contracts/http-route'

/** Who is behind the request. Every route of this plugin asks for `auth: 'user'`, so the host never calls without a principal. */
export function principalOf(request: Pick<RouteRequest, 'principal'>): Principal {
  if (!request.principal) throw new Error('A route that requires a user was called without a principal.')
  return request.principal
}

/** The caller's user id. */
export const ownerOf = (request: Pick<RouteRequest, 'principal'>): string => principalOf(request).userId
