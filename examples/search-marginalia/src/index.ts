import { definePlugin, Type } from '@agent-service/sdk'
import { searchProviders } from '@agent-service/sdk/contracts/search-provider'
import { createMarginaliaSearch } from './marginalia-search.js'

/** Web search with Marginalia. Shows a whole search provider of a third party: a key, settings, a request, failures. */
export default definePlugin({
  manifest: {
    id: 'search-marginalia',
    apiVersion: 1,
    description: 'Web search with Marginalia, an engine for small and independent sites.',
    contributes: ['search.provider'],
    config: Type.Object({
      max_per_site: Type.Optional(
        Type.Integer({ description: 'The most results of one site. Default: what the engine finds fit.', minimum: 1, maximum: 100 }),
      ),
      filter: Type.Optional(
        Type.String({ description: 'The name of a filter that belongs to the API key. Default: none.', minLength: 1, maxLength: 100 }),
      ),
    }),
    // Makes the id of the provider a value of `search.provider` in the configuration.
    extends: [{ section: 'search', place: 'provider', variant: 'marginalia', schema: Type.Object({}) }],
    permissions: [{ kind: 'network', targets: ['api2.marginalia-search.com'], reason: 'Sends the searches of agents to Marginalia.' }],
  },
  setup(context) {
    const { max_per_site: maxPerSite, filter } = context.config
    context.contribute(searchProviders, createMarginaliaSearch({ maxPerSite, filter }))
  },
})
