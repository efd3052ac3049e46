import { definePlugin, type Plugin } from '@agent-service/sdk'
import { cliCommands } from '@agent-service/sdk/contracts/cli-command'
import { syncVaultCommand, testVaultCommand } from './ask-vault.js'
import { grantCredentialCommand } from './grant-credential.js'
import { listCredentialsCommand } from './list-credentials.js'
import { listItemsCommand } from './list-items.js'
import { listVaultsCommand } from './list-vaults.js'
import { revokeGrantCommand } from './revoke-grant.js'
import { showLogCommand } from './show-log.js'

/** Credentials and vaults of a running service in the terminal. */
const plugin: Plugin = definePlugin({
  manifest: {
    id: 'cli-credentials',
    apiVersion: 1,
    description: 'The commands credentials list, grant, revoke and log, and vaults list, test, sync and items.',
    contributes: ['cli.command'],
  },
  setup(context) {
    for (const command of [
      ...[listCredentialsCommand, grantCredentialCommand, revokeGrantCommand, showLogCommand],
      ...[listVaultsCommand, testVaultCommand, syncVaultCommand, listItemsCommand],
    ])
      context.contribute(cliCommands, command)
  },
})
export default plugin
