import { definePlugin, type Plugin } from '@agent-service/sdk'
import { type Contributions, contributionsService } from '@agent-service/sdk/services/contributions'

/** What the service of this process has, as a plugin sees it; undefined before its start. */
export const probe: { contributions: Contributions | undefined } = { contributions: undefined }

/** Lends a bench the contributions of a service in the same process. */
const plugin: Plugin = definePlugin({
  manifest: { id: 'bench-probe', apiVersion: 1, description: 'Lends the contributions of the service to a bench.' },
  setup(context) {
    probe.contributions = context.use(contributionsService)
  },
})
export default plugin
