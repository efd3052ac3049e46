import path from 'node:path'
import { builtFileName, builtScreensFile } from '@agent-service/sdk/contracts/console-panel'
import type { WebInterface } from '@agent-service/sdk/services/web-pages'
import { findFile, realFolder } from './find-file.js'

const prefix = '/assets/plugins/'

/** Whether a path is that of a file of a plugin, also of one that is not there: no page of the web interface is shown for it. */
export const isPluginPath = (requestPath: string): boolean => requestPath.startsWith(prefix)

/**
 * The real path of the file for `/assets/plugins/<plugin id>/<file>`. Files lie in the plugin's folders themselves; the list
 * of what the build made is for the service alone.
 */
export async function findPluginFile(
  requestPath: string,
  { pluginFolders }: Pick<WebInterface, 'pluginFolders'>,
): Promise<string | undefined> {
  const [pluginId = '', name = '', ...more] = requestPath.slice(prefix.length).split('/')
  if (pluginFolders === undefined || more.length > 0 || !builtFileName.test(name)) return undefined
  for (const folder of await pluginFolders(pluginId)) {
    const root = await realFolder(folder)
    const file = root === undefined ? undefined : await findFile(root, [name])
    if (root !== undefined && file !== undefined && !isList(root, file)) return file
  }
  return undefined
}

/** The list, or a compressed copy of it, whatever name led to it. */
const isList = (root: string, file: string): boolean =>
  ['', '.br', '.gz'].some((ending) => file === path.join(root, `${builtScreensFile}${ending}`))
