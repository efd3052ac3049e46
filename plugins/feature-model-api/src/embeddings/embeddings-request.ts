import { type Static, Type } from '@agent-service/sdk'
import type { EmbedRequest } from '@agent-service/sdk/services/inference'
import { isAgent } from '../caller.js'
import { unsupportedParameterError } from '../openai-error.js'

/** Maximum number of texts of one request, as in the protocol. */
const maxTexts = 2_048

const text = Type.String({ minLength: 1, maxLength: 1_000_000 })

/**
 * A request of `POST /v1/embeddings`. Other members are refused: they would change the vectors.
 */
export const embeddingsRequestSchema = Type.Object({
  model: Type.String({ minLength: 1, maxLength: 200, description: 'A model group whose adapter makes embeddings.' }),
  input: Type.Union([text, Type.Array(Type.Unknown(), { minItems: 1, maxItems: maxTexts })], {
    description: 'A text, or a list of up to 2,048 texts. Lists of tokens are refused: models have different ones.',
  }),
  encoding_format: Type.Optional(
    Type.Union([Type.Literal('float'), Type.Literal('base64')], {
      default: 'float',
      description: 'With `base64`, a vector is a string: its numbers as little-endian 32-bit floats.',
    }),
  ),
  dimensions: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'The length of the vectors, for models that offer a choice.' }),
  ),
  user: Type.Optional(Type.String({ maxLength: 1_000, description: 'Has no effect.' })),
})
export type EmbeddingsRequest = Static<typeof embeddingsRequestSchema>

/** The request for the service. @throws `unsupported_parameter`. */
export function embedRequestOf({ model, input, dimensions }: EmbeddingsRequest, userId: string): EmbedRequest {
  if (isAgent(model))
    throw unsupportedParameterError.create({ param: 'model', reason: 'is an agent, which makes no embeddings. Use a model group.' })
  const inputs = typeof input === 'string' ? [input] : input
  const wrong = inputs.findIndex((item) => typeof item !== 'string' || item === '')
  if (wrong !== -1)
    throw unsupportedParameterError.create({
      param: `input[${wrong}]`,
      reason: 'must be a text that is not empty; tokens are not supported.',
    })
  return { group: model, inputs: inputs as readonly string[], ...(dimensions !== undefined && { dimensions }), attribution: { userId } }
}
