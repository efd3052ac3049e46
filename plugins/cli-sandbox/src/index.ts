import { definePlugin, type Plugin } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { listProcessesCommand } from './list-processes.js'
import { showOutputCommand } from './show-output.js'
import { showStatusCommand } from './show-status.js'
import { stopProcessCommand } from './stop-process.js'

/** The sandbox of a running service in the terminal. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'cli-sandbox',
    apiVersion: 1,
    description: 'The commands sandbox status, processes, output and stop: what confines the code of agents, and what runs.',
    contributes: ['cli.command'],
  },
  setup(context) {
    for (const command of [showStatusCommand, listProcessesCommand, showOutputCommand, stopProcessCommand])
      context.contribute(cliCommands, command)
  },
})
export default plugin
