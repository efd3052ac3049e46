import type { JsonObject } from '@agent-service/sdk'
import type { ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'

/**
 * A tool call in the conversation of the caller. Its arguments are the text of a JSON object, or the object itself, as
 * some clients keep it. Another text stays as it is.
 */
export function readCall(id: string, name: string, text: unknown): ToolCallPart {
  const base = { type: 'tool_call', call_id: id, provider_call_id: id, name } as const
  if (typeof text === 'object' && text !== null && !Array.isArray(text)) return { ...base, arguments: text as JsonObject }
  if (typeof text !== 'string' || text.trim() === '') return { ...base, arguments: {} }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...base, arguments: value as JsonObject }
  } catch {
    // Not JSON: the model gets back the text that it wrote.
  }
  return { ...base, arguments: {}, invalid_arguments: text }
}

/** The text of a call's arguments, as the protocols have it. */
export const argumentsText = (call: ToolCallPart): string => call.invalid_arguments ?? JSON.stringify(call.arguments)
