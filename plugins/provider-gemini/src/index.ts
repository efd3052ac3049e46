import { definePlugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { clockService } from '@agent-service/sdk/services/clock'
import { createGeminiAdapter } from './adapter.js'
import { generateContentSettings } from './typed-settings.js'

/** How long after its setup the plugin loads what the first call needs, in milliseconds. */
const warmUpMs = 500

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
        reason: 'Sends conversations to the model endpoints that are configured.',
      },
    ],
  },
  setup(context) {
    const client = createModelClient()
    context.onDispose(() => client.close())
    context.contribute(providerAdapters, createGeminiAdapter(client))
    // Once the start is over, so that neither it nor the first call waits for the HTTP client.
    const warmUp = context.use(clockService, { optional: true })?.after(warmUpMs, () => {
      client.load().catch((error: unknown) => context.log.warn('The HTTP client could not be loaded.', { error }))
    })
    if (warmUp) context.onDispose(warmUp)
  },
})
