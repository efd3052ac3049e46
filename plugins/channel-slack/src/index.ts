import { definePlugin, type Plugin } from '@agent-service/sdk'
import { channels } from '@agent-service/sdk/contracts/channel'
import { clockService } from '@agent-service/sdk/services/clock'
import { createSlackChannel } from './channel.js'

/** Slack as a channel to agents. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'channel-slack',
    apiVersion: 1,
    description: 'Messages with Slack, by Socket Mode or by the Events API.',
    contributes: ['channel'],
    permissions: [{ kind: 'network', targets: ['slack.com', '*.slack.com'], reason: 'Receives and sends messages and files at Slack.' }],
  },
  setup(context) {
    const clock = context.use(clockService)
    context.contribute(channels, createSlackChannel({ clock, now: () => clock.now() }))
  },
})
export default plugin
