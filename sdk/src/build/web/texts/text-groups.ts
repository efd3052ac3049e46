import path from 'node:path'
import { readCatalogue } from './catalogues.js'

/** What of the context of a build is used. */
interface BuildContext {
  addWatchFile(file: string): void
}

/** A plugin of Vite and Rolldown. */
export interface TextGroupsPlugin {
  /** In messages of the build. */
  readonly name: string
  /** Before the plugins that know JSON. */
  readonly enforce: 'pre'
  /** Writes the groups that a module imports into it; null: it imports none. @throws an error for a group that is not there */
  transform(this: BuildContext, code: string, id: string): Promise<{ readonly code: string; readonly map: null } | null>
}

const catalogueImport =
  /\bimport\s+(?!type\b)([^'"();]+?)\s+from\s*(['"])(\.[^'"]*\/texts\/[a-z]{2,3}(?:-[A-Za-z0-9]+)*\.json)\2(?:\s*with\s*\{[^}]*\})?/g

/**
 * A plugin for builds of screens: an import of a group of a catalogue (`import { rolls as en } from '../../texts/en.json'`) becomes the
 * texts of that group, in the module that imports them. As a module, the catalogue would come as a whole to wherever one text is
 * needed. The build fails for a group that is not there, and for an import of all groups.
 */
export const createTextGroups = (): TextGroupsPlugin => ({
  name: 'text-groups',
  enforce: 'pre',
  async transform(code, id) {
    const imports = /\.[jt]sx?$/.test(id) ? [...code.matchAll(catalogueImport)] : []
    if (imports.length === 0) return null
    let transformed = code
    for (const [statement, clause = '', , specifier = ''] of imports) {
      const file = path.resolve(path.dirname(id), specifier)
      this.addWatchFile(file)
      const constants = await constantsOf(clause, file)
      transformed = transformed.replace(statement, () => constants)
    }
    return { code: transformed, map: null }
  },
})

/** Constants in the place of what is imported. */
async function constantsOf(clause: string, file: string): Promise<string> {
  const names = /^\{([^}]*)\}$/.exec(clause.trim())?.[1]
  if (names === undefined) throw new Error(`${file} is imported as a whole; import a group: import { group as en } from '…/texts/en.json'`)
  const groups = await readCatalogue(file)
  const constants = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      const [group = '', local = group] = name.split(/\s+as\s+/)
      const texts = Object.hasOwn(groups, group) ? groups[group] : undefined
      if (!texts) throw new Error(`${file} has no group “${group}”; its groups are: ${Object.keys(groups).join(', ')}`)
      return `const ${local} = ${JSON.stringify(texts)}`
    })
  return constants.join('; ')
}
