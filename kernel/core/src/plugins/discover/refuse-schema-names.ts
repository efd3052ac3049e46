import { schemaNameConflictError } from '../../http/errors.js'
import { claimEventNames, createSchemaNames } from '../../http/schemas/schema-names.js'
import type { DiscoveredPlugin } from './discovered-plugin.js'

/**
 * Refuses plugins that name a schema in their types of events as another schema is named. Built-in
 * plugins have their names first. In the given order.
 */
export function refuseSchemaNames(plugins: readonly DiscoveredPlugin[]): readonly DiscoveredPlugin[] {
  const names = createSchemaNames()
  const reasons = new Map<DiscoveredPlugin, string>()
  for (const plugin of [...plugins.filter(({ builtIn }) => builtIn), ...plugins.filter(({ builtIn }) => !builtIn)]) {
    if (plugin.status !== 'valid') continue
    try {
      claimEventNames(names, plugin)
    } catch (error) {
      if (!schemaNameConflictError.isInstance(error)) throw error
      reasons.set(plugin, error.message)
    }
  }
  return plugins.map((plugin) => {
    const reason = reasons.get(plugin)
    if (reason === undefined || plugin.status !== 'valid') return plugin
    const { manifest: _manifest, folder: _folder, entryPath: _entryPath, ...origin } = plugin
    return { ...origin, status: 'invalid', reason, problems: [] }
  })
}
