import { defineError } from '../core/errors.js'
import type { PluginManifest } from '../manifest/plugin-manifest.js'
import type { UserFiles } from '../services/user-files.js'

/** A plugin tried to use a storage subsystem that its manifest does not name. */
export const subsystemUndeclaredError = defineError<{ readonly plugin: string; readonly subsystem: string; readonly owner: string | null }>(
  {
    code: 'subsystem_undeclared',
    status: 500,
    title: 'Storage subsystem not declared',
    message: ({ plugin, subsystem, owner }) =>
      owner === null
        ? `Plugin “${plugin}” may not use the storage subsystem “${subsystem}”: declare it in “storage.subsystems” of its manifest, or name it in “storage.uses” if it is another plugin’s.`
        : `Plugin “${plugin}” may not use the storage subsystem “${subsystem}” of plugin “${owner}”: name it in “storage.uses” of its manifest.`,
  },
)

/** A plugin and its folders of users. */
export interface StorageOwner {
  /** The plugin's. */
  readonly id: string
  /** Its manifest. */
  readonly manifest: Pick<PluginManifest, 'storage'>
}

/**
 * The files of users as one plugin sees them: only the subsystems that its manifest declares or
 * uses.
 */
export function createPluginUserFiles(dependencies: {
  readonly files: UserFiles
  readonly plugins: readonly StorageOwner[]
  readonly pluginId: string
}): UserFiles {
  const { files, plugins, pluginId } = dependencies
  const { subsystems = [], uses = [] } = plugins.find(({ id }) => id === pluginId)?.manifest.storage ?? {}
  const reachable: ReadonlySet<string> = new Set([...subsystems, ...uses])
  const demandReachable = (subsystem: string): void => {
    if (reachable.has(subsystem)) return
    const holder = plugins.find(({ manifest }) => manifest.storage?.subsystems?.includes(subsystem))
    throw subsystemUndeclaredError.create({ plugin: pluginId, subsystem: String(subsystem), owner: holder?.id ?? null })
  }
  return Object.freeze<UserFiles>({
    freeLeftovers: (options) => files.freeLeftovers(options),
    stored: (owner) => files.stored(owner),
    ...(files.maxBytes !== undefined && { maxBytes: files.maxBytes }),
    folder(owner, place) {
      demandReachable(place.subsystem)
      return files.folder(owner, place)
    },
    uploads(owner, place) {
      demandReachable(place.subsystem)
      return files.uploads(owner, place)
    },
    async hostFolder(owner, place) {
      demandReachable(place.subsystem)
      return files.hostFolder(owner, place)
    },
  })
}
