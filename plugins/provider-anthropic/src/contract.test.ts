import { createModelClient } from '@agent-service/sdk/provider-kit'
import { describeProviderAdapter, describeProviderFaults, providerScenarios } from '@agent-service/sdk/testing'
import { createAnthropicAdapter } from './adapter.js'
import { messagesRequest } from './test-support/adapter.js'
import { startScenarioUpstream } from './test-support/scenario-upstream.js'
import { faultWire } from './test-support/wire.js'

const client = createModelClient()
after(() => client.close())

describeProviderAdapter({
  name: 'anthropic, messages',
  create: () => createAnthropicAdapter(client),
  scenarios: providerScenarios,
  upstream: startScenarioUpstream,
})

describeProviderFaults({
  name: 'anthropic, messages',
  create: () => createAnthropicAdapter(client),
  request: (baseUrl) => messagesRequest(baseUrl),
  wire: faultWire,
})
