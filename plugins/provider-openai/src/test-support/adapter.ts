import type { ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import { createOpenAiAdapter } from '../adapter.js'
import { createConnectionPools } from '../transport/connection-pools.js'

/** An adapter for the tests of a `describe` block, whose connections are closed after them. */
export function createTestAdapter(): ProviderAdapter {
  const pools = createConnectionPools()
  after(() => pools.close())
  return createOpenAiAdapter(pools)
}
