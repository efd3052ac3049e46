import { createModelClient } from '@agent-service/sdk/provider-kit'
import { describeProviderAdapter, providerScenarios } from '@agent-service/sdk/testing'
import { createOllamaAdapter } from './adapter.js'
import { startScenarioUpstream } from './test-support/scenario-upstream.js'

const client = createModelClient()
after(() => client.close())

describeProviderAdapter({
  name: 'ollama',
  create: () => createOllamaAdapter(client),
  scenarios: providerScenarios,
  upstream: startScenarioUpstream,
})
