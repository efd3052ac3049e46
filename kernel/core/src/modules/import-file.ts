import { pathToFileURL } from 'node:url'

/** What stands in for which file: a fact of the process, as its modules are. */
let standIns: ReadonlyMap<string, string> = new Map()

/** From here on files are imported from the bundle, where it has them: `entries` tells its file for each other's; absolute paths, links resolved. */
export function importFromBundle(entries: ReadonlyMap<string, string>): void {
  standIns = entries
}

/** Imports a module of a plugin by its absolute path, links resolved. The runtime evaluates a module once: a second call gives the same, or fails the same. */
export const importFile = (file: string): Promise<unknown> => import(pathToFileURL(standIns.get(file) ?? file).href)
