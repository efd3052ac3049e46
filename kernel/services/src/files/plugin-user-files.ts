import { defineError, type PluginManifest } from '@agent-service/sdk'
import type { UserFiles } from '@agent-service/sdk/services/user-files'

/** A plugin tried to use a storage subsystem that its manifest does not name. */
export const subsystemUndeclaredError = defineError<{ readonly plugin: string; readonly subsystem: string; readonly owner: string | null }>(
  {
    code: 'subsystem_undeclared',
    status: 500,
    title: 'Storage subsystem not declared',
    message: ({ plugin, subsystem, owner }) =>
      owner === null
        ? `Plugin “${plugin}” may not use the storage subsystem “${subsystem}”: declare it in “storage.subsystems” of its manifest.`
        : `Plugin “${plugin}” may not use the storage subsystem “${subsystem}” of plugin “${owner}”: name it in “storage.uses” of its manifest.`,
  },
)

export interface StorageOwner {
  readonly id: string
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
