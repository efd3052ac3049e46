import { compareManifests } from '../manifest/compare-manifests.js'
import type { PluginManifestFile } from '../manifest/plugin-manifest.js'
import { isPlugin, type Plugin } from '../plugin/define-plugin.js'
import { collectionProblem } from './collection-problem.js'
import { foreignCollectionLines, type NamedPlugin } from './own-names.js'

/** The plugin that a module exports by default, or why it is none. */
export function pluginOfModule(module: unknown, entryPath: string): { readonly code: Plugin } | { readonly reason: string } {
  const code = typeof module === 'object' && module !== null ? (module as { readonly default?: unknown }).default : undefined
  if (isPlugin(code)) return { code }
  return { reason: `${entryPath} has no plugin as its default export; write: export default definePlugin({ … })` }
}

/** What the host refuses in a plugin's code before it runs `setup`, one line for each fault. */
export function codeLines(plugin: NamedPlugin, code: Plugin, file: PluginManifestFile): readonly string[] {
  const differing = compareManifests(code.manifest, file)
  return [
    ...(differing.length === 0
      ? []
      : [`the code and plugin.json differ in ${differing.join(', ')}. Run the plugin's build again (agent-service-plugin build)`]),
    ...collectionLines(plugin, code.collections),
  ]
}

/** The names of others are only looked for among valid ones. */
function collectionLines(plugin: NamedPlugin, collections: Plugin['collections']): readonly string[] {
  const invalid = collections.flatMap((definition, position) => {
    const problem = collectionProblem(definition)
    return problem === undefined ? [] : [`The definition of the collection ${nameOf(definition, position)} is not valid: ${problem}.`]
  })
  const names = collections.filter((definition) => collectionProblem(definition) === undefined).map(({ name }) => name)
  const twice = [...new Set(names.filter((name, position) => names.indexOf(name) !== position))]
  return [
    ...invalid,
    ...twice.map((name) => `The definition of the collection “${name}” is not valid: ${plugin.id} declares it twice.`),
    ...foreignCollectionLines(plugin, names),
  ]
}

/** Of what may be anything: the name, or the place in the list. */
function nameOf(definition: unknown, position: number): string {
  const name = typeof definition === 'object' && definition !== null ? (definition as { readonly name?: unknown }).name : undefined
  return typeof name === 'string' ? `“${name}”` : `at place ${position + 1} of “collections”`
}
