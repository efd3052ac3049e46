import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelRequest, ResponseSchema, ToolChoice } from '@agent-service/sdk/contracts/provider-adapter'
import { callFailure, mergeExtraParameters, type ToolNames } from '@agent-service/sdk/provider-kit'
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
  refuseUnsendable(request)
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
      tools: tools.map(({ name, description, parameters, strict }) => ({
        type: 'function',
        name: names.wire(name),
        description,
        parameters,
        // The protocol's default is strict.
        strict: strict ?? false,
      })),
      ...(toolChoice !== undefined && { tool_choice: wireToolChoice(toolChoice, names) }),
      ...(request.parallelToolCalls !== undefined && { parallel_tool_calls: request.parallelToolCalls }),
    }),
    input,
    store: false,
    include: includedFields(request, quirks),
    reasoning: reasoningOf(request, quirks),
    max_output_tokens: limit,
    temperature: settings.temperature,
    top_p: settings['top_p'],
    top_logprobs: topLogprobs(request),
    text: responseSchema
      ? { format: formatOf(responseSchema) }
      : request.jsonObject === true
        ? { format: { type: 'json_object' } }
        : undefined,
    stream: isAccount || request.stream ? true : undefined,
  }
  const present = Object.fromEntries(Object.entries(body).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined))
  const merged = mergeExtraParameters(present, request.extraParams)
  const droppable = new Set([...refused].filter((field) => !isAskedFor(field, request)))
  return withoutFields(isAccount ? withoutFields(merged, accountRefuses) : merged, droppable)
}

/** Whether the caller asked for a field of the body, so that it may not be left out. */
export const isAskedFor = (field: string, { responseSchema, logprobs, settings, required = [] }: ModelRequest): boolean =>
  (field === 'text.format.strict' && responseSchema?.strict === true) ||
  (field === 'include' && logprobs !== undefined) ||
  (field === 'reasoning' && (settings['reasoning_effort'] !== undefined || required.includes('reasoning_effort')))

/** None but the chosen token is the protocol's default. */
const topLogprobs = ({ settings, logprobs }: ModelRequest): JsonValue | undefined =>
  logprobs && (logprobs.top > 0 || settings['top_logprobs'] !== undefined) ? logprobs.top : settings['top_logprobs']

/** Encrypted reasoning is requested whenever the model may reason: the vendor stores nothing. */
function includedFields({ model, settings, logprobs }: ModelRequest, { reasoningModels }: ResponsesQuirks): JsonValue | undefined {
  const reasons = reasoningModels?.test(model) ?? true
  const fields = [
    ...(reasons ? ['reasoning.encrypted_content'] : []),
    ...(settings['top_logprobs'] === undefined && !logprobs ? [] : ['message.output_text.logprobs']),
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

const formatOf = ({ name, description, schema, strict }: ResponseSchema): JsonObject => ({
  type: 'json_schema',
  name,
  ...(description !== undefined && { description }),
  schema,
  strict: strict ?? isStrictSchema(schema),
})

/** Settings that the endpoint for signed-in accounts does not take. */
const accountSettings: readonly string[] = ['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'top_logprobs']

/**
 * Refuses what the endpoint cannot be sent and what may not be left out, before the call. @throws a
 * call failure.
 */
export function refuseUnsendable({ connection, required = [], logprobs }: ModelRequest): void {
  if (connection.accountId === undefined) return
  const unsendable = [...accountSettings.filter((name) => required.includes(name)), ...(logprobs ? ['logprobs'] : [])]
  if (unsendable.length === 0) return
  const reason = `The account that this connection signs in with takes no ${unsendable.join(', ')}. Leave it out, or use an API key.`
  throw callFailure({ failure: 'bad_request', retryable: false, reason })
}
