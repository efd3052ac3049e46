import type { ConfigurationFinding, ConfigurationRule } from '@agent-service/sdk'
import { catalogueDefaults } from './catalogue-defaults.js'
import { checkConnection } from './check-connection.js'
import { checkTarget } from './check-target.js'
import { type ConfiguredModels, readConfiguredModels } from './configured-models.js'

const modelRule: ConfigurationRule = (configuration, facts) => {
  const configured = readConfiguredModels(configuration, facts)
  if ('findings' in configured) return configured.findings
  return [
    ...configured.connections.configured.flatMap((connection) => checkConnection(connection, configured)),
    ...configured.targets.flatMap((target) => checkTarget(target, configured)),
    ...warnWithoutGroups(configured),
    ...catalogueDefaults(configured),
  ]
}

/**
 * Checks the sections `providers` and `models`. One rule, so that connections and groups are read
 * once.
 */
export const rules: readonly ConfigurationRule[] = [modelRule]

const noModel: ConfigurationFinding = {
  path: 'models',
  severity: 'warning',
  message:
    'is empty and the environment has no key of a provider: no model can be called. Start the service with a key, for example OPENAI_API_KEY=<key> agent-service start',
}

/** With a configured connection, `primary` is no longer derived from the environment. */
function warnWithoutGroups({ connections, targets }: ConfiguredModels): readonly ConfigurationFinding[] {
  if (targets.length > 0) return []
  if (connections.configured.length === 0) return connections.discovered.length > 0 ? [] : [noModel]
  return [
    {
      path: 'models',
      severity: 'warning',
      message: 'is empty although providers are configured: no model can be called. Add a group, for example primary',
    },
  ]
}
