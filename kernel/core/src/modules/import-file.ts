import { pathToFileURL } from 'node:url'

/** The bundled file for each module file. Global, like the process's modules. */
let bundledFiles: ReadonlyMap<string, string> = new Map()

/**
 * From now on, imports use the bundle if it has the file: `entries` maps module files to bundled
 * files, as absolute paths with links resolved.
 */
export function importFromBundle(entries: ReadonlyMap<string, string>): void {
  bundledFiles = entries
}

/**
 * Whether the file is in the bundle, and so what it was when that was made: neither it nor the `plugin.json` of
 * its plugin has changed since the build checked them.
 */
export const isBundled = (file: string): boolean => bundledFiles.has(file)

/**
 * Imports a module of a plugin by its absolute path with links resolved. The runtime evaluates a
 * module once: a second call has the same result or error.
 */
export const importFile = (file: string): Promise<unknown> => import(pathToFileURL(bundledFiles.get(file) ?? file).href)
