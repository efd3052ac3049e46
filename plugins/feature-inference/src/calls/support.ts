import type { ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'

/** What a request needs and the adapter cannot carry, in words; `undefined` when it can carry all of it. */
export function unsupportedBy({ supports }: ProviderAdapter, request: InferenceRequest): string | undefined {
  const has = (type: string): boolean =>
    request.messages.some((message) =>
      message.content.some(
        (part) => part.type === type || (part.type === 'tool_result' && part.content.some((inner) => inner.type === type)),
      ),
    )
  if (!supports.tools && request.tools.length > 0) return 'tools'
  if (!supports.images && has('image')) return 'images'
  if (!supports.files && has('file')) return 'files'
  if (!supports.structuredOutput && request.responseSchema !== undefined) return 'a schema for the answer'
  return undefined
}
