import type { SchemaNode } from '@agent-service/kernel-core/config'
import type { PluginManifestFile } from '@agent-service/sdk'

/** The owners of fields. */
export interface Owners {
  /** The owner of a section: a plugin's id, or `kernel`. */
  ofSection(section: string): string
  /**
   * The plugin that adds a typed setting to a section: for the chosen variant, else the first that
   * has it.
   */
  ofExtension(section: string, member: string, variant: string | undefined): string
  /**
   * Why a variant has no effect in this version, from the manifest of its plugin; `undefined` if it
   * has one.
   */
  withoutEffect(section: string, variant: string | undefined): string | undefined
  /** True while the plugin is only declared: its fields are accepted and have no effect. */
  isDeclared(owner: string): boolean
}

/** Reads the owner of each section and typed setting from the manifests. */
export function createOwners(manifests: readonly PluginManifestFile[]): Owners {
  const sections = new Map(manifests.flatMap(({ id, sections: owned = {} }) => Object.keys(owned).map((name) => [name, id] as const)))
  const declared = new Set(manifests.filter(({ stage }) => stage === 'declared').map(({ id }) => id))
  const ofSection = (section: string): string => sections.get(section) ?? 'kernel'
  return {
    ofSection,
    ofExtension(section, member, variant) {
      const owners = manifests.flatMap(({ id, extends: extensions = [] }) =>
        extensions
          .filter((extension) => extension.section === section && Object.hasOwn(extension.schema.properties, member))
          .map((extension) => ({ id, variant: extension.variant })),
      )
      return (owners.find((owner) => owner.variant === variant) ?? owners[0])?.id ?? ofSection(section)
    },
    withoutEffect(section, variant) {
      const added = manifests
        .flatMap(({ extends: extensions = [] }) => extensions)
        .find((extension) => extension.section === section && extension.variant === variant)
      return (added?.schema as SchemaNode | undefined)?.['x-no-effect']
    },
    isDeclared: (owner) => declared.has(owner),
  }
}
