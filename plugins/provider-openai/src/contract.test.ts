import { describeProviderAdapter } from '@agent-service/sdk/testing'
import { createOpenAiAdapter } from './adapter.js'
import { startScenarioUpstream } from './test-support/scenario-upstream.js'

describeProviderAdapter({
  name: 'openai, completions',
  create: createOpenAiAdapter,
  scenarios: ['text', 'tool-call', 'parallel-calls', 'reasoning', 'cut-text', 'cut-tool-call', 'error', 'silent', 'endless'],
  upstream: startScenarioUpstream,
})
