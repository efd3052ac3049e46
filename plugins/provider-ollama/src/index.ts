import { definePlugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { createOllamaAdapter } from './adapter.js'
import { ollamaSettings } from './chat/typed-settings.js'

/** Ollama's chat protocol: the family `adapter_zeta`. */
export default definePlugin({
  manifest: {
    id: 'provider-ollama',
    apiVersion: 1,
    description: 'Calls models of a local Ollama (adapter_zeta).',
    contributes: ['provider.adapter'],
    extends: [{ section: 'models', place: 'settings', variant: 'ollama', schema: ollamaSettings }],
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
    context.contribute(providerAdapters, createOllamaAdapter(client))
    // The first call is near.
    client.load().catch((error: unknown) => context.log.warn('The HTTP client could not be loaded.', { error }))
  },
})
