import { definePlugin, type Plugin } from '@agent-service/sdk'
import { type Contributions, contributionsService } from '@agent-service/sdk/services/contributions'

/** What the plugin was given when it last started. */
export let given: { readonly contributions: Contributions } | undefined

/** A plugin that hands the contributions of others to the test. */
const plugin: Plugin = definePlugin({
  manifest: { id: 'vaults-for-tests', apiVersion: 1, description: 'Hands the vault connectors to a test.' },
  setup(context) {
    given = { contributions: context.use(contributionsService) }
  },
})
export default plugin
