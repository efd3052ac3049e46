import type { ConfigurationFinding } from '@agent-service/sdk'
import type { ConfiguredModels } from './configured-models.js'

/** With a configured connection, `primary` is no longer derived from the environment. */
export function warnWithoutGroups({ connections, targets }: ConfiguredModels): readonly ConfigurationFinding[] {
  if (connections.configured.length === 0 || targets.length > 0) return []
  return [
    {
      path: 'models',
      severity: 'warning',
      message: 'is empty although providers are configured: no model can be called. Add a group, for example primary',
    },
  ]
}
