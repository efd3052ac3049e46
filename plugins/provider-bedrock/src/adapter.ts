import {
  type EmbeddingRequest,
  type ModelRequest,
  type PictureLimits,
  type ProviderAdapter,
  providerError,
} from '@agent-service/sdk/contracts/provider-adapter'
import type { ModelClient } from '@agent-service/sdk/provider-kit'
import { createAbilityMemory } from './converse/abilities.js'
import { callConverse } from './converse/call.js'
import { createServiceClock } from './converse/service-clock.js'
import type { AwsAccess } from './credentials/aws-access.js'
import { embed } from './embed/embed.js'
import { converseSettings } from './typed-settings.js'

/** What the adapter is made of. */
export interface BedrockAdapterOptions {
  readonly client: ModelClient
  readonly aws: AwsAccess
  /** In milliseconds since 1970. */
  now(): number
}

/**
 * The `adapter_delta` family: Amazon Bedrock Converse. Remembers only what models refuse, and the
 * offset of the service's clock.
 */
export function createBedrockAdapter({ client, aws, now }: BedrockAdapterOptions): ProviderAdapter {
  const memory = createAbilityMemory()
  const clock = createServiceClock(now)
  return {
    specVersion: 1,
    id: 'adapter_delta',
    name: 'bedrock',
    protocols: [
      {
        id: 'amazon-bedrock-converse',
        // The catalogue lists the aliases of the protocol and the protected paths of its body.
        aliases: [],
        settings: converseSettings,
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
      strictSchemas: true,
      embed: true,
    },
    pictures: pictureLimits,
    call(request, { signal }) {
      return request.protocol === 'amazon-bedrock-converse'
        ? callConverse(request, { signal, client, aws, clock, memory })
        : refuseProtocol(request)
    },
    async embed(request, { signal }) {
      if (request.protocol !== 'amazon-bedrock-converse') throw refusalOf(request)
      return embed(request, { signal, client, aws, clock })
    },
  }
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-call.html: 20 pictures of 3.75 MB and 8,000 pixels. */
const pictureLimits: PictureLimits = {
  types: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  maxBase64Length: 5_000_000,
  maxSide: 8_000,
  maxPictures: 20,
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
    reason: `The protocol “${wanted}” is not supported here. Use amazon-bedrock-converse.`,
  })
