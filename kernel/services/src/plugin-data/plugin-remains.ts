import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { allOf } from '@agent-service/kernel-core/database/collections'
import { removeTree } from '@agent-service/kernel-core/disk'
import { sealedFieldRecords } from '@agent-service/kernel-core/secrets'
import { pluginIdPattern } from '@agent-service/sdk/host'
import type { Database } from '@agent-service/sdk/services/database'
import type { InjectionToken } from 'tsyringe'
import type { EventSubscriptions } from '../event-subscriptions/index.js'

export interface RemainsDependencies {
  readonly database: Database
  readonly subscriptions: Pick<EventSubscriptions, 'discardOf' | 'handOver'>
  /** `storage.cache_dir`, absolute. */
  readonly cacheFolder: string
  /** The folder with one folder for each user, absolute. */
  readonly usersFolder: string
}

/**
 * What the service keeps under a plugin's id beside its collections: the cache, folders of users,
 * sealed fields and event subscriptions. Every method may be called again after a crash.
 */
export type PluginRemains = ReturnType<typeof createPluginRemains>

export const pluginRemainsToken: InjectionToken<PluginRemains> = Symbol('plugin-remains')

export function createPluginRemains({ database, subscriptions, cacheFolder, usersFolder }: RemainsDependencies) {
  return {
    async hasCache(pluginId: string): Promise<boolean> {
      return isPathSafe(pluginId) && (await isFolder(path.join(cacheFolder, pluginId)))
    },
    async removeCache(pluginId: string, { signal }: { readonly signal: AbortSignal }): Promise<void> {
      if (isPathSafe(pluginId)) await removeTree(path.join(cacheFolder, pluginId), { signal })
    },
    /** Removes folders of all users. Links are not followed. */
    async removeFolders(subsystems: readonly string[], { signal }: { readonly signal: AbortSignal }): Promise<void> {
      const own = subsystems.filter((name) => isPathSafe(name))
      if (own.length === 0) return
      for (const user of await entriesOf(usersFolder)) {
        for (const subsystem of own) {
          signal.throwIfAborted()
          await removeTree(path.join(usersFolder, user, subsystem), { signal })
        }
      }
    },
    discardSubscriptions: (pluginId: string, options: { readonly signal: AbortSignal }): Promise<void> =>
      subscriptions.discardOf(pluginId, options),
    handOverSubscriptions: (from: string, to: string): Promise<void> => subscriptions.handOver(from, to),
    /** Forgets the sealed fields of collections, once nothing of them is stored. */
    async discardSealedFields(pluginId: string, collections: readonly string[]): Promise<void> {
      const names = new Set(collections)
      const stored = database.collection(sealedFieldRecords)
      for await (const { id, collection, plugin_id } of allOf(stored, { index: 'by_collection' }))
        if (names.has(collection) && plugin_id === pluginId) await stored.delete(id)
    },
    async handOverSealedFields(from: string, to: string): Promise<void> {
      const stored = database.collection(sealedFieldRecords)
      for await (const record of allOf(stored, { index: 'by_collection' }))
        if (record.plugin_id === from) await stored.put({ ...record, plugin_id: to })
    },
  }
}

/** A name of one folder below another: parts of words, joined by dots. */
function isPathSafe(name: string): boolean {
  const word = new RegExp(pluginIdPattern)
  return name.split('.').every((part) => word.test(part))
}

async function isFolder(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(unlessMissing)
  return found?.isDirectory() === true
}

/** The names of the folders in a folder; links are none. Empty if it does not exist. */
async function entriesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unlessMissing)
  return (entries ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
