import { createModelClient } from '@agent-service/sdk/provider-kit'
import { describeProviderAdapter, providerScenarios } from '@agent-service/sdk/testing'
import { createHuggingFaceAdapter } from './adapter.js'
import { startScenarioUpstream } from './test-support/scenario-upstream.js'

const client = createModelClient()
after(() => client.close())

describeProviderAdapter({
  name: 'huggingface',
  create: () => createHuggingFaceAdapter(client),
  scenarios: providerScenarios,
  upstream: startScenarioUpstream,
})
