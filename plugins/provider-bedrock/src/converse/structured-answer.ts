import type { JsonObject } from '@agent-service/sdk'
import type { ModelRequest, ResponseSchema } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure, objectAt, textAt } from '@agent-service/sdk/provider-kit'

/** How an answer by a schema is requested. `tool`: as a tool whose arguments are the answer. */
export type StructuredForm = { readonly kind: 'outputConfig' } | { readonly kind: 'tool'; readonly name: string }

/**
 * The form for a request; `undefined` without a schema. @throws a call failure if the schema must be
 * enforced and the model cannot.
 */
export function structuredForm(request: ModelRequest, outputConfig: boolean): StructuredForm | undefined {
  if (!request.responseSchema) return undefined
  if (outputConfig) return { kind: 'outputConfig' }
  if (request.responseSchema.strict === true)
    throw callFailure({
      failure: 'bad_request',
      retryable: false,
      reason: 'This model cannot enforce a schema. Leave out “strict” and check the answer, or use another model.',
    })
  const taken = new Set(request.tools.map(({ name }) => name))
  let name = request.responseSchema.name
  while (taken.has(name)) name = `${name}_answer`
  return { kind: 'tool', name }
}

/** The member `outputConfig`. */
export const outputConfig = ({ name, schema, description }: ResponseSchema): JsonObject => ({
  textFormat: {
    type: 'json_schema',
    structure: { jsonSchema: { schema: JSON.stringify(schema), name, ...(description !== undefined && { description }) } },
  },
})

/** Models that reason refuse a required tool. */
export function isReasoningForced({ extraParams }: ModelRequest): boolean {
  const fields = objectAt(extraParams, 'additionalModelRequestFields')
  return ['thinking', 'reasoning_config', 'reasoningConfig'].some((name) =>
    ['enabled', 'adaptive'].includes(textAt(objectAt(fields, name), 'type') ?? ''),
  )
}
