import { expect } from 'chai'
import { plantPlain, read, type Step, send } from './step.js'

/** Connections to providers, model groups and the catalogue. */
export const providerSteps: Readonly<Record<string, Step>> = {
  listProviderConnections: read('/api/admin/connections'),
  listProviderAdapters: read('/api/admin/connections/adapters'),
  testConnection: {
    call: (world) =>
      send(world, 'POST', '/api/admin/connections/test', {
        ...{ provider: 'house', adapter: 'adapter_alpha', base_url: 'http://127.0.0.1:9/v1', model: 'some-model' },
        api_key: plantPlain(world, 'tested-key'),
      }),
    noted: 'connection.tested',
    check: (entry) => void expect(entry.details).to.include({ connection: 'house', brand: 'house', ok: false }),
  },
  listModelsOfConnection: {
    call: (world) =>
      send(world, 'POST', '/api/admin/connections/models', {
        ...{ provider: 'house', adapter: 'adapter_alpha', base_url: 'http://127.0.0.1:9/v1' },
        api_key: plantPlain(world, 'listing-key'),
      }),
  },
  // The tests of connections look at the entry of one that is there.
  testModelGroup: { call: (world) => send(world, 'POST', '/api/admin/model-groups/none/test'), statuses: [404] },
  refreshCatalogue: {
    call: (world) => send(world, 'POST', '/api/admin/catalogue/refresh'),
    // The list is on the network, which need not be there.
    statuses: [200, 503],
    noted: ({ status }) => (status === 200 ? 'catalogue.refreshed' : 'admin.operation'),
  },
}
