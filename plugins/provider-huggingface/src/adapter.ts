import { type ModelRequest, type PictureLimits, type ProviderAdapter, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { ModelClient } from '@agent-service/sdk/provider-kit'
import { callChat } from './chat/call.js'
import { createEndpointMemory } from './chat/endpoint-memory.js'
import { huggingFaceSettings } from './typed-settings.js'

const protocol = 'huggingface'

/**
 * The `adapter_eta` family: chat at Hugging Face. Remembers only which endpoints refuse
 * `stream_options`.
 */
export function createHuggingFaceAdapter(client: ModelClient): ProviderAdapter {
  const memory = createEndpointMemory()
  return {
    specVersion: 1,
    id: 'adapter_eta',
    name: 'huggingface',
    // The catalogue lists the aliases of the protocol and the protected paths of its body.
    protocols: [{ id: protocol, aliases: [], settings: huggingFaceSettings, protectedPaths: [], protectedStructuredPaths: [] }],
    supports: {
      streaming: true,
      tools: true,
      toolChoice: true,
      images: true,
      files: 'text',
      reasoning: true,
      opaqueParts: true,
      structuredOutput: true,
      strictTools: true,
      strictSchemas: true,
      jsonObject: true,
      parallelToolCalls: true,
      logprobs: true,
      logitBias: true,
      messageNames: true,
      imageDetail: true,
    },
    pictures: pictureLimits,
    call(request, { signal }) {
      return request.protocol === protocol ? callChat(request, { signal, client, memory }) : refuseProtocol(request)
    },
  }
}

/** Types that all brands of the family take; their other limits differ. */
const pictureLimits: PictureLimits = { types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] }

// biome-ignore lint/correctness/useYield: an iteration that fails at its first step.
async function* refuseProtocol(request: ModelRequest): AsyncGenerator<never, void, undefined> {
  throw providerError.create({
    failure: 'bad_request',
    retryable: false,
    connection: request.connection.handle,
    model: request.model,
    reason: `The protocol “${request.protocol}” is not supported here. Use ${protocol}.`,
  })
}
