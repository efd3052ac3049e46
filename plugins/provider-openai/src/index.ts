import { definePlugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createOpenAiAdapter } from './adapter.js'
import { createConnectionPools } from './transport/connection-pools.js'
import { completionsSettings, responsesSettings } from './typed-settings.js'

/** OpenAI-style chat completions: the family `adapter_alpha`. */
export default definePlugin({
  manifest: {
    id: 'provider-openai',
    apiVersion: 1,
    description: 'Calls models through OpenAI-style chat completions (adapter_alpha).',
    contributes: ['provider.adapter'],
    extends: [
      { section: 'models', place: 'settings', variant: 'completions', schema: completionsSettings },
      { section: 'models', place: 'settings', variant: 'responses', schema: responsesSettings },
    ],
    permissions: [
      {
        kind: 'network',
        targetsFromConfiguration: ['/providers'],
        reason: 'Sends conversations to the model endpoints that are configured.',
      },
    ],
  },
  setup(context) {
    const pools = createConnectionPools()
    context.onDispose(() => pools.close())
    context.contribute(providerAdapters, createOpenAiAdapter(pools))
  },
})
