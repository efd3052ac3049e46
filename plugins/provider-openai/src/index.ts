import { definePlugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { createOpenAiAdapter } from './adapter.js'
import { completionsSettings, responsesSettings } from './typed-settings.js'

/** OpenAI-style responses and chat completions: the family `adapter_alpha`. */
export default definePlugin({
  manifest: {
    id: 'provider-openai',
    apiVersion: 1,
    description: 'Calls models through OpenAI-style responses and chat completions (adapter_alpha).',
    contributes: ['provider.adapter'],
    extends: [
      { section: 'models', place: 'settings', variant: 'completions', schema: completionsSettings },
      { section: 'models', place: 'settings', variant: 'responses', schema: responsesSettings },
    ],
    permissions: [
      {
        kind: 'network',
        targets: ['api.github.com', '*.githubcopilot.com', 'chatgpt.com'],
        targetsFromConfiguration: ['/providers'],
        reason:
          'Sends conversations to the configured model endpoints, exchanges GitHub tokens for Copilot tokens, and calls for signed-in accounts.',
      },
    ],
  },
  setup(context) {
    const client = createModelClient()
    context.onDispose(() => client.close())
    context.contribute(providerAdapters, createOpenAiAdapter(client))
    // The first call is near.
    client.load().catch((error: unknown) => context.log.warn('The HTTP client could not be loaded.', { error }))
  },
})
