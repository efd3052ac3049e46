import type { JsonObject } from '@agent-service/sdk'
import { unsupportedParameterError } from '../openai-error.js'

/** Maximum size of a request, in bytes. */
export const maxRequestBytes = 32 * 1024 * 1024
/** Maximum number of messages or items of one request. */
export const maxMessages = 10_000
/** Maximum number of tools of one request. */
export const maxTools = 1_000
/** Maximum number of content parts, calls and summaries in all messages of one request. */
const maxParts = 50_000

/** @throws `unsupported_parameter` for too many parts, which would block the event loop. */
export function refuseManyParts(messages: readonly JsonObject[], param: string): void {
  let parts = 0
  for (const { content, tool_calls: calls, summary, output } of messages)
    for (const list of [content, calls, summary, output]) if (Array.isArray(list)) parts += list.length
  if (parts > maxParts)
    throw unsupportedParameterError.create({ param, reason: `has ${parts} parts in total, but at most ${maxParts} are allowed.` })
}
