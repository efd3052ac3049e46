import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { VaultConnector } from './vault-connector.js'

/**
 * Makes a vault connector. `supports` follows from the definition.
 *
 * @example
 * const createTownVault = (methods: Pick<VaultConnector, 'test' | 'list' | 'read'>) =>
 *   defineVaultConnector({
 *     id: 'town-vault',
 *     title: 'Town vault',
 *     connection: Type.Object({ token: Type.String({ title: 'Token', 'x-secret': true }) }),
 *     ...methods,
 *   })
 */
export function defineVaultConnector(definition: ContributionDefinition<VaultConnector, 'supports'>): VaultConnector {
  return Object.freeze<VaultConnector>({
    ...definition,
    specVersion: 1,
    supports: { write: definition.write !== undefined, renew: definition.renew !== undefined },
  })
}
