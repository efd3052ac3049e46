import { definePlugin, type Plugin } from '@agent-service/sdk'
import { channels } from '@agent-service/sdk/contracts/channel'
import { clockService } from '@agent-service/sdk/services/clock'
import { createEmailChannel } from './channel.js'

/** Loopback and the local networks. Only connections that an administrator has set up lead there. */
const localNetworks = ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']

/** People who write to their agents by e-mail. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'channel-email',
    apiVersion: 1,
    description: 'Messages by e-mail, over IMAP and SMTP.',
    contributes: ['channel'],
    permissions: [
      {
        kind: 'network',
        targets: ['*', ...localNetworks],
        reason:
          'Reads mails at the mail server of a connection and hands answers to it: of a user, a public one; of the deployment, also one of the local network.',
      },
    ],
  },
  setup(context) {
    context.contribute(channels, createEmailChannel({ clock: context.use(clockService), log: context.log }))
  },
})
export default plugin
