import { definePlugin } from '@agent-service/sdk'
import { vaultConnectors } from '@agent-service/sdk/contracts/vault-connector'
import { createLockboxConnector } from './connector.js'

/** Secrets in one encrypted file. Shows a whole vault connector of a third party: a file, a passphrase, pages, writes, failures. */
export default definePlugin({
  manifest: {
    id: 'vault-lockbox',
    apiVersion: 1,
    description: 'Reads and changes the secrets in a file that a passphrase opens.',
    contributes: ['vault.connector'],
  },
  setup: (context) => context.contribute(vaultConnectors, createLockboxConnector()),
})
