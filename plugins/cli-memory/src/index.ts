import { definePlugin, type Plugin } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { addCommand, forgetCommand } from './change-memories.js'
import { migrateCommand } from './migrate-memories.js'
import { listCommand, searchCommand, statusCommand } from './read-memories.js'
import { exportCommand, importCommand } from './transfer-memories.js'

/** What agents remember, in the terminal. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'cli-memory',
    apiVersion: 1,
    description: 'The commands memory list, search, add, forget, export, import, status and migrate.',
    contributes: ['cli.command'],
  },
  setup(context) {
    for (const command of [
      ...[listCommand, searchCommand, addCommand, forgetCommand],
      ...[exportCommand, importCommand, statusCommand, migrateCommand],
    ])
      context.contribute(cliCommands, command)
  },
})
export default plugin
