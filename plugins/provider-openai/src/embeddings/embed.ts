import type { JsonObject } from '@agent-service/sdk'
import type { EmbeddingRequest, EmbeddingResult, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import {
  callFailure,
  type EmbeddingPart,
  embedTexts,
  endpointUrl,
  isObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { type CompletionsQuirks, readQuirks } from '../completions/quirks.js'
import { azureEndpoint } from '../connection/azure-endpoint.js'
import type { CallMeans } from '../connection/call-means.js'
import { failureSigns } from '../connection/failure-signs.js'
import { openConnection } from '../connection/open-connection.js'

const operation = '/embeddings'
/** OpenAI's own: 2,048 texts and 300,000 tokens; a character is rarely more than one. */
const own = { maxInputs: 2_048, maxCharacters: 300_000 } as const
/** The limit that every other brand accepts. */
const others = { maxInputs: 32, maxCharacters: 100_000 } as const

/** Makes vectors through `/embeddings`, the same for both protocols. */
export function embed(request: EmbeddingRequest, { signal, client, copilotTokens }: CallMeans): Promise<EmbeddingResult> {
  const { connection, model, dimensions } = request
  const quirks = readQuirks(connection.quirks)
  const opened = openConnection(asCall(request), quirks, copilotTokens)
  const isOwn = connection.brand === 'openai' || quirks.service === 'azure'
  return embedTexts(request, {
    ...(isOwn ? own : others),
    signal,
    client,
    signs: failureSigns,
    secrets: opened.secrets,
    mend: (refusal) => opened.renew(refusal),
    async prepare(inputs, callSignal) {
      const { baseUrl, headers } = await opened.reach(callSignal)
      const body = JSON.stringify({ model, input: inputs, ...(dimensions !== undefined && { dimensions }) })
      return { url: addressOf(baseUrl, model, quirks), headers, body }
    },
    read: readEmbeddings,
  })
}

function addressOf(baseUrl: string, model: string, quirks: CompletionsQuirks): URL {
  if (quirks.service === 'azure') return azureEndpoint(baseUrl, model, quirks.query, operation)
  if (!quirks.path.endsWith('/chat/completions'))
    throw callFailure({ failure: 'bad_request', retryable: false, reason: 'This brand has no endpoint for vectors of texts.' })
  const path = quirks.path.replace(/\/chat\/completions$/, operation)
  return endpointUrl(baseUrl, path.replaceAll('{model}', encodeURIComponent(model)), quirks.query)
}

/** Vectors may come in any order; each has an index. */
function readEmbeddings(answer: JsonObject): EmbeddingPart {
  const entries = listAt(answer, 'data').filter(isObject)
  const sorted = entries
    .map((entry, position) => ({ place: numberAt(entry, 'index') ?? position, vector: entry['embedding'] }))
    .sort((one, other) => one.place - other.place)
  const usage = objectAt(answer, 'usage')
  return {
    vectors: sorted.map(({ vector }) => vector),
    inputTokens: numberAt(usage, 'prompt_tokens') ?? numberAt(usage, 'total_tokens'),
    model: textAt(answer, 'model'),
  }
}

/** What opening a connection needs. */
const asCall = ({ connection, protocol, model, timeouts }: EmbeddingRequest): ModelRequest => ({
  ...{ connection, protocol, model, timeouts },
  ...{ messages: [], tools: [], settings: {}, extraParams: {}, stream: false },
})
