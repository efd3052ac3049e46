import { definePlugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createScriptedAdapter } from './adapter.js'
import { configurationSchema } from './configuration.js'

/**
 * A provider without a network: plays scripts. Shows how a provider plugin is made, and answers in
 * the demo.
 */
export default definePlugin({
  manifest: {
    id: 'provider-scripted',
    apiVersion: 1,
    description: 'Answers from a script, for trying the service without a key.',
    contributes: ['provider.adapter'],
    config: configurationSchema,
  },
  setup(context) {
    context.contribute(providerAdapters, createScriptedAdapter(context.config))
  },
})
