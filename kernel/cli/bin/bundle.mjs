import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where the service's code is in few files, relative to the folder that holds all packages: each bundle in a folder of its own, and an index of the one that counts. */
export const bundleFolder = 'kernel/cli/dist/bundle'

/** Where the bundle is, what it was made from and what it stands in for. */
export const bundleIndex = `${bundleFolder}/index.json`

/**
 * The bundle, where it was made from the very files that are there now; `undefined` otherwise, and then every module is loaded from its own file. `main` is
 * the address of the command line, `entries` tells by which file each plugin's own is stood in for, both as absolute paths.
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

/** The index, or `undefined` where there is none that can be read. */
export function readIndex(root) {
  try {
    return JSON.parse(readFileSync(path.join(root, bundleIndex), 'utf8'))
  } catch {
    return undefined
  }
}

/** By which a file that was written anew is told from what it was: its size and when it was written. Their contents are not read. */
export function stampsOf(root, files) {
  return Object.fromEntries(
    files.map((file) => {
      const stats = statSync(path.join(root, file), { throwIfNoEntry: false })
      return [file, stats ? `${stats.size} ${stats.mtimeMs}` : 'absent']
    }),
  )
}
