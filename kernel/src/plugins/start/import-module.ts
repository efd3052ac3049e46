import { importFile } from '../../modules/import-file.js'
import type { ValidPlugin } from '../discover/discovered-plugin.js'
import type { PluginFaults } from './plugin-faults.js'

/** Imports a plugin's module, marked as its work. */
export const importModule = (entryPath: string, plugin: Pick<ValidPlugin, 'id'>, faults: PluginFaults): Promise<unknown> =>
  faults.run(plugin.id, () => importFile(entryPath))
