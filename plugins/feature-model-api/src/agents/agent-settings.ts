import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { unsupportedParameterError } from '../openai-error.js'

/** How a model samples: taken without effect, because an agent has settings of its own. */
const samplingSettings: readonly string[] = [
  ...['temperature', 'top_p', 'top_k', 'min_p', 'seed'],
  ...['frequency_penalty', 'presence_penalty', 'repetition_penalty'],
]

/**
 * The header that names the sampling settings of a request, which an agent ignores; no header if
 * there are none.
 */
export function ignoredHeaders(body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const ignored = samplingSettings.filter((name) => body[name] !== undefined && body[name] !== null)
  return ignored.length === 0 ? {} : { 'x-ignored-parameters': ignored.join(', ') }
}

/** The protocols' defaults, which have no effect. */
const defaultValues: Readonly<Record<string, readonly JsonValue[]>> = { tool_choice: ['auto', 'none'] }

/**
 * An agent has its own model, limits and tools. @throws `unsupported_parameter` for the first of
 * these members with another value than the default, which would otherwise be ignored silently.
 */
export function refuseSettings(body: Readonly<Record<string, unknown>>, members: readonly string[]): void {
  for (const param of members) {
    const value = body[param] as JsonValue | undefined
    if (value === undefined || value === null || defaultValues[param]?.includes(value)) continue
    if (Array.isArray(value) && value.length === 0) continue
    if (isPlainText(value)) continue
    throw unsupportedParameterError.create({
      param,
      reason: 'is not supported for agents: an agent has its own model, settings and tools. Remove it, or change the agent.',
    })
  }
}

/** `response_format: {type: "text"}` and `text: {format: {type: "text"}}`. */
function isPlainText(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { type, format } = value as JsonObject
  return type === 'text' || (typeof format === 'object' && format !== null && isPlainText(format) && Object.keys(value).length === 1)
}
