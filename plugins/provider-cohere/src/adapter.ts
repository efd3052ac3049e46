import {
  type EmbeddingRequest,
  type ModelRequest,
  type PictureLimits,
  type ProviderAdapter,
  providerError,
} from '@agent-service/sdk/contracts/provider-adapter'
import type { ModelClient } from '@agent-service/sdk/provider-kit'
import { callChat } from './chat/call.js'
import { embed } from './embed/embed.js'
import { cohereSettings } from './typed-settings.js'

const protocol = 'cohere-chat'

/** The `adapter_epsilon` family: Cohere chat, version 2 of its API. Keeps nothing between calls. */
export function createCohereAdapter(client: ModelClient): ProviderAdapter {
  return {
    specVersion: 1,
    id: 'adapter_epsilon',
    name: 'cohere',
    // The catalogue lists the aliases of the protocol and the protected paths of its body.
    protocols: [{ id: protocol, aliases: [], settings: cohereSettings, protectedPaths: [], protectedStructuredPaths: [] }],
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
      imageDetail: true,
      embed: true,
    },
    pictures: pictureLimits,
    call(request, { signal }) {
      return request.protocol === protocol ? callChat(request, { signal, client }) : refuseProtocol(request)
    },
    async embed(request, { signal }) {
      if (request.protocol !== protocol) throw refusalOf(request)
      return embed(request, { signal, client })
    },
  }
}

/** https://docs.cohere.com/docs/image-inputs: 20 pictures, which may have 20 MB together. */
const pictureLimits: PictureLimits = { types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'], maxPictures: 20 }

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
