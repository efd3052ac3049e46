import { definePlugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { createAnthropicAdapter } from './adapter.js'
import { messagesSettings } from './typed-settings.js'

/** Anthropic's messages protocol: the family `adapter_beta`. */
export default definePlugin({
  manifest: {
    id: 'provider-anthropic',
    apiVersion: 1,
    description: 'Calls models through Anthropic’s messages protocol (adapter_beta).',
    contributes: ['provider.adapter'],
    extends: [{ section: 'models', place: 'settings', variant: 'anthropic-messages', schema: messagesSettings }],
    permissions: [
      {
        kind: 'network',
        targetsFromConfiguration: ['/providers'],
        reason: 'Sends conversations to the configured model endpoints.',
      },
    ],
  },
  setup(context) {
    const client = createModelClient()
    context.onDispose(() => client.close())
    context.contribute(providerAdapters, createAnthropicAdapter(client))
    // The first call is near.
    client.load().catch((error: unknown) => context.log.warn('The HTTP client could not be loaded.', { error }))
  },
})
