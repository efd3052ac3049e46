import { Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import { entryScopes } from '../caller.js'
import { modelNotFoundError } from '../openai-error.js'
import { modelSchema, type VisibleModels } from './visible-models.js'

/**
 * `GET /v1/models/{model_id}`: one of the models that the list shows. Official clients encode the slash
 * of `agent/<handle>`.
 */
export const createRetrieveModelRoute = (visibleModels: VisibleModels): HttpRoute =>
  defineRoute({
    method: 'GET',
    path: '/v1/models/{model_id}',
    operationId: 'retrieveOpenAiModel',
    summary: 'Show a model group or an agent for OpenAI clients',
    description: 'The slash in `agent/<handle>` is encoded: `/v1/models/agent%2F<handle>`.',
    tags: ['openai'],
    auth: 'user',
    actors: actorKinds,
    scope: entryScopes,
    params: Type.Object({ model_id: Type.String({ minLength: 1, maxLength: 200 }) }),
    encodedSlashes: true,
    errors: [modelNotFoundError],
    answers: { 200: { description: 'The group or agent.', schema: modelSchema } },
    async handle(request) {
      const { model_id: model } = request.params
      const models = await visibleModels(request)
      const found = models.find(({ id }) => id === model)
      if (!found) throw modelNotFoundError.create({ model, known: models.map(({ id }) => id) })
      return ok({ ...found })
    },
  })
