import { definePlugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { createCohereAdapter } from './adapter.js'
import { cohereSettings } from './typed-settings.js'

/** Cohere's chat protocol: the family `adapter_epsilon`. */
export default definePlugin({
  manifest: {
    id: 'provider-cohere',
    apiVersion: 1,
    description: "Calls models through Cohere's chat protocol (adapter_epsilon).",
    contributes: ['provider.adapter'],
    extends: [{ section: 'models', place: 'settings', variant: 'cohere-chat', schema: cohereSettings }],
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
    context.contribute(providerAdapters, createCohereAdapter(client))
    // The first call is near.
    client.load().catch((error: unknown) => context.log.warn('The HTTP client could not be loaded.', { error }))
  },
})
