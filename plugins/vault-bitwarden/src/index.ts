import { definePlugin, type Plugin } from '@agent-service/sdk'
import { vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { clockService } from '@agent-service/sdk/services/clock'
import { httpClientService } from '@agent-service/sdk/services/http-client'
import { quotasService } from '@agent-service/sdk/services/quotas'
import { createBitwardenConnector } from './connector.js'
import { bitwardenWork, bitwardenWrites } from './take-turn.js'

/** Bitwarden accounts as vaults. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'vault-bitwarden',
    apiVersion: 1,
    description: 'Reads the items of accounts at Bitwarden and compatible servers, and changes their logins.',
    contributes: ['vault.connector'],
    permissions: [
      {
        kind: 'network',
        targets: ['*', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '127.0.0.0/8', 'fc00::/7', '::1'],
        reason:
          'Connects to the Bitwarden server that a connection names: a public one for connections of users, also one of the local network for those of the deployment.',
      },
    ],
  },
  setup(context) {
    const clock = context.use(clockService)
    const quotas = context.use(quotasService)
    const { connector, clear } = createBitwardenConnector({
      http: context.use(httpClientService),
      work: quotas.limit(bitwardenWork),
      writes: quotas.limit(bitwardenWrites),
      now: () => clock.monotonic(),
      date: () => clock.now(),
    })
    context.onDispose(clear)
    context.contribute(vaultConnectors, connector)
  },
})
export default plugin
