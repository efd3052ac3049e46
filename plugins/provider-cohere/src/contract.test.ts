import { createModelClient } from '@agent-service/sdk/provider-kit'
import { describeProviderAdapter, providerScenarios } from '@agent-service/sdk/testing'
import { createCohereAdapter } from './adapter.js'
import { startScenarioUpstream } from './test-support/scenario-upstream.js'

const client = createModelClient()
after(() => client.close())

describeProviderAdapter({
  name: 'cohere',
  create: () => createCohereAdapter(client),
  scenarios: providerScenarios,
  upstream: startScenarioUpstream,
})
