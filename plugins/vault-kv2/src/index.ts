import { definePlugin, type Plugin } from '@agent-service/sdk'
import { vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { clockService } from '@agent-service/sdk/services/clock'
import { httpClientService } from '@agent-service/sdk/services/http-client'
import { createKv2Connector } from './connector.js'

/**
 * Loopback and the local networks. Only connections of the deployment ask for them, and only under
 * these permissions; the metadata services of clouds are refused in any case.
 */
const localNetworks = ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']

/** HashiCorp Vault and OpenBao as vaults. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'vault-kv2',
    apiVersion: 1,
    description: 'Reads and changes secrets of HashiCorp Vault and OpenBao (KV version 2).',
    contributes: ['vault.connector'],
    permissions: [
      {
        kind: 'network',
        targets: ['*', ...localNetworks],
        reason: 'Asks the server that a connection names: of a user, a public one; of the deployment, also one of the local network.',
      },
    ],
  },
  setup(context) {
    const clock = context.use(clockService)
    context.contribute(vaultConnectors, createKv2Connector({ http: context.use(httpClientService), now: () => clock.now() }))
  },
})
export default plugin
