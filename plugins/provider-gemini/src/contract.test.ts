import { createModelClient } from '@agent-service/sdk/provider-kit'
import { describeProviderAdapter, describeProviderFaults, providerScenarios } from '@agent-service/sdk/testing'
import { createGeminiAdapter } from './adapter.js'
import { geminiRequest } from './test-support/adapter.js'
import { startScenarioUpstream } from './test-support/scenario-upstream.js'
import { faultWire } from './test-support/wire.js'

const client = createModelClient()
after(() => client.close())

describeProviderAdapter({
  name: 'gemini, generate content',
  create: () => createGeminiAdapter(client),
  scenarios: providerScenarios,
  upstream: startScenarioUpstream,
})

describeProviderFaults({
  name: 'gemini, generate content',
  create: () => createGeminiAdapter(client),
  request: (baseUrl) => geminiRequest(baseUrl),
  wire: faultWire,
})
