import type { ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { createOllamaAdapter } from '../adapter.js'

/** An adapter for the tests of a `describe` block, whose connections are closed after them. */
export function createTestAdapter(): ProviderAdapter {
  const client = createModelClient()
  after(() => client.close())
  return createOllamaAdapter(client)
}
