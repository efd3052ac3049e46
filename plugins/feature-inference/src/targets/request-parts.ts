import type { ContentPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceRequest } from '@agent-service/sdk/services/inference'

/** Every part of the messages, including those in tool results. */
export function* partsOf({ messages }: Pick<InferenceRequest, 'messages'>): Generator<ContentPart, void, undefined> {
  for (const { content } of messages) {
    for (const part of content) {
      yield part
      if (part.type === 'tool_result') yield* part.content
    }
  }
}
