import { definePlugin, type Plugin } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { createShareCommand } from './create-share.js'
import { listSharesCommand } from './list-shares.js'
import { revokeShareCommand } from './revoke-share.js'

/** Share links of a running service in the terminal. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'cli-shares',
    apiVersion: 1,
    description: 'The commands shares list, create and revoke: links to files and chats in the terminal.',
    contributes: ['cli.command'],
  },
  setup(context) {
    for (const command of [listSharesCommand, createShareCommand, revokeShareCommand]) context.contribute(cliCommands, command)
  },
})
export default plugin
