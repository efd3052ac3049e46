import { definePlugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { createGeminiAdapter } from './adapter.js'
import { generateContentSettings } from './typed-settings.js'

/** Google’s generate-content protocol: the family `adapter_gamma`. */
export default definePlugin({
  manifest: {
    id: 'provider-gemini',
    apiVersion: 1,
    description: 'Calls models through Google’s generate-content protocol (adapter_gamma).',
    contributes: ['provider.adapter'],
    extends: [{ section: 'models', place: 'settings', variant: 'google-generate-content', schema: generateContentSettings }],
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
    context.contribute(providerAdapters, createGeminiAdapter(client))
    // The first call is near.
    client.load().catch((error: unknown) => context.log.warn('The HTTP client could not be loaded.', { error }))
  },
})
