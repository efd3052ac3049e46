import {
  type EmbeddingRequest,
  type ModelRequest,
  type PictureLimits,
  type ProviderAdapter,
  providerError,
} from '@agent-service/sdk/contracts/provider-adapter'
import type { ModelClient } from '@agent-service/sdk/provider-kit'
import { callChat } from './chat/call.js'
import { ollamaSettings } from './chat/typed-settings.js'
import { embed } from './embed/embed.js'
import { listModels } from './model-list/list-models.js'

const protocol = 'ollama'

/** The `adapter_zeta` family: Ollama's own chat protocol. Keeps nothing between calls. */
export function createOllamaAdapter(client: ModelClient): ProviderAdapter {
  return {
    specVersion: 1,
    id: 'adapter_zeta',
    name: 'ollama',
    // The catalogue lists the aliases of the protocol and the protected paths of its body.
    protocols: [{ id: protocol, aliases: [], settings: ollamaSettings, protectedPaths: [], protectedStructuredPaths: [] }],
    supports: {
      streaming: true,
      tools: true,
      toolChoice: false,
      images: true,
      files: 'text',
      reasoning: true,
      opaqueParts: true,
      structuredOutput: true,
      strictSchemas: true,
      jsonObject: true,
      logprobs: true,
      embed: true,
      listModels: true,
    },
    pictures: pictureLimits,
    call(request, { signal }) {
      return request.protocol === protocol ? callChat(request, { signal, client }) : refuseProtocol(request)
    },
    async embed(request, { signal }) {
      if (request.protocol !== protocol) throw refusalOf(request)
      return embed(request, { signal, client })
    },
    listModels: (request, { signal }) => listModels(request, { signal, client }),
  }
}

/** What the server decodes before it asks the model. */
const pictureLimits: PictureLimits = { types: ['image/png', 'image/jpeg', 'image/webp'] }

// biome-ignore lint/correctness/useYield: an iteration that fails at its first step.
async function* refuseProtocol(request: ModelRequest): AsyncGenerator<never, void, undefined> {
  throw refusalOf(request)
}

const refusalOf = ({ connection, model, protocol: wanted }: ModelRequest | EmbeddingRequest): Error =>
  providerError.create({
    failure: 'bad_request',
    retryable: false,
    connection: connection.handle,
    model,
    reason: `The protocol “${wanted}” is not supported here. Use ${protocol}.`,
  })
