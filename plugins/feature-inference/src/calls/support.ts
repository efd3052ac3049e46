import { type ContentPart, isTextFile, type ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'

/**
 * Describes what a request needs and the adapter does not support; `undefined` if it supports
 * everything.
 */
export function unsupportedBy({ supports }: ProviderAdapter, request: InferenceRequest): string | undefined {
  if (!supports.tools && request.tools.length > 0) return 'tools'
  for (const part of partsOf(request)) {
    if (part.type === 'image' && !supports.images) return 'images'
    if (part.type !== 'file') continue
    if (supports.files === false) return 'files'
    if (supports.files === 'text' && !isTextFile(part)) return 'files other than text (a PDF, a file at an address)'
  }
  if (!supports.structuredOutput && request.responseSchema !== undefined) return 'a schema for the answer'
  return undefined
}

/** Every part of the messages, including those in tool results. */
function* partsOf({ messages }: InferenceRequest): Generator<ContentPart, void, undefined> {
  for (const { content } of messages) {
    for (const part of content) {
      yield part
      if (part.type === 'tool_result') yield* part.content
    }
  }
}
