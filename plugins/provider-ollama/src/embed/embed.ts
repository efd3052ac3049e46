import type { EmbeddingRequest, EmbeddingResult } from '@agent-service/sdk/contracts/provider-adapter'
import { embedTexts, endpointUrl, listAt, type ModelClient, numberAt, textAt } from '@agent-service/sdk/provider-kit'
import { rootOf } from '../chat/address.js'
import { ollamaSigns } from '../chat/failure-signs.js'
import { explainRefusedConnections } from '../chat/refused-connection.js'

/** The server has no limit, but processes all of them before it answers. */
const maxInputs = 64

/** Makes vectors through `/api/embed`. A text that is too long is an error, not cut. */
export function embed(
  request: EmbeddingRequest,
  { signal, client }: { readonly signal: AbortSignal; readonly client: ModelClient },
): Promise<EmbeddingResult> {
  const { connection, model, dimensions } = request
  const { baseUrl, apiKey } = connection
  const root = rootOf(baseUrl)
  return embedTexts(request, {
    maxInputs,
    signal,
    client: explainRefusedConnections(client, root),
    signs: ollamaSigns,
    prepare: (input) => ({
      url: endpointUrl(root, '/api/embed'),
      headers: apiKey === undefined ? {} : { authorization: /^Bearer /i.test(apiKey) ? apiKey : `Bearer ${apiKey}` },
      body: JSON.stringify({ model, input, truncate: false, ...(dimensions !== undefined && { dimensions }) }),
    }),
    read: (answer) => ({
      vectors: listAt(answer, 'embeddings'),
      inputTokens: numberAt(answer, 'prompt_eval_count'),
      model: textAt(answer, 'model'),
    }),
  })
}
