import type { RouteRequest, RouteResponse } from '@agent-service/sdk/contracts/http-route'
import type { Agent } from '../store/agents/agent.js'
import { staleAgentError } from './errors.js'

/**
 * Checks a change against the version in `If-Match`, if the caller sent one. @throws `stale_agent`.
 */
export function checkVersion(request: Pick<RouteRequest, 'headers'>, agent: Pick<Agent, 'version'>): void {
  const header = request.headers['if-match']?.trim()
  if (header === undefined || header === '*') return
  const named = header.split(',').map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'))
  if (!named.includes(String(agent.version))) throw staleAgentError.create({ expected: named.join(', '), actual: agent.version })
}

/** The response with the agent's version as its entity tag. */
export const withVersion = (response: RouteResponse, agent: Pick<Agent, 'version'>): RouteResponse => ({
  ...response,
  headers: { ...response.headers, etag: `"${agent.version}"` },
})
