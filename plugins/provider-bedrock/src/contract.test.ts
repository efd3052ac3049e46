import { createModelClient } from '@agent-service/sdk/provider-kit'
import { describeProviderAdapter, providerScenarios } from '@agent-service/sdk/testing'
import { createBedrockAdapter } from './adapter.js'
import { createTestAccess } from './test-support/adapter.js'
import { startScenarioUpstream } from './test-support/scenario-upstream.js'

const client = createModelClient()
after(() => client.close())

describeProviderAdapter({
  name: 'bedrock, Converse',
  create: () => createBedrockAdapter({ client, aws: createTestAccess(), now: Date.now }),
  scenarios: providerScenarios,
  upstream: startScenarioUpstream,
})
