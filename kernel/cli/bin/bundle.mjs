import { createHash } from 'node:crypto'
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
 * The bundle, if it was made from the files as they are now; otherwise `{ reason }`, and every module
 * is loaded from its own file. `main` is the URL of the command line; `entries` maps each plugin's
 * own entry file to the bundled file that replaces it, both as absolute paths.
 */
export function findBundle(root) {
  const index = readIndex(root)
  if (index === undefined) return { reason: 'there is no bundle' }
  const { folder, madeFrom, entries } = index
  const changed = Object.entries(madeFrom).find(([file, stamp]) => !isUnchanged(path.join(root, file), stamp))
  if (changed !== undefined) return { reason: `the bundle was not made from ${changed[0]} as it is now` }
  const inBundle = (file) => path.join(root, bundleFolder, folder, file)
  if (!statSync(inBundle('main.js'), { throwIfNoEntry: false })) return { reason: 'the files of the bundle are missing' }
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
 * Stamps that change with the contents of files. They have the sizes and times, too, so that what is
 * as it was need not be read again.
 */
export function stampsOf(root, files) {
  return Object.fromEntries(files.map((file) => [file, stampOf(path.join(root, file))]))
}

function stampOf(file) {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? { size: stats.size, modified: stats.mtimeMs, contents: digestOf(file) } : 'absent'
}

const digestOf = (file) => createHash('sha256').update(readFileSync(file)).digest('base64')

/**
 * Whether a file is what it was. Contents are only read where the time differs, as in a copy that
 * does not keep times: there are 20 MB of them, which a start should not read without need.
 */
function isUnchanged(file, stamp) {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats || stamp === 'absent') return !stats && stamp === 'absent'
  if (stats.size !== stamp.size) return false
  return isSameTime(stats.mtimeMs, stamp.modified) || digestOf(file) === stamp.contents
}

/** Archives and some copies keep whole seconds. What a compiler writes has a fraction. */
const isSameTime = (now, then) => now === then || (now % 1_000 === 0 && now === Math.floor(then / 1_000) * 1_000)
