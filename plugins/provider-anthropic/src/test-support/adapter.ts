import type { ModelRequest, ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { requestTo } from '@agent-service/sdk/testing'
import { createAnthropicAdapter } from '../adapter.js'

/** An adapter for the tests of a `describe` block, whose connections are closed after them. */
export function createTestAdapter(): ProviderAdapter {
  const client = createModelClient()
  after(() => client.close())
  return createAnthropicAdapter(client)
}

/** A request in the messages protocol; what a test is about is passed in. */
export const messagesRequest = (baseUrl: string, changes: Parameters<typeof requestTo>[1] = {}): ModelRequest =>
  requestTo(baseUrl, { protocol: 'anthropic-messages', ...changes })
