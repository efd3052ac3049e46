import { definePlugin } from '@agent-service/sdk'
import { channels } from '@agent-service/sdk/contracts/channel'
import { createLinesChannel } from './channel.js'

/** People who write to their agents over lines of JSON. Shows a whole channel of a third party. */
export default definePlugin({
  manifest: {
    id: 'channel-lines',
    apiVersion: 1,
    description: 'Messages over a TCP connection with lines of JSON.',
    contributes: ['channel'],
    permissions: [{ kind: 'network', targets: ['*'], reason: 'Connects to the chat servers that people name.' }],
  },
  setup: (context) => context.contribute(channels, createLinesChannel()),
})
