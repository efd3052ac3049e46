import { createContext, runInContext } from 'node:vm'
import { bundleWebModules, type Replacements } from './web-modules.js'

/** What modules export, run here: for those that touch no page. */
export async function runWebModules<Exports>(files: readonly string[], replaced: Replacements = {}): Promise<Exports> {
  const window: Record<string, unknown> = {}
  const browser = { navigator: { languages: ['en-GB'] }, localStorage: { getItem: () => null } }
  const document = { querySelector: () => null, documentElement: {} }
  const context = createContext({ window, document, ...browser, location: new URL('http://console.localhost/'), URL })
  runInContext(await bundleWebModules(files, replaced), context)
  return window['web'] as Exports
}
