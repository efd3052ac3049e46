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
import type { Catalogue } from '../catalogue/catalogue.js'
import { priceSchema } from '../catalogue/catalogue-schema.js'
import type { Connections } from '../connections/connections.js'
import type { GroupRegistry } from '../targets/group-registry.js'
import { describeModel } from './describe-model.js'

const modelGroup = namedObject('ModelGroup', {
  name: Type.String(),
  provider: Type.String({ description: 'Handle of the connection that is tried first.' }),
  model: Type.String(),
  context_window: Type.Integer({ description: 'In tokens.' }),
  max_tokens: Type.Optional(Type.Integer()),
  tools: Type.Optional(
    Type.Boolean({ description: 'False if its model takes no tools, as its vendor or the catalogue says: agents answer without them.' }),
  ),
  embeds: Type.Optional(
    Type.Boolean({
      description: 'Present if it is for embeddings, not for answers: it is the group `embedding`, or its model is an embedding model.',
    }),
  ),
  title: Type.String({ description: 'The name of its model; its id if no name is known.' }),
  brand: Type.String(),
  brand_name: Type.String({ description: 'The name of the brand, for people.' }),
  input: Type.Optional(Type.Array(Type.String(), { description: 'Input types beside text. Absent: not known.' })),
  abilities: Type.Optional(Type.Array(Type.String(), { description: '`tools`, `reasoning`, `structured_output`. Absent: not known.' })),
  max_output_tokens: Type.Optional(Type.Integer({ description: 'The limit of its model.' })),
  price: Type.Optional(priceSchema),
  local: Type.Optional(Type.Boolean({ description: 'Present if it is called without a key, as on a computer of one’s own.' })),
  fallbacks: Type.Array(Type.String(), { description: 'The names of the models that are tried when its own one fails.' }),
})

/** `GET /api/models`: the model groups of this deployment. */
export function createModelsRoute(
  inference: Inference,
  dependencies: { readonly groups: GroupRegistry; readonly catalogue: Catalogue; readonly connections: Connections },
): HttpRoute {
  return defineRoute({
    method: 'GET',
    path: '/api/models',
    operationId: 'listModels',
    summary: 'List model groups',
    description:
      'With what people choose by: the name of the model that is tried first, what it takes and can do, and its price in US dollars per million tokens.',
    tags: ['models'],
    auth: 'user',
    actors: actorKinds,
    query: pageQuerySchema,
    answers: { 200: { description: 'One page, in the order of the configuration.', schema: pageSchema(modelGroup) } },
    async handle({ query }) {
      const page = pageOfList(inference.groups(), (group) => group.name, query)
      const items = page.items.flatMap((group) => {
        const configured = dependencies.groups.find(group.name)
        if (!configured) return []
        const { input, abilities, fallbacks, ...described } = describeModel(configured, dependencies)
        return [
          {
            ...group,
            ...described,
            ...(input && { input: [...input] }),
            ...(abilities && { abilities: [...abilities] }),
            fallbacks: [...fallbacks],
          },
        ]
      })
      return ok({ items, next_cursor: page.next_cursor })
    },
  })
}
