import { definePlugin, type Plugin } from '@agent-service/sdk'
import { vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { clockService } from '@agent-service/sdk/services/clock'
import { httpClientService } from '@agent-service/sdk/services/http-client'
import { createOnePasswordConnector } from './connector.js'
import { ownHosts } from './members.js'

/** 1Password as vaults, with service accounts. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'vault-onepassword',
    apiVersion: 1,
    description: 'Reads and changes items of 1Password with service accounts.',
    contributes: ['vault.connector'],
    permissions: [
      { kind: 'network', targets: [...ownHosts], reason: 'Signs in to 1Password, and reads and writes the items of its vaults.' },
    ],
  },
  setup(context) {
    const { connector, close } = createOnePasswordConnector({ http: context.use(httpClientService), clock: context.use(clockService) })
    context.onDispose(close)
    context.contribute(vaultConnectors, connector)
  },
})
export default plugin
