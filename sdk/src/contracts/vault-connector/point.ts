import { defineContributionPoint } from '../../core/contribution-point.js'
import type { VaultConnector } from './vault-connector.js'

/** External stores of secrets. A connection names its connector by the id. */
export const vaultConnectors = defineContributionPoint<VaultConnector>()({
  id: 'vault.connector',
  cardinality: 'many',
  specVersions: [1],
  keyOf: (connector) => connector.id,
})
