import type { PluginManifestFile } from '@agent-service/sdk'
import { composeSchema } from '../../config/schema/compose-schema.js'
import { schemaNameConflictError } from '../../http/errors.js'
import { claimEventNames, createSchemaNames } from '../../http/schemas/schema-names.js'
import { type DiscoveredPlugin, refuse } from './discovered-plugin.js'

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
    return refuse(plugin, reason)
  })
}

/**
 * Why a third party's `extends` cannot be joined to the other plugins': it contradicts the schema
 * of a setting, or makes one required for a variant that is not its own. Without this check its
 * fault would make the whole configuration invalid. `undefined` when it can.
 */
export function extensionClash(manifest: PluginManifestFile, others: readonly PluginManifestFile[]): string | undefined {
  const { extends: extensions = [] } = manifest
  if (extensions.length === 0) return undefined
  for (const { section, place, variant, schema } of extensions) {
    const theirs = others.flatMap(({ id, extends: existing = [] }) =>
      existing
        .filter((other) => other.section === section && other.place === place && other.variant === variant)
        .map((other) => ({ id, required: other.schema.required ?? [] })),
    )
    const demanded = (schema.required ?? []).find((name) => theirs.some(({ required }) => !required.includes(name)))
    if (demanded !== undefined)
      return `it makes “${demanded}” required for “${variant}” of section “${section}”, which belongs to plugin “${theirs[0]?.id ?? ''}”`
  }
  const known = new Set(composeSchema(others, []).findings.map(({ message }) => message))
  return composeSchema([...others, manifest], []).findings.find(({ message }) => !known.has(message))?.message
}
