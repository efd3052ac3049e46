import {
  type EmbeddingRequest,
  type ModelRequest,
  type PictureLimits,
  type ProviderAdapter,
  providerError,
} from '@agent-service/sdk/contracts/provider-adapter'
import type { ModelClient } from '@agent-service/sdk/provider-kit'
import { embedContents } from './embed-contents/embed.js'
import { callGenerateContent, type SchemaMemory } from './generate-content/call.js'
import { listModels } from './model-list/list-models.js'
import { generateContentSettings } from './typed-settings.js'

/** How many endpoints are remembered at most. */
const memoryLimit = 256

/**
 * The `adapter_gamma` family: Google generate content. Remembers only which endpoints do not
 * support JSON Schema for tools.
 */
export function createGeminiAdapter(client: ModelClient): ProviderAdapter {
  const memory = createSchemaMemory()
  return {
    specVersion: 1,
    id: 'adapter_gamma',
    name: 'gemini',
    protocols: [
      {
        id: 'google-generate-content',
        // The catalogue lists the aliases of the protocol and the protected paths of its body.
        aliases: [],
        settings: generateContentSettings,
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
      jsonObject: true,
      logprobs: true,
      imageDetail: true,
      embed: true,
      listModels: true,
    },
    pictures: pictureLimits,
    call(request, { signal }) {
      return request.protocol === 'google-generate-content'
        ? callGenerateContent(request, { signal, memory, client })
        : refuseProtocol(request)
    },
    async embed(request, { signal }) {
      if (request.protocol !== 'google-generate-content') throw refusalOf(request)
      return embedContents(request, { signal, client })
    },
    listModels: (request, { signal }) => listModels(request, { signal, client }),
  }
}

/** https://ai.google.dev/gemini-api/docs/image-understanding: it takes no GIF; one picture in a request has at most 7 MB. */
const pictureLimits: PictureLimits = {
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'],
  maxBase64Length: 9_000_000,
}

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
    reason: `The protocol “${wanted}” is not supported here. Use google-generate-content.`,
  })

function createSchemaMemory(): SchemaMemory {
  const plain = new Set<string>()
  return {
    knowsNoJsonSchema: (baseUrl) => plain.has(baseUrl),
    rememberNoJsonSchema(baseUrl) {
      const oldest = plain.values().next()
      if (plain.size >= memoryLimit && !oldest.done) plain.delete(oldest.value)
      plain.add(baseUrl)
    },
  }
}
