import { defineError } from '../../core/errors.js'
import { folderForPeople } from './folder-for-people.js'

/**
 * A folder is not a plugin that can be built or checked; `problems` lists each problem if there are
 * several.
 */
export const pluginBuildError = defineError<{ readonly folder: string; readonly reason: string }>({
  code: 'plugin_build_failed',
  status: 500,
  title: 'Plugin build failed',
  message: ({ folder, reason }) => `${folderForPeople(folder)}: ${reason}`,
})
