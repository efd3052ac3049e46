import { definePlugin, type Plugin } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { chatCommand } from './chat-command.js'

/** A conversation with an agent in the terminal. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'cli-chat',
    apiVersion: 1,
    description: 'The command “agent-service chat”: chat with an agent in a terminal.',
    contributes: ['cli.command'],
  },
  setup(context) {
    context.contribute(cliCommands, chatCommand)
  },
})
export default plugin
