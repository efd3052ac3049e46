import { type AccessScope, type Principal, type RouteRequest, requirePerson, requireScopes } from '@agent-service/sdk/contracts/http-route'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { Inference } from '@agent-service/sdk/services/inference'
import { modelNotFoundError } from './openai-error.js'

/**
 * The caller. Every route of this plugin requires a user, so the kernel never calls it without a
 * principal.
 */
export function principalOf({ principal }: Pick<RouteRequest, 'principal'>): Principal {
  if (!principal) throw new Error('A route that requires a user was called without a principal.')
  return principal
}

/** The caller's user id. */
export const callerOf = (request: Pick<RouteRequest, 'principal'>): string => principalOf(request).userId

const agentPrefix = 'agent/'

/** Whether `model` of a request names an agent. */
export const isAgent = (model: string): boolean => model.startsWith(agentPrefix)

/** The handle of the agent that `model` names. */
export const agentHandle = (model: string): string => model.slice(agentPrefix.length)

/** A token needs any one of these to enter. {@link requireModel} checks what it may use. */
export const entryScopes: readonly AccessScope[] = ['inference', 'write']

const agentScopes: readonly AccessScope[] = ['read', 'write']
const groupScopes: readonly AccessScope[] = ['inference']

/** Whether the caller may use agents: a person, or a program of theirs that may read and write. */
export const mayUseAgents = ({ actor, scopes }: Principal): boolean => !actor && agentScopes.every((scope) => scopes.includes(scope))

/** Whether the caller may use model groups. */
export const mayUseGroups = ({ scopes }: Principal): boolean => groupScopes.every((scope) => scopes.includes(scope))

/**
 * Checks that the caller may use `model` of a request. @throws `people_only` if an agent calls an
 * agent, which could recurse without end; `forbidden`.
 */
export function requireModel({ principal }: Pick<RouteRequest, 'principal'>, model: string): void {
  if (isAgent(model)) requirePerson(principal, 'talk to agents here')
  requireScopes(principal, isAgent(model) ? agentScopes : groupScopes)
}

/** The values of `model` for this user: the model groups, and `agent/<handle>` for each agent. */
export async function modelsOf(
  userId: string,
  { agents, inference }: { readonly agents: Agents | undefined; readonly inference: Inference },
): Promise<readonly string[]> {
  const own = agents ? await agents.list(userId) : []
  return [...inference.groups().map(({ name }) => name), ...own.map(({ handle }) => `agent/${handle}`)]
}

/**
 * The model group that `model` names. No group substitutes another here. @throws `model_not_found`.
 */
export function groupNamed(model: string, inference: Inference): string {
  const known = inference.groups().map(({ name }) => name)
  if (known.includes(model)) return model
  throw modelNotFoundError.create({ model, known })
}
