import { pathToFileURL } from 'node:url'
import type { ValidPlugin } from './discovered-plugin.js'
import type { PluginFaults } from './plugin-faults.js'

/** Imports a plugin's module, marked as its work. The runtime evaluates a module once: a second call gives the same, or fails the same. */
export const importModule = (entryPath: string, plugin: Pick<ValidPlugin, 'id'>, faults: PluginFaults): Promise<unknown> =>
  faults.run(plugin.id, () => import(pathToFileURL(entryPath).href) as Promise<unknown>)
