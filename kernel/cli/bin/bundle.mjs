import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The folder of the bundles, relative to the folder that holds all packages. Each bundle is the
 * service's code in a few files, in its own folder; an index names the current one.
 */
export const bundleFolder = 'kernel/cli/dist/bundle'

/** The index: where the current bundle is, what it was made from and which files it replaces. */
export const bundleIndex = `${bundleFolder}/index.json`

/**
 * The bundle, if it was made from the files as they are now; otherwise `undefined`, and every
 * module is loaded from its own file. `main` is the URL of the command line; `entries` maps each
 * plugin's own entry file to the bundled file that replaces it, both as absolute paths.
 */
export function findBundle(root) {
  const index = readIndex(root)
  if (index === undefined) return undefined
  const { folder, madeFrom, entries } = index
  const now = stampsOf(root, Object.keys(madeFrom))
  if (Object.entries(madeFrom).some(([file, stamp]) => now[file] !== stamp)) return undefined
  const inBundle = (file) => path.join(root, bundleFolder, folder, file)
  if (!statSync(inBundle('main.js'), { throwIfNoEntry: false })) return undefined
  return {
    main: pathToFileURL(inBundle('main.js')).href,
    entries: new Map(Object.entries(entries).map(([own, file]) => [path.join(root, own), inBundle(file)])),
  }
}

/** The index, or `undefined` if it is missing or unreadable. */
export function readIndex(root) {
  try {
    return JSON.parse(readFileSync(path.join(root, bundleIndex), 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Stamps that change when a file is rewritten: its size and modification time. Contents are not
 * read.
 */
export function stampsOf(root, files) {
  return Object.fromEntries(
    files.map((file) => {
      const stats = statSync(path.join(root, file), { throwIfNoEntry: false })
      return [file, stats ? `${stats.size} ${stats.mtimeMs}` : 'absent']
    }),
  )
}
