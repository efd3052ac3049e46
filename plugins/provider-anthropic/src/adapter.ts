import { type ModelRequest, type PictureLimits, type ProviderAdapter, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { ModelClient } from '@agent-service/sdk/provider-kit'
import { callMessages, type SamplingMemory } from './messages/call.js'
import { listModels } from './model-list/list-models.js'
import { messagesSettings } from './typed-settings.js'

/** How many models are remembered at most. */
const memoryLimit = 256

/**
 * The `adapter_beta` family: Anthropic messages. Remembers only which models refuse `temperature`
 * together with `top_p`.
 */
export function createAnthropicAdapter(client: ModelClient): ProviderAdapter {
  const memory = createSamplingMemory()
  return {
    specVersion: 1,
    id: 'adapter_beta',
    name: 'anthropic',
    protocols: [
      {
        id: 'anthropic-messages',
        // The catalogue lists the aliases of the protocol and the protected paths of its body.
        aliases: [],
        settings: messagesSettings,
        protectedPaths: [],
        protectedStructuredPaths: [],
      },
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
      parallelToolCalls: true,
      listModels: true,
    },
    pictures: pictureLimits,
    call(request, { signal }) {
      return request.protocol === 'anthropic-messages' ? callMessages(request, { signal, memory, client }) : refuseProtocol(request)
    },
    listModels: (request, { signal }) => listModels(request, { signal, client }),
  }
}

// biome-ignore lint/correctness/useYield: an iteration that fails at its first step.
async function* refuseProtocol(request: ModelRequest): AsyncGenerator<never, void, undefined> {
  throw providerError.create({
    failure: 'bad_request',
    retryable: false,
    connection: request.connection.handle,
    model: request.model,
    reason: `The protocol “${request.protocol}” is not supported here. Use anthropic-messages.`,
  })
}

/**
 * https://platform.claude.com/docs/en/build-with-claude/vision: 8,000 pixels, 2,000 in a request with more than 20 pictures; 100
 * pictures for models with the smaller windows. The limit of 5 MiB is measured in base64.
 */
const pictureLimits: PictureLimits = {
  types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  maxBase64Length: 5 * 1024 * 1024,
  maxSide: 8_000,
  maxSideOfMany: { above: 20, maxSide: 2_000 },
  maxPictures: 100,
}

function createSamplingMemory(): SamplingMemory {
  const choosing = new Set<string>()
  return {
    takesOne: (model) => choosing.has(model),
    rememberTakesOne(model) {
      const oldest = choosing.values().next()
      if (choosing.size >= memoryLimit && !oldest.done) choosing.delete(oldest.value)
      choosing.add(model)
    },
  }
}
