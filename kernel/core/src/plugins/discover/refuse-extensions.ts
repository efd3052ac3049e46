import type { PluginManifestFile } from '@agent-service/sdk'
import { composeSchema } from '../../config/schema/compose-schema.js'

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
