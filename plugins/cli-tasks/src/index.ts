import { definePlugin, type Plugin } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { controlCommands } from './control-tasks.js'
import { listTasksCommand } from './list-tasks.js'
import { showLogsCommand } from './show-logs.js'
import { showTaskCommand } from './show-task.js'

/** Background tasks of a running service in the terminal. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'cli-tasks',
    apiVersion: 1,
    description: 'The commands tasks list, show, run, pause, resume, cancel and logs: background tasks in the terminal.',
    contributes: ['cli.command'],
  },
  setup(context) {
    for (const command of [listTasksCommand, showTaskCommand, showLogsCommand, ...controlCommands]) context.contribute(cliCommands, command)
  },
})
export default plugin
