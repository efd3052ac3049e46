import { definePlugin, type Plugin } from '@agent-service/sdk'
import { type ChannelErrorKind, channels } from '@agent-service/sdk/contracts/channel'
import { clockService } from '@agent-service/sdk/services/clock'
import { createDiscordChannel } from './channel.js'

/** Discord as a channel to agents. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'channel-discord',
    apiVersion: 1,
    description: 'Messages with Discord, over its gateway.',
    contributes: ['channel'],
    permissions: [
      {
        kind: 'network',
        targets: ['discord.com', '*.discord.gg', 'cdn.discordapp.com'],
        reason: 'Receives and sends messages and files at Discord.',
      },
    ],
  },
  setup(context) {
    const clock = context.use(clockService)
    const onUnacknowledged = (kind: ChannelErrorKind): void => context.log.debug('Discord shows a stored press as failed.', { kind })
    context.contribute(channels, createDiscordChannel({ clock, onUnacknowledged }))
  },
})
export default plugin
