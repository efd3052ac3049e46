import { defineError } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, type RouteRequest, type RouteResponse } from '@agent-service/sdk/contracts/http-route'
import {
  budgetExceededError,
  credentialMissingError,
  credentialUnusableError,
  type Inference,
  modelGroupUnusableError,
} from '@agent-service/sdk/services/inference'
import { callerOf, groupNamed } from '../caller.js'
import { type IgnoredFields, namingIgnored } from '../fields/ignored-fields.js'
import { maxRequestBytes } from '../messages/request-bounds.js'
import { callerError, modelNotFoundError, unsupportedParameterError } from '../openai-error.js'
import { embeddingList } from './embedding-list.js'
import { type EmbeddingsRequest, embeddingsRequestSchema, embedRequestOf } from './embeddings-request.js'

/** The model ignored the wanted length. */
const lengthMismatchError = defineError<{ readonly wanted: number; readonly actual: number }>({
  code: 'dimensions_unsupported',
  status: 400,
  title: 'Length not supported',
  message: ({ wanted, actual }) =>
    `The model makes vectors of ${actual} numbers and does not support dimensions: ${wanted}. Remove dimensions, or use another model group.`,
})

/** `POST /v1/embeddings`: vectors of texts, by a model group whose adapter makes them. */
export const createEmbeddingsRoute = ({ inference }: { readonly inference: Inference }): HttpRoute =>
  defineRoute({
    method: 'POST',
    path: '/v1/embeddings',
    operationId: 'createEmbeddings',
    summary: 'Create embeddings with a model group',
    description: '`GET /v1/models` shows which groups have an adapter that makes embeddings.',
    tags: ['openai'],
    auth: 'user',
    actors: actorKinds,
    scope: 'inference',
    rateClass: 'expensive',
    body: { kind: 'json', schema: embeddingsRequestSchema, limit: maxRequestBytes, illFormedTexts: 'repair' },
    errors: [
      unsupportedParameterError,
      modelNotFoundError,
      lengthMismatchError,
      modelGroupUnusableError,
      credentialMissingError,
      credentialUnusableError,
      budgetExceededError,
    ],
    answers: { 200: { description: 'The vectors in the order of the texts, and the usage.', contentType: 'application/json' } },
    handle: (request) => namingIgnored((ignored) => answer(request, ignored, inference)),
  })

async function answer(
  request: RouteRequest<unknown, unknown, EmbeddingsRequest>,
  ignored: IgnoredFields,
  inference: Inference,
): Promise<RouteResponse> {
  const { body, signal } = request
  const wanted = embedRequestOf(body, callerOf(request), ignored)
  groupNamed(body.model, inference)
  const embedding = await inference.embed(wanted, { signal }).catch((error: unknown) => {
    throw callerError(error)
  })
  const length = embedding.vectors[0]?.length
  if (typeof body.dimensions === 'number' && length !== body.dimensions)
    throw lengthMismatchError.create({ wanted: body.dimensions, actual: length ?? 0 })
  const stream = embeddingList(embedding, { model: body.model, encoding: body.encoding_format ?? 'float' })
  return { status: 200, kind: 'stream', contentType: 'application/json', stream }
}
