import { definePlugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { createHuggingFaceAdapter } from './adapter.js'
import { huggingFaceSettings } from './typed-settings.js'

/**
 * Chat through the Hugging Face router and its text-generation servers: the family `adapter_eta`.
 */
export default definePlugin({
  manifest: {
    id: 'provider-huggingface',
    apiVersion: 1,
    description: 'Calls models through the Hugging Face router (adapter_eta).',
    contributes: ['provider.adapter'],
    extends: [{ section: 'models', place: 'settings', variant: 'huggingface', schema: huggingFaceSettings }],
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
    context.contribute(providerAdapters, createHuggingFaceAdapter(client))
    // The first call is near.
    client.load().catch((error: unknown) => context.log.warn('The HTTP client could not be loaded.', { error }))
  },
})
