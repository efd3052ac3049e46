import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { Inference } from '@agent-service/sdk/services/inference'
import { modelNotFoundError } from './openai-error.js'

/** The caller's user id. Every route of this plugin asks for a user, so the host never calls without a principal. */
export function callerOf({ principal }: Pick<RouteRequest, 'principal'>): string {
  if (!principal) throw new Error('A route that requires a user was called without a principal.')
  return principal.userId
}

/** What `model` of a request of this user may be: the model groups, and `agent/<handle>` for each agent. */
export async function modelsOf(
  userId: string,
  { agents, inference }: { readonly agents: Agents | undefined; readonly inference: Inference },
): Promise<readonly string[]> {
  const own = agents ? await agents.list(userId) : []
  return [...inference.groups().map(({ name }) => name), ...own.map(({ handle }) => `agent/${handle}`)]
}

/** The model group that `model` of a request names. @throws `model_not_found`: a caller who names a model wants that one. */
export function groupNamed(model: string, inference: Inference): string {
  const known = inference.groups().map(({ name }) => name)
  if (known.includes(model)) return model
  throw modelNotFoundError.create({ model, known })
}
