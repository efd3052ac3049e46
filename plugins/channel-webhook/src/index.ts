import { definePlugin, type Plugin } from '@agent-service/sdk'
import { channels } from '@agent-service/sdk/contracts/channel'
import { clockService } from '@agent-service/sdk/services/clock'
import { httpClientService } from '@agent-service/sdk/services/http-client'
import { createWebhookChannel } from './channel.js'

/** Loopback and the local networks. Only connections that an administrator has set up ask for them. */
const localNetworks = ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']

/** Programs that talk to agents by signed requests. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'channel-webhook',
    apiVersion: 1,
    description: 'Messages of programs over signed webhooks, in both directions.',
    contributes: ['channel'],
    permissions: [
      {
        kind: 'network',
        targets: ['*', ...localNetworks],
        reason: 'Posts answers to the address of a connection: of a user, a public one; of the deployment, also one of the local network.',
      },
    ],
  },
  setup(context) {
    context.contribute(channels, createWebhookChannel({ http: context.use(httpClientService), clock: context.use(clockService) }))
  },
})
export default plugin
