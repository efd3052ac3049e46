import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { unsupportedParameterError } from '../openai-error.js'

/** How a model samples: taken without effect, because an agent has settings of its own. */
const samplingSettings: readonly string[] = [
  ...['temperature', 'top_p', 'top_k', 'min_p', 'seed'],
  ...['frequency_penalty', 'presence_penalty', 'repetition_penalty'],
]

/** Notes the sampling settings of a request, which an agent ignores. */
export function noteSampling(body: Readonly<Record<string, unknown>>, ignored: IgnoredFields): void {
  for (const name of samplingSettings) if (body[name] !== undefined && body[name] !== null) ignored.add(name)
}

/** The protocols' defaults, which have no effect. */
const defaultValues: Readonly<Record<string, readonly JsonValue[]>> = { tool_choice: ['auto', 'none'], function_call: ['auto', 'none'] }

/**
 * An agent has its own model, limits and tools. @throws `unsupported_parameter` for the first of
 * these members with another value than the default, which would otherwise be ignored silently.
 */
export function refuseSettings(body: Readonly<Record<string, unknown>>, members: readonly string[]): void {
  for (const param of members) {
    const value = body[param] as JsonValue | undefined
    if (value === undefined || value === null || defaultValues[param]?.includes(value)) continue
    if (value === '' || (Array.isArray(value) && value.length === 0)) continue
    if (isPlainText(value) || (param === 'text' && asksForNothing(value))) continue
    throw unsupportedParameterError.create({
      param,
      reason: 'is not supported for agents: an agent has its own model, settings and tools. Remove it, or change the agent.',
    })
  }
}

/** `response_format: {type: "text"}`. */
const isPlainText = (value: JsonValue): boolean => isObject(value) && value['type'] === 'text'

/** `text: {format: {type: "text"}}`, or without a format; the other members of `text` have no effect. */
const asksForNothing = (value: JsonValue): boolean =>
  isObject(value) && (value['format'] === undefined || value['format'] === null || isPlainText(value['format']))

const isObject = (value: JsonValue): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
