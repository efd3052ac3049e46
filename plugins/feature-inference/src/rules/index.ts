import type { ConfigurationRule } from '@agent-service/sdk'
import { catalogueDefaults } from './catalogue-defaults.js'
import { checkConnection } from './check-connection.js'
import { checkTarget } from './check-target.js'
import { readConfiguredModels } from './configured-models.js'
import { warnWithoutGroups } from './warn-without-groups.js'

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

/** Checks the sections `providers` and `models`. One rule, so that connections and groups are read once. */
export const rules: readonly ConfigurationRule[] = [modelRule]
