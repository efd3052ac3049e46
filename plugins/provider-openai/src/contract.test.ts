import { describeProviderAdapter } from '@agent-service/sdk/testing'
import { createOpenAiAdapter } from './adapter.js'
import { startScenarioUpstream } from './test-support/scenario-upstream.js'
import { createConnectionPools } from './transport/connection-pools.js'

const pools = createConnectionPools()
after(() => pools.close())

describeProviderAdapter({
  name: 'openai, completions',
  create: () => createOpenAiAdapter(pools),
  scenarios: ['text', 'tool-call', 'parallel-calls', 'reasoning', 'cut-text', 'cut-tool-call', 'error', 'silent', 'endless'],
  upstream: startScenarioUpstream,
})
