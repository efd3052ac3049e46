import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { defineError } from '@agent-service/sdk'

const worldWritable = 0o002
/** A folder with more files is not a plugin. Its dependencies do not count. */
const maxFiles = 20_000
/** The number of files checked before the event loop turns. */
const filesAtOnce = 500

/** Why a plugin's files may not be read or loaded. */
export const gateRefusedError = defineError<{ readonly reason: string }>({
  code: 'plugin_gate_refused',
  status: 500,
  title: 'Plugin refused',
  message: ({ reason }) => reason,
})

/**
 * Resolves a path of a manifest or package.json, relative to `base`, links followed, and checks
 * that it is a file inside `root`.
 * @throws `plugin_gate_refused` naming what the path leads to.
 */
export function resolveInside(root: string, base: string, relative: string): string {
  const wanted = path.resolve(base, relative)
  if (!isInside(root, wanted)) throw gateRefusedError.create({ reason: `${relative} leads out of the plugin's folder` })
  const file = statSync(wanted, { throwIfNoEntry: false })
  if (!file) throw gateRefusedError.create({ reason: `${wanted} is missing; build the plugin` })
  const real = realpathSync.native(wanted)
  if (!isInside(root, real))
    throw gateRefusedError.create({ reason: `${relative} is a link that leads out of the plugin's folder, to ${real}` })
  if (!file.isFile()) throw gateRefusedError.create({ reason: `${real} is not a file` })
  return real
}

/**
 * Refuses a file that another user of the machine could have changed: it is writable by everyone,
 * or owned by neither this user nor root.
 */
export function checkOwnership(file: string): void {
  const { mode, uid } = lstatSync(file)
  if ((mode & worldWritable) !== 0)
    throw gateRefusedError.create({ reason: `${file} is writable by everyone; remove that permission (chmod o-w)` })
  const own = process.getuid?.()
  if (own !== undefined && uid !== own && uid !== 0) {
    throw gateRefusedError.create({
      reason: `${file} belongs to user ${uid}; it must belong to the user of the service (${own}) or to root`,
    })
  }
}

/**
 * {@link checkOwnership} of a folder and everything in it except `node_modules`. Links count as
 * their targets, which must lie inside.
 */
export async function checkTree(root: string): Promise<void> {
  checkOwnership(root)
  const folders = [root]
  let files = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name === '.git') continue
      files += 1
      if (files > maxFiles) throw gateRefusedError.create({ reason: `${root} has more than ${maxFiles} files` })
      if (files % filesAtOnce === 0) await setImmediate()
      const file = path.join(folder, entry.name)
      checkEntry(root, file, entry)
      if (entry.isDirectory()) folders.push(file)
    }
  }
}

function checkEntry(root: string, file: string, entry: Dirent): void {
  if (!entry.isSymbolicLink()) checkOwnership(file)
  else if (!isInside(root, realpathSync.native(file)))
    throw gateRefusedError.create({ reason: `${file} is a link that leads out of the plugin's folder` })
}

/** {@link checkOwnership} of files, and of each folder from `root` down to them. */
export function checkPaths(root: string, files: readonly string[]): void {
  const places = new Set([root])
  for (const file of files) {
    let at = root
    for (const segment of path.relative(root, file).split(path.sep)) {
      at = path.join(at, segment)
      places.add(at)
    }
  }
  for (const place of places) checkOwnership(place)
}

const isInside = (root: string, file: string): boolean => file.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
