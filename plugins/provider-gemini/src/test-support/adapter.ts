import type { ModelRequest, ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { requestTo } from '@agent-service/sdk/testing'
import { createGeminiAdapter } from '../adapter.js'

/** An adapter for the tests of a `describe` block, whose connections are closed after them. */
export function createTestAdapter(): ProviderAdapter {
  const client = createModelClient()
  after(() => client.close())
  return createGeminiAdapter(client)
}

/** A request in the generate-content protocol; what a test is about is passed in. */
export const geminiRequest = (baseUrl: string, changes: Parameters<typeof requestTo>[1] = {}): ModelRequest =>
  requestTo(baseUrl, { protocol: 'google-generate-content', model: 'gemini-3-pro', ...changes })

/** Who can read opaque parts of those requests. */
export const vendor = 'google-generate-content:custom:gemini-3-pro'
