import { definePlugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { clockService } from '@agent-service/sdk/services/clock'
import { createHuggingFaceAdapter } from './adapter.js'
import { huggingFaceSettings } from './typed-settings.js'

/** Delay between setup and loading the HTTP client, in milliseconds. */
const warmUpMs = 500

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
    // Neither the start nor the first call waits for the HTTP client.
    const warmUp = context.use(clockService, { optional: true })?.after(warmUpMs, () => {
      client.load().catch((error: unknown) => context.log.warn('The HTTP client could not be loaded.', { error }))
    })
    if (warmUp) context.onDispose(warmUp)
  },
})
