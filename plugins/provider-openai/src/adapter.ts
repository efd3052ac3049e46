import {
  type EmbeddingRequest,
  type ModelRequest,
  type PictureLimits,
  type ProviderAdapter,
  providerError,
} from '@agent-service/sdk/contracts/provider-adapter'
import type { ModelClient } from '@agent-service/sdk/provider-kit'
import { callCompletions } from './completions/call.js'
import { createRefusedFields } from './connection/refused-fields.js'
import { createCopilotTokens } from './copilot/copilot-tokens.js'
import { embed } from './embeddings/embed.js'
import { listModels } from './model-list/list-models.js'
import { callResponses } from './responses/call.js'
import { completionsSettings, responsesSettings } from './typed-settings.js'

/**
 * The `adapter_alpha` family: OpenAI-style responses and chat completions. Remembers only which
 * fields its endpoint refuses, and the token that a GitHub token was exchanged for.
 */
export function createOpenAiAdapter(client: ModelClient): ProviderAdapter {
  const shared = { client, refusedFields: createRefusedFields(), copilotTokens: createCopilotTokens(client) }
  return {
    specVersion: 1,
    id: 'adapter_alpha',
    name: 'openai',
    protocols: [
      {
        id: 'completions',
        // The catalogue lists the aliases of the protocol and the protected paths of its body.
        aliases: [],
        settings: completionsSettings,
        supports: { logitBias: true, messageNames: true },
        protectedPaths: [],
        protectedStructuredPaths: [],
      },
      { id: 'responses', aliases: [], settings: responsesSettings, protectedPaths: [], protectedStructuredPaths: [] },
    ],
    supports: {
      streaming: true,
      tools: true,
      toolChoice: true,
      images: true,
      files: true,
      reasoning: true,
      opaqueParts: true,
      structuredOutput: true,
      strictTools: true,
      strictSchemas: true,
      jsonObject: true,
      parallelToolCalls: true,
      logprobs: true,
      imageDetail: true,
      embed: true,
      listModels: true,
    },
    pictures: pictureLimits,
    call(request, { signal }) {
      if (request.protocol === 'responses') return callResponses(request, { ...shared, signal })
      if (request.protocol !== 'completions') return refuse(request, unknownProtocol(request))
      if (request.connection.accountId !== undefined)
        return refuse(request, 'A signed-in account works only with the protocol “responses”.')
      return callCompletions(request, { ...shared, signal })
    },
    async embed(request, { signal }) {
      if (request.protocol !== 'completions' && request.protocol !== 'responses') throw refusalOf(request, unknownProtocol(request))
      if (request.connection.accountId !== undefined)
        throw refusalOf(request, 'A signed-in account cannot make vectors of texts. Use an API key.')
      return embed(request, { ...shared, signal })
    },
    listModels: (request, { signal }) => listModels(request, { ...shared, signal }),
  }
}

/** Types that all brands of the family take; their other limits differ. */
const pictureLimits: PictureLimits = { types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] }

const unknownProtocol = ({ protocol }: ModelRequest | EmbeddingRequest): string =>
  `The protocol “${protocol}” is not supported here. Use completions or responses.`

// biome-ignore lint/correctness/useYield: an iteration that fails at its first step.
async function* refuse(request: ModelRequest, reason: string): AsyncGenerator<never, void, undefined> {
  throw refusalOf(request, reason)
}

const refusalOf = ({ connection, model }: ModelRequest | EmbeddingRequest, reason: string): Error =>
  providerError.create({ failure: 'bad_request', retryable: false, connection: connection.handle, model, reason })
