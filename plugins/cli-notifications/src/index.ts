import { definePlugin, type Plugin } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { listNotificationsCommand } from './list-notifications.js'
import { preferencesCommand } from './preferences.js'
import { readNotificationsCommand } from './read-notifications.js'
import { testMailCommand } from './test-mail.js'

/** Notifications of a running service in the terminal. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'cli-notifications',
    apiVersion: 1,
    description: 'The commands notifications list, read and preferences, and mail test: notifications in the terminal.',
    contributes: ['cli.command'],
  },
  setup(context) {
    for (const command of [listNotificationsCommand, readNotificationsCommand, preferencesCommand, testMailCommand])
      context.contribute(cliCommands, command)
  },
})
export default plugin
