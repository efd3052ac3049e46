import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'

/** The user whose browser is meant. */
export const callerOf = ({ principal }: Pick<RouteRequest, 'principal'>): string => {
  if (!principal) throw new Error('A route that requires a user was called without a principal.')
  return principal.userId
}
