import { Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, ok, type RouteRequest } from '@agent-service/sdk/contracts/http-route'
import { entryScopes } from '../caller.js'
import { modelNotFoundError } from '../openai-error.js'
import { modelSchema, type VisibleModel, type VisibleModels } from './visible-models.js'

const shared = {
  method: 'GET',
  tags: ['openai'],
  auth: 'user',
  actors: actorKinds,
  scope: entryScopes,
  errors: [modelNotFoundError],
  answers: { 200: { description: 'The group or agent.', schema: modelSchema } },
} as const

/**
 * `GET /v1/models/{model_id}`: one of the models that the list shows. Official clients encode the slash
 * of `agent/<handle>`.
 */
export const createRetrieveModelRoute = (visibleModels: VisibleModels): HttpRoute =>
  defineRoute({
    ...shared,
    path: '/v1/models/{model_id}',
    operationId: 'retrieveOpenAiModel',
    summary: 'Show a model group or an agent for OpenAI clients',
    description: 'The slash in `agent/<handle>` is encoded: `/v1/models/agent%2F<handle>`.',
    params: Type.Object({ model_id: Type.String({ minLength: 1, maxLength: 200 }) }),
    encodedSlashes: true,
    handle: async (request) => ok({ ...(await modelNamed(request.params.model_id, request, visibleModels)) }),
  })

/** `GET /v1/models/{owner}/{model_name}`: the same for clients that do not encode the slash of an id. */
export const createRetrieveOwnedModelRoute = (visibleModels: VisibleModels): HttpRoute =>
  defineRoute({
    ...shared,
    path: '/v1/models/{owner}/{model_name}',
    operationId: 'retrieveOwnedOpenAiModel',
    summary: 'Show an agent for OpenAI clients that do not encode the slash of its id',
    description: 'The same as `/v1/models/{owner}%2F{model_name}`.',
    params: Type.Object({
      owner: Type.String({ minLength: 1, maxLength: 200, examples: ['agent'] }),
      model_name: Type.String({ minLength: 1, maxLength: 200 }),
    }),
    async handle(request) {
      const { owner, model_name: name } = request.params
      return ok({ ...(await modelNamed(`${owner}/${name}`, request, visibleModels)) })
    },
  })

/** @throws `model_not_found` with the models that the caller may use. */
async function modelNamed(model: string, request: Pick<RouteRequest, 'principal'>, visibleModels: VisibleModels): Promise<VisibleModel> {
  const models = await visibleModels(request)
  const found = models.find(({ id }) => id === model)
  if (!found) throw modelNotFoundError.create({ model, known: models.map(({ id }) => id) })
  return found
}
