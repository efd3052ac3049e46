import { definePlugin, type Plugin } from '@agent-service/sdk'
import { searchProviders } from '@agent-service/sdk/contracts/search-provider'
import { createBraveSearch } from './brave-search.js'

/** Web search by Brave Search. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'search-brave',
    apiVersion: 1,
    description: 'Web search by Brave Search.',
    contributes: ['search.provider'],
    permissions: [{ kind: 'network', targets: ['api.search.brave.com'], reason: 'Sends the searches of agents to Brave Search.' }],
  },
  setup: (context) => context.contribute(searchProviders, createBraveSearch()),
})
export default plugin
