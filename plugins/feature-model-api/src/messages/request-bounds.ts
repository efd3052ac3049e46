import type { JsonObject } from '@agent-service/sdk'
import { unsupportedParameterError } from '../openai-error.js'

/** The most messages or items of one request. */
export const maxMessages = 10_000
/** The most tools of one request. */
export const maxTools = 1_000
/** The most parts of content, calls and summaries of all messages of one request together. */
const maxParts = 50_000

/** @throws `unsupported_parameter` for more parts than are read in one piece without keeping others waiting. */
export function refuseManyParts(messages: readonly JsonObject[], param: string): void {
  let parts = 0
  for (const { content, tool_calls: calls, summary, output } of messages)
    for (const list of [content, calls, summary, output]) if (Array.isArray(list)) parts += list.length
  if (parts > maxParts)
    throw unsupportedParameterError.create({ param, reason: `has ${parts} parts in all; at most ${maxParts} are taken.` })
}
