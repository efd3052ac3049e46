import { definePlugin, type Plugin } from '@agent-service/sdk'
import { searchProviders } from '@agent-service/sdk/contracts/search-provider'
import { createTavilySearch } from './tavily-search.js'

/** Web search by Tavily. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'search-tavily',
    apiVersion: 1,
    description: 'Web search by Tavily.',
    contributes: ['search.provider'],
    permissions: [{ kind: 'network', targets: ['api.tavily.com'], reason: 'Sends the searches of agents to Tavily.' }],
  },
  setup: (context) => context.contribute(searchProviders, createTavilySearch()),
})
export default plugin
