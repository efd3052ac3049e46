import { namedObject, Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { Agents } from '@agent-service/sdk/services/agents'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Inference } from '@agent-service/sdk/services/inference'
import { entryScopes, mayUseAgents, mayUseGroups, principalOf } from './caller.js'
import { openAiError } from './openai-error.js'

const model = namedObject('OpenAiModel', {
  id: Type.String({ description: 'The name of a model group, or `agent/<handle>`: the value for `model` of a request.' }),
  object: Type.Literal('model'),
  created: Type.Integer({
    description: 'In seconds since 1970: when the agent was created; for a group, when the service started.',
  }),
  owned_by: Type.String({ description: 'Handle of the connection that is tried first; `agent-service` for an agent.' }),
})

/**
 * `GET /v1/models`: the model groups and the caller's agents, all at once, as clients of the
 * protocol expect.
 */
export function createModelsRoute(dependencies: {
  readonly inference: Inference
  /** Undefined if the deployment has none. */
  readonly agents: Agents | undefined
  readonly clock: Clock
}): HttpRoute {
  const { inference, agents, clock } = dependencies
  const created = Math.floor(clock.now() / 1_000)
  return defineRoute({
    method: 'GET',
    path: '/v1/models',
    operationId: 'listOpenAiModels',
    summary: 'List model groups and agents for OpenAI clients',
    description: 'Lists what the token may use: model groups with the scope `inference`, agents with `read` and `write`.',
    tags: ['openai'],
    auth: 'user',
    actors: actorKinds,
    scope: entryScopes,
    answers: {
      200: {
        description: 'The groups and agents, all at once.',
        schema: namedObject('OpenAiModelList', { object: Type.Literal('list'), data: Type.Array(model) }),
      },
    },
    problemMembers: openAiError,
    async handle(request) {
      const principal = principalOf(request)
      const known = mayUseGroups(principal) ? inference.groups() : []
      const groups = known.map(({ name, provider }) => ({ id: name, created, owned_by: provider }))
      const own = agents && mayUseAgents(principal) ? await agents.list(principal.userId) : []
      const listed = own.map(({ handle, createdAt }) => ({
        ...{ id: `agent/${handle}`, created: Math.floor(Date.parse(createdAt) / 1_000), owned_by: 'agent-service' },
      }))
      return ok({ object: 'list', data: [...groups, ...listed].map((one) => ({ ...one, object: 'model' })) })
    },
  })
}
