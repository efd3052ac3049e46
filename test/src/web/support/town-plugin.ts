import { definePlugin, type Plugin, Type } from '@agent-service/sdk'
import { defineSearchProvider, searchProviders } from '@agent-service/sdk/contracts/search-provider'

const results = [{ url: 'https://town.example/', title: 'Town', snippet: 'All about the town.' }]

/** A search provider as a third party writes it. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'search-town',
    apiVersion: 1,
    contributes: ['search.provider'],
    extends: [{ section: 'search', place: 'provider', variant: 'town', schema: Type.Object({}) }],
  },
  setup: (context) =>
    context.contribute(searchProviders, defineSearchProvider({ id: 'town', title: 'Town search', search: async () => ({ results }) })),
})
export default plugin
