import { type ModelRequest, type ProviderAdapter, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { ModelClient } from '@agent-service/sdk/provider-kit'
import { callChat } from './chat/call.js'
import { ollamaSettings } from './chat/typed-settings.js'

const protocol = 'ollama'

/** The `adapter_zeta` family: Ollama's own chat protocol. Keeps nothing between calls. */
export function createOllamaAdapter(client: ModelClient): ProviderAdapter {
  return {
    specVersion: 1,
    id: 'adapter_zeta',
    name: 'ollama',
    // Other spellings of the protocol, and what the service owns of its body, stand in the catalogue.
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
    },
    call(request, { signal }) {
      return request.protocol === protocol ? callChat(request, { signal, client }) : refuseProtocol(request)
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
    reason: `The protocol “${request.protocol}” is not spoken here; ${protocol} is.`,
  })
}
