import { namedObject, Type } from '@agent-service/sdk'
import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Inference } from '@agent-service/sdk/services/inference'
import { mayUseAgents, mayUseGroups, principalOf } from '../caller.js'

/** A model in the form of the protocol. */
export const modelSchema = namedObject('OpenAiModel', {
  id: Type.String({ description: 'The name of a model group, or `agent/<handle>`: the value for `model` of a request.' }),
  object: Type.Literal('model'),
  created: Type.Integer({
    description: 'In seconds since 1970: when the agent was created; for a group, when the service started.',
  }),
  owned_by: Type.String({ description: 'Handle of the connection that is tried first; `agent-service` for an agent.' }),
  embeddings: Type.Boolean({ description: 'Whether it is for embeddings: `POST /v1/embeddings`.' }),
})

/** The models that a caller may use. */
export type VisibleModels = (request: Pick<RouteRequest, 'principal'>) => Promise<readonly VisibleModel[]>

/** A model of {@link modelSchema}. */
export interface VisibleModel {
  readonly id: string
  readonly object: 'model'
  readonly created: number
  readonly owned_by: string
  readonly embeddings: boolean
}

/** `agents` is undefined if the deployment has none. */
export function createVisibleModels(dependencies: {
  readonly inference: Pick<Inference, 'groups'>
  readonly agents: Pick<Agents, 'list'> | undefined
  readonly clock: Pick<Clock, 'now'>
}): VisibleModels {
  const { inference, agents, clock } = dependencies
  const startedAt = Math.floor(clock.now() / 1_000)
  return async (request) => {
    const principal = principalOf(request)
    const groups = mayUseGroups(principal) ? inference.groups() : []
    const own = agents && mayUseAgents(principal) ? await agents.list(principal.userId) : []
    return [
      ...groups.map(({ name, provider, embeds = false }) => ({
        ...{ id: name, object: 'model' as const, created: startedAt, owned_by: provider, embeddings: embeds },
      })),
      ...own.map(({ handle, createdAt }) => ({
        ...{ id: `agent/${handle}`, object: 'model' as const, created: Math.floor(Date.parse(createdAt) / 1_000) },
        ...{ owned_by: 'agent-service', embeddings: false },
      })),
    ]
  }
}
