import type { EmbeddingRequest, EmbeddingResult } from '@agent-service/sdk/contracts/provider-adapter'
import {
  callFailure,
  embedTexts,
  endpointUrl,
  isObject,
  listAt,
  type ModelClient,
  numberAt,
  objectAt,
} from '@agent-service/sdk/provider-kit'
import { credentialOf, modelPath, versionOf } from '../generate-content/address.js'
import { failureSigns, readRefusal } from '../generate-content/error-body.js'
import { readQuirks } from '../generate-content/quirks.js'

/** The vendor's limit. */
const maxInputs = 100

/** Makes vectors through `batchEmbedContents`, which the developer's interface has; that of a cloud project has another. */
export function embedContents(
  request: EmbeddingRequest,
  { signal, client }: { readonly signal: AbortSignal; readonly client: ModelClient },
): Promise<EmbeddingResult> {
  const { connection, model, purpose, dimensions } = request
  const { baseUrl, apiKey } = connection
  const quirks = readQuirks(connection.quirks)
  const name = modelPath(model)
  return embedTexts(request, {
    maxInputs,
    signal,
    client,
    signs: failureSigns,
    readError: ({ text }) => readRefusal(text),
    prepare(texts) {
      if (/\/projects\//.test(`${baseUrl}/${name}/`)) throw callFailure(cloudProject)
      return {
        url: endpointUrl(baseUrl, `${versionOf(baseUrl)}/${name}:batchEmbedContents`),
        headers: { ...quirks.headers, ...credentialOf(apiKey, quirks) },
        body: JSON.stringify({
          requests: texts.map((text) => ({
            model: decodeURIComponent(name),
            content: { parts: [{ text }] },
            taskType: purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT',
            ...(dimensions !== undefined && { outputDimensionality: dimensions }),
          })),
        }),
      }
    },
    read: (answer) => ({
      vectors: listAt(answer, 'embeddings').map((embedding) => (isObject(embedding) ? embedding['values'] : undefined)),
      inputTokens: numberAt(objectAt(answer, 'usageMetadata'), 'promptTokenCount'),
    }),
  })
}

const cloudProject = {
  failure: 'bad_request',
  retryable: false,
  reason: 'Vectors of texts are made by the developer’s interface alone, not by that of a cloud project. Use a connection with an API key.',
} as const
