import { notFoundError, type Principal, type RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type { Agent } from './agent.js'

/** The agent, where it is this user's. @throws `not_found`. */
export function ownAgent(agent: Agent | undefined, userId: string): Agent {
  if (agent?.user_id !== userId) throw notFoundError.create({ what: 'agent' })
  return agent
}

/** Who is behind the request. Every route of agents asks for `auth: 'user'`, so the host never calls without a principal. */
export function principalOf(request: Pick<RouteRequest, 'principal'>): Principal {
  if (!request.principal) throw new Error('A route that requires a user was called without a principal.')
  return request.principal
}
