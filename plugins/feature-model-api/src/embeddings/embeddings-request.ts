import { type Static, type TSchema, Type } from '@agent-service/sdk'
import type { EmbedRequest } from '@agent-service/sdk/services/inference'
import { isAgent } from '../caller.js'
import { checkFields, type FieldRules } from '../fields/field-rules.js'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { unsupportedParameterError } from '../openai-error.js'

/** Maximum number of texts of one request, as in the protocol. */
const maxTexts = 2_048

const text = Type.String({ minLength: 1, maxLength: 1_000_000 })

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))

/** The members of a request. Others are refused: they would change the vectors. */
const embeddingsFields: FieldRules = {
  ...{ model: 'carried', input: 'carried', encoding_format: 'carried', dimensions: 'carried' },
  ...{ user: 'ignored', metadata: 'ignored', safety_identifier: 'ignored', timeout: 'ignored', caching: 'ignored' },
}

/** A request of `POST /v1/embeddings`. {@link embedRequestOf} refuses the members that it does not name. */
export const embeddingsRequestSchema = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 200, description: 'A model group whose adapter makes embeddings.' }),
    input: Type.Union([text, Type.Array(Type.Unknown(), { minItems: 1, maxItems: maxTexts })], {
      description: 'A text, or a list of up to 2,048 texts. Lists of tokens are refused: models have different ones.',
    }),
    encoding_format: orNull(
      Type.Union([Type.Literal('float'), Type.Literal('base64')], {
        default: 'float',
        description: 'With `base64`, a vector is a string: its numbers as little-endian 32-bit floats.',
      }),
    ),
    dimensions: orNull(
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'The length of the vectors, for models that offer a choice.' }),
    ),
    user: orNull(Type.String({ maxLength: 1_000, description: 'Has no effect.' })),
  },
  { additionalProperties: true },
)
export type EmbeddingsRequest = Static<typeof embeddingsRequestSchema>

/** The request for the service. @throws `unsupported_parameter`. */
export function embedRequestOf(request: EmbeddingsRequest, userId: string, ignored: IgnoredFields): EmbedRequest {
  const { model, input, dimensions } = request
  checkFields(request, embeddingsFields, '', ignored)
  if (isAgent(model))
    throw unsupportedParameterError.create({ param: 'model', reason: 'is an agent, which makes no embeddings. Use a model group.' })
  const inputs = typeof input === 'string' ? [input] : input
  const wrong = inputs.findIndex((item) => typeof item !== 'string' || item === '')
  if (wrong !== -1)
    throw unsupportedParameterError.create({
      param: `input[${wrong}]`,
      reason: 'must be a text that is not empty; tokens are not supported.',
    })
  return {
    group: model,
    inputs: inputs as readonly string[],
    ...(typeof dimensions === 'number' && { dimensions }),
    attribution: { userId },
  }
}
