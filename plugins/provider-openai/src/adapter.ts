import { type ModelRequest, type ProviderAdapter, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { ModelClient } from '@agent-service/sdk/provider-kit'
import { callCompletions, type EndpointMemory } from './completions/call.js'
import { completionsSettings } from './typed-settings.js'

/** How many endpoints are remembered at most. */
const memoryLimit = 256

/** The `adapter_alpha` family: OpenAI-style chat completions. Keeps nothing of a call but which endpoints refuse `stream_options`. */
export function createOpenAiAdapter(client: ModelClient): ProviderAdapter {
  const memory = createEndpointMemory()
  return {
    specVersion: 1,
    id: 'adapter_alpha',
    name: 'openai',
    protocols: [
      {
        id: 'completions',
        // Other spellings of the protocol, and what the service owns of its body, stand in the catalogue.
        aliases: [],
        settings: completionsSettings,
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
    },
    call(request, { signal }) {
      return request.protocol === 'completions' ? callCompletions(request, { signal, memory, client }) : refuseProtocol(request)
    },
  }
}

// biome-ignore lint/correctness/useYield: an iteration that fails at its first step.
async function* refuseProtocol(request: ModelRequest): AsyncGenerator<never, void, undefined> {
  throw providerError.create({
    failure: 'bad_request',
    retryable: false,
    connection: request.connection.handle,
    model: request.model,
    reason: `The protocol “${request.protocol}” is not spoken here; completions is.`,
  })
}

function createEndpointMemory(): EndpointMemory {
  const refusing = new Set<string>()
  return {
    refusesStreamOptions: (baseUrl) => refusing.has(baseUrl),
    rememberStreamOptionsRefused(baseUrl) {
      const oldest = refusing.values().next()
      if (refusing.size >= memoryLimit && !oldest.done) refusing.delete(oldest.value)
      refusing.add(baseUrl)
    },
  }
}
