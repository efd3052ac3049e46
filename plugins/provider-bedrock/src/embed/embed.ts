import type { JsonObject } from '@agent-service/sdk'
import type { EmbeddingRequest, EmbeddingResult, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import {
  callFailure,
  type EmbeddingPart,
  embedTexts,
  listAt,
  numberAt,
  objectAt,
  type ResponseHeaders,
} from '@agent-service/sdk/provider-kit'
import { createAuthorizer } from '../converse/authorize.js'
import type { ConverseMeans } from '../converse/call.js'
import { bedrockSigns, readBedrockError } from '../converse/failures.js'
import { encodeStrictly } from '../signing/uri-encode.js'

/**
 * How one vendor's models make vectors: each vendor has its own bodies; only the transport is
 * shared.
 */
interface EmbeddingFamily {
  readonly maxInputs: number
  body(inputs: readonly string[], request: EmbeddingRequest): JsonObject
  vectors(answer: JsonObject): EmbeddingPart['vectors']
}

/** Amazon's takes one text at a time; its first version has vectors of one length alone. */
const titan: EmbeddingFamily = {
  maxInputs: 1,
  body: ([inputText = ''], { dimensions }) => ({ inputText, ...(dimensions !== undefined && { dimensions }) }),
  vectors: (answer) => [answer['embedding']],
}

const cohere: EmbeddingFamily = {
  maxInputs: 96,
  body: (texts, { purpose, dimensions }) => ({
    texts: [...texts],
    input_type: purpose === 'query' ? 'search_query' : 'search_document',
    embedding_types: ['float'],
    truncate: 'NONE',
    ...(dimensions !== undefined && { output_dimension: dimensions }),
  }),
  vectors: (answer) => (Array.isArray(answer['embeddings']) ? answer['embeddings'] : listAt(objectAt(answer, 'embeddings'), 'float')),
}

/** Makes vectors through InvokeModel, with models of Amazon (Titan) and of Cohere. */
export function embed(
  request: EmbeddingRequest,
  { signal, client, aws, clock }: Omit<ConverseMeans, 'memory'> & { readonly signal: AbortSignal },
): Promise<EmbeddingResult> {
  const family = familyOf(request.model)
  const authorizer = createAuthorizer(asCall(request), { aws, clock, signal })
  return embedTexts(request, {
    maxInputs: family?.maxInputs ?? 1,
    signal,
    client,
    async prepare(inputs, callSignal) {
      if (!family) throw callFailure(unknownFamily)
      // The model is one segment of the path, even if its id is an ARN with slashes.
      const url = await authorizer.url(`/model/${encodeStrictly(request.model)}/invoke`)
      const body = JSON.stringify(family.body(inputs, request))
      return { url, headers: { accept: 'application/json', ...(await authorizer.headers(url, body, callSignal)) }, body }
    },
    mend: (refusal) => authorizer.mend(refusal),
    readError: readBedrockError,
    signs: bedrockSigns,
    secrets: () => authorizer.secrets(),
    read: (answer, headers) => ({ vectors: family?.vectors(answer) ?? [], inputTokens: inputTokensOf(answer, headers) }),
  })
}

/** By the model's id, even with the prefix of a region or in an ARN. */
function familyOf(model: string): EmbeddingFamily | undefined {
  if (/\bamazon\.titan-embed-text/.test(model)) return titan
  return /\bcohere\.embed-/.test(model) ? cohere : undefined
}

function inputTokensOf(answer: JsonObject, headers: ResponseHeaders): number | undefined {
  const counted = headers.get('x-amzn-bedrock-input-token-count')
  return numberAt(answer, 'inputTextTokenCount') ?? (counted !== null && /^\d+$/.test(counted) ? Number(counted) : undefined)
}

/** What signing a call needs. */
const asCall = ({ connection, protocol, model, timeouts }: EmbeddingRequest): ModelRequest => ({
  ...{ connection, protocol, model, timeouts },
  ...{ messages: [], tools: [], settings: {}, extraParams: {}, stream: false },
})

const unknownFamily = {
  failure: 'bad_request',
  retryable: false,
  reason: 'Vectors of texts are not supported for this model. Use amazon.titan-embed-text or cohere.embed.',
} as const
