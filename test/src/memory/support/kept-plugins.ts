import path from 'node:path'
import { writeTestPlugin } from '../../agents/support/write-test-plugin.js'
import keptA from './kept-a.js'
import keptB from './kept-b.js'

/** Writes the folders of two back ends, `kept-a` and `kept-b`. */
export const writeKeptPlugins = async (folder: string): Promise<readonly string[]> => [
  await writeTestPlugin(path.join(folder, 'kept-a'), keptA, new URL('./kept-a.js', import.meta.url)),
  await writeTestPlugin(path.join(folder, 'kept-b'), keptB, new URL('./kept-b.js', import.meta.url)),
]
