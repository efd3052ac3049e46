import { fileURLToPath } from 'node:url'
import { definePlugin, type Plugin } from '@agent-service/sdk'
import { webPagesService } from '@agent-service/sdk/services/web-pages'
import { contentSecurityPolicy } from './content-security-policy.js'

/** The built console, beside the compiled plugin. */
const folder = fileURLToPath(new URL('./web/', import.meta.url))

/** The web console, served at `/`. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'feature-console',
    apiVersion: 1,
    description: 'The web console: chats, agents and administration in the browser.',
  },
  setup(context) {
    context.use(webPagesService).serve({ folder, contentSecurityPolicy })
  },
})
export default plugin
