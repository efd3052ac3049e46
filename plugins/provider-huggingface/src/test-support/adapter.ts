import type { ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import { createAnswerSeparator } from '@agent-service/sdk/model-answers'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { createHuggingFaceAdapter } from '../adapter.js'

/**
 * An adapter for the tests of a `describe` block, whose connections are closed after them. Many
 * models behind the router write reasoning into the text: its answers are read as the service does.
 */
export function createTestAdapter(): ProviderAdapter {
  const client = createModelClient()
  after(() => client.close())
  const adapter = createHuggingFaceAdapter(client)
  return {
    ...adapter,
    async *call(request, options) {
      const separator = createAnswerSeparator({ reasoning: 'opened' })
      for await (const event of adapter.call(request, options)) yield* separator.take(event)
    },
  }
}
