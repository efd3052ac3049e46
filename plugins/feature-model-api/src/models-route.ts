import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Inference } from '@agent-service/sdk/services/inference'
import { openAiError } from './openai-error.js'

const model = Type.Object({
  id: Type.String({ description: 'The name of a model group: what `model` of a request is.' }),
  object: Type.Literal('model'),
  created: Type.Integer({ description: 'When the service started, in seconds since 1970: groups have no age.' }),
  owned_by: Type.String({ description: 'Handle of the connection that is tried first.' }),
})

/** `GET /v1/models`: the model groups, in the shape that clients of the protocol expect: all at once. */
export function createModelsRoute(inference: Inference, clock: Clock): HttpRoute {
  const created = Math.floor(clock.now() / 1_000)
  return defineRoute({
    method: 'GET',
    path: '/v1/models',
    operationId: 'listOpenAiModels',
    summary: 'List model groups, as OpenAI clients expect it',
    tags: ['openai'],
    auth: 'user',
    scope: 'inference',
    answers: { 200: { description: 'All groups.', schema: Type.Object({ object: Type.Literal('list'), data: Type.Array(model) }) } },
    problemMembers: openAiError,
    handle: async () =>
      ok({
        object: 'list',
        data: inference.groups().map(({ name, provider }) => ({ id: name, object: 'model', created, owned_by: provider })),
      }),
  })
}
