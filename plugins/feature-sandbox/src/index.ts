import { definePlugin, type Plugin } from '@agent-service/sdk'
import { sandboxSection } from './configuration/sandbox-section.js'

/** Confined processes for the code of agents. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-sandbox',
    apiVersion: 1,
    description: 'Confined processes for the code of agents.',
    sections: { sandbox: sandboxSection },
  },
  setup: () => undefined,
})
export default plugin
