import { namedObject, Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { entryScopes } from '../caller.js'
import { modelSchema, type VisibleModels } from './visible-models.js'

/**
 * `GET /v1/models`: the model groups and the caller's agents, all at once, as clients of the
 * protocol expect.
 */
export const createListModelsRoute = (visibleModels: VisibleModels): HttpRoute =>
  defineRoute({
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
        schema: namedObject('OpenAiModelList', { object: Type.Literal('list'), data: Type.Array(modelSchema) }),
      },
    },
    handle: async (request) => ok({ object: 'list', data: (await visibleModels(request)).map((model) => ({ ...model })) }),
  })
