import { definePlugin, type Plugin } from '@agent-service/sdk'
import { channels } from '@agent-service/sdk/contracts/channel'
import { clockService } from '@agent-service/sdk/services/clock'
import { createTelegramChannel } from './channel.js'

/** People who write to their agents in Telegram. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'channel-telegram',
    apiVersion: 1,
    description: 'Messages over bots of Telegram.',
    contributes: ['channel'],
    permissions: [{ kind: 'network', targets: ['api.telegram.org'], reason: 'Reads and sends messages at Telegram.' }],
  },
  setup(context) {
    context.contribute(channels, createTelegramChannel({ clock: context.use(clockService), log: context.log }))
  },
})
export default plugin
