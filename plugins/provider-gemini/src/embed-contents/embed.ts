import type { JsonObject } from '@agent-service/sdk'
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

/**
 * Makes vectors through `batchEmbedContents` of the developer API. The API of a cloud project has
 * another operation.
 */
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
            ...contentOf(text, model, purpose),
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

/** From its second generation on, the model reads the purpose of a vector from the text. */
const readsPurposeInText = /\b(gemini-embedding-[2-9]|embeddinggemma)/

function contentOf(text: string, model: string, purpose: EmbeddingRequest['purpose']): JsonObject {
  const isQuery = purpose === 'query'
  if (readsPurposeInText.test(model)) {
    const marked = isQuery ? `task: search result | query: ${text}` : `title: none | text: ${text}`
    return { content: { parts: [{ text: marked }] } }
  }
  return { content: { parts: [{ text }] }, taskType: isQuery ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT' }
}

const cloudProject = {
  failure: 'bad_request',
  retryable: false,
  reason: 'Only the developer API makes vectors of texts, not the API of a cloud project. Use a connection with an API key.',
} as const
