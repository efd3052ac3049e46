import { createContext, runInContext } from 'node:vm'
import { bundleWebModules, type Replacements } from './web-modules.js'

/** What modules of the console export, run here: for those that touch no page. */
export async function runWebModules<Exports>(files: readonly string[], replaced: Replacements = {}): Promise<Exports> {
  const window: Record<string, unknown> = {}
  const language = { languages: ['en-GB'] }
  const context = createContext({ window, navigator: language, localStorage: { getItem: () => null }, Intl, URL })
  runInContext(await bundleWebModules(files, replaced), context)
  return window['web'] as Exports
}
