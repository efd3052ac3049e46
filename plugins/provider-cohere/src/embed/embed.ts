import type { EmbeddingRequest, EmbeddingResult } from '@agent-service/sdk/contracts/provider-adapter'
import { embedTexts, endpointUrl, listAt, type ModelClient, numberAt, objectAt } from '@agent-service/sdk/provider-kit'
import { cohereSigns } from '../chat/failure-signs.js'

/** The vendor's limit. */
const maxInputs = 96

/** Makes vectors through `/v2/embed`. A text that is too long is an error, not cut. */
export function embed(
  request: EmbeddingRequest,
  { signal, client }: { readonly signal: AbortSignal; readonly client: ModelClient },
): Promise<EmbeddingResult> {
  const { connection, model, purpose, dimensions } = request
  const { baseUrl, apiKey } = connection
  return embedTexts(request, {
    maxInputs,
    signal,
    client,
    signs: cohereSigns,
    prepare: (texts) => ({
      // The address of a proxy often contains the version.
      url: endpointUrl(baseUrl, /\/v2\/*$/.test(baseUrl) ? '/embed' : '/v2/embed'),
      headers: apiKey === undefined ? {} : { authorization: /^Bearer /i.test(apiKey) ? apiKey : `Bearer ${apiKey}` },
      body: JSON.stringify({
        model,
        texts,
        input_type: purpose === 'query' ? 'search_query' : 'search_document',
        embedding_types: ['float'],
        truncate: 'NONE',
        ...(dimensions !== undefined && { output_dimension: dimensions }),
      }),
    }),
    read: (answer) => ({
      vectors: listAt(objectAt(answer, 'embeddings'), 'float'),
      inputTokens: numberAt(objectAt(objectAt(answer, 'meta'), 'billed_units'), 'input_tokens'),
    }),
  })
}
