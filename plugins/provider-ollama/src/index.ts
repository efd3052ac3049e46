import { definePlugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { clockService } from '@agent-service/sdk/services/clock'
import { createOllamaAdapter } from './adapter.js'
import { ollamaSettings } from './chat/typed-settings.js'

/** How long after its setup the plugin loads what the first call needs, in milliseconds. */
const warmUpMs = 500

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
        reason: 'Sends conversations to the model endpoints that are configured.',
      },
    ],
  },
  setup(context) {
    const client = createModelClient()
    context.onDispose(() => client.close())
    context.contribute(providerAdapters, createOllamaAdapter(client))
    // Once the start is over, so that neither it nor the first call waits for the HTTP client.
    const warmUp = context.use(clockService, { optional: true })?.after(warmUpMs, () => {
      client.load().catch((error: unknown) => context.log.warn('The HTTP client could not be loaded.', { error }))
    })
    if (warmUp) context.onDispose(warmUp)
  },
})
