import { definePlugin, type Plugin } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { addChannelCommand } from './add-channel.js'
import { askChannelCommands } from './ask-channel.js'
import { listChannelsCommand } from './list-channels.js'
import { listDeliveriesCommand } from './list-deliveries.js'
import { pairChannelCommand } from './pair-channel.js'
import { removeChannelCommand } from './remove-channel.js'
import { unpairChannelCommand } from './unpair-channel.js'

/** Connections to channels of a running service in the terminal. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'cli-channels',
    apiVersion: 1,
    description: 'The commands channels list, add, test, pair, unpair, retry, deliveries and remove.',
    contributes: ['cli.command'],
  },
  setup(context) {
    for (const command of [
      ...[
        listChannelsCommand,
        addChannelCommand,
        ...askChannelCommands,
        pairChannelCommand,
        unpairChannelCommand,
        listDeliveriesCommand,
        removeChannelCommand,
      ],
    ])
      context.contribute(cliCommands, command)
  },
})
export default plugin
