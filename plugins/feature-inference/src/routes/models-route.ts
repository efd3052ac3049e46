import { namedObject, Type } from '@agent-service/sdk'
import {
  actorKinds,
  defineRoute,
  type HttpRoute,
  ok,
  pageOfList,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Inference } from '@agent-service/sdk/services/inference'

const modelGroup = namedObject('ModelGroup', {
  name: Type.String(),
  provider: Type.String({ description: 'Handle of the connection that is tried first.' }),
  model: Type.String(),
  context_window: Type.Integer({ description: 'In tokens.' }),
  max_tokens: Type.Optional(Type.Integer()),
  tools: Type.Optional(
    Type.Boolean({ description: 'False if its model takes no tools, as its vendor or the catalogue says: agents answer without them.' }),
  ),
  embeds: Type.Optional(Type.Boolean({ description: 'Present if its adapter makes embeddings.' })),
})

/** `GET /api/models`: the model groups of this deployment. */
export function createModelsRoute(inference: Inference): HttpRoute {
  return defineRoute({
    method: 'GET',
    path: '/api/models',
    operationId: 'listModels',
    summary: 'List model groups',
    tags: ['models'],
    auth: 'user',
    actors: actorKinds,
    query: pageQuerySchema,
    answers: { 200: { description: 'One page, in the order of the configuration.', schema: pageSchema(modelGroup) } },
    async handle({ query }) {
      const page = pageOfList(inference.groups(), (group) => group.name, query)
      return ok({ items: page.items.map((group) => ({ ...group })), next_cursor: page.next_cursor })
    },
  })
}
