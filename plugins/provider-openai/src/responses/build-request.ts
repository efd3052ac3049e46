import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelRequest, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import { mergeExtraParameters, type ToolNames } from '@agent-service/sdk/provider-kit'
import { withoutFields } from '../connection/refused-fields.js'
import { accountInstructions, accountRefuses } from './account-endpoint.js'
import { buildInput } from './build-input.js'
import { opaqueVendor } from './opaque-items.js'
import type { ResponsesQuirks } from './quirks.js'
import { isStrictSchema } from './strict-schema.js'

/** Further inputs of the body. */
export interface BodyContext {
  readonly quirks: ResponsesQuirks
  readonly names: ToolNames
  /** Fields that the endpoint refused before. */
  readonly refused: ReadonlySet<string>
  /** Opaque parts are left out, since the vendor could not read them. Default false. */
  readonly withoutOpaque?: boolean
}

/**
 * The JSON body of a responses request: mapped, then merged with `extraParams`. Nothing is stored
 * at the vendor; reasoning travels encrypted with the conversation. The order of its keys is fixed,
 * so that prefixes can be cached.
 */
export function buildResponsesBody(request: ModelRequest, { quirks, names, refused, withoutOpaque }: BodyContext): JsonObject {
  const { connection, model, settings, tools, toolChoice, responseSchema } = request
  const isAccount = connection.accountId !== undefined
  const vendor = withoutOpaque === true ? '' : opaqueVendor(connection.brand, model)
  const { instructions, input } = buildInput(request.messages, { quirks, names, vendor })
  const told = instructions === '' && isAccount ? accountInstructions : instructions
  const limit = settings['max_completion_tokens'] ?? settings.max_tokens
  const body: Readonly<Record<string, JsonValue | undefined>> = {
    model,
    ...(told !== '' && { instructions: told }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name: names.wire(name),
        description,
        parameters,
        // The protocol's default is strict.
        strict: false,
      })),
      ...(toolChoice !== undefined && { tool_choice: wireToolChoice(toolChoice, names) }),
    }),
    input,
    store: false,
    include: includedFields(request, quirks),
    reasoning: reasoningOf(request, quirks),
    max_output_tokens: limit,
    temperature: settings.temperature,
    top_p: settings['top_p'],
    top_logprobs: settings['top_logprobs'],
    text: responseSchema && { format: formatOf(responseSchema) },
    stream: isAccount || request.stream ? true : undefined,
  }
  const present = Object.fromEntries(Object.entries(body).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined))
  const merged = mergeExtraParameters(present, request.extraParams)
  return withoutFields(isAccount ? withoutFields(merged, accountRefuses) : merged, refused)
}

/** Encrypted reasoning is requested whenever the model may reason: the vendor stores nothing. */
function includedFields({ model, settings }: ModelRequest, { reasoningModels }: ResponsesQuirks): JsonValue | undefined {
  const reasons = reasoningModels?.test(model) ?? true
  const fields = [
    ...(reasons ? ['reasoning.encrypted_content'] : []),
    ...(settings['top_logprobs'] === undefined ? [] : ['message.output_text.logprobs']),
  ]
  return fields.length > 0 ? fields : undefined
}

/**
 * A summary is requested if the model is known to reason or an effort is set; other models refuse
 * the member.
 */
function reasoningOf({ model, settings }: ModelRequest, { reasoningModels }: ResponsesQuirks): JsonValue | undefined {
  const effort = settings['reasoning_effort']
  if (effort === undefined && reasoningModels?.test(model) !== true) return undefined
  return { ...(effort !== undefined && { effort }), summary: 'auto' }
}

const wireToolChoice = (choice: ToolChoice, names: ToolNames): JsonValue =>
  typeof choice === 'object' ? { type: 'function', name: names.wire(choice.name) } : choice

const formatOf = ({ name, schema }: { readonly name: string; readonly schema: JsonObject }): JsonObject => ({
  type: 'json_schema',
  name,
  schema,
  strict: isStrictSchema(schema),
})
