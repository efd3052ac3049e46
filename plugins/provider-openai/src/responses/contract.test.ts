import { createModelClient } from '@agent-service/sdk/provider-kit'
import { describeProviderAdapter, providerScenarios } from '@agent-service/sdk/testing'
import { createOpenAiAdapter } from '../adapter.js'
import { startResponsesUpstream } from '../test-support/responses-upstream.js'

const client = createModelClient()
after(() => client.close())

describeProviderAdapter({
  name: 'openai, responses',
  create: () => createOpenAiAdapter(client),
  scenarios: providerScenarios,
  upstream: startResponsesUpstream,
})
