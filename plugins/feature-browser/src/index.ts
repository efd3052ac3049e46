import type { Plugin } from '@agent-service/sdk'
import { createBrowserPlugin } from './compose/plugin-setup.js'

/** A headless browser as a tool of agents. */
const plugin: Plugin = createBrowserPlugin()
export default plugin
