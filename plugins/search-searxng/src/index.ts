import { definePlugin, type Plugin } from '@agent-service/sdk'
import { searchProviders } from '@agent-service/sdk/contracts/search-provider'
import { createSearxngSearch } from './searxng-search.js'

/** Web search by an instance of SearXNG. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'search-searxng',
    apiVersion: 1,
    description: 'Web search by an instance of SearXNG.',
    contributes: ['search.provider'],
    permissions: [
      {
        kind: 'network',
        targetsFromConfiguration: ['/search/selfhosted_base_url'],
        reason: 'Sends the searches of agents to the configured instance of SearXNG.',
      },
    ],
  },
  setup: (context) => context.contribute(searchProviders, createSearxngSearch()),
})
export default plugin
