import { type Dirent, existsSync } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { defineError } from '@agent-service/sdk'

const worldWritable = 0o002
/** A plugin with more files than this is something else. Its dependencies do not count. */
const mostFiles = 20_000

/** Why a plugin's files may not be read or loaded. */
export const gateRefusedError = defineError<{ readonly reason: string }>({
  code: 'plugin_gate_refused',
  status: 500,
  title: 'Plugin refused',
  message: ({ reason }) => reason,
})

/**
 * Resolves a path that a manifest or a package.json gives, relative to `base`, links followed, and proves that it is a file inside `root`.
 * @throws `plugin_gate_refused` naming what the path leads to.
 */
export async function resolveInside(root: string, base: string, relative: string): Promise<string> {
  const wanted = path.resolve(base, relative)
  if (!isInside(root, wanted)) throw gateRefusedError.create({ reason: `${relative} leads out of the plugin's folder` })
  if (!existsSync(wanted)) throw gateRefusedError.create({ reason: `${wanted} is not there; build the plugin` })
  const real = await realpath(wanted)
  if (!isInside(root, real))
    throw gateRefusedError.create({ reason: `${relative} is a link that leads out of the plugin's folder, to ${real}` })
  if (!(await stat(real)).isFile()) throw gateRefusedError.create({ reason: `${real} is not a file` })
  return real
}

/** Refuses what another user of the machine could have changed: writable by everyone, or owned by neither this user nor root. */
export async function checkOwnership(file: string): Promise<void> {
  const { mode, uid } = await lstat(file)
  if ((mode & worldWritable) !== 0)
    throw gateRefusedError.create({ reason: `${file} may be written by everyone; take that away (chmod o-w)` })
  const own = process.getuid?.()
  if (own !== undefined && uid !== own && uid !== 0) {
    throw gateRefusedError.create({
      reason: `${file} belongs to user ${uid}; it must belong to the user of the service (${own}) or to root`,
    })
  }
}

/** {@link checkOwnership} of a folder and everything in it except `node_modules`. Links count as what they point to and must stay inside. */
export async function checkTree(root: string): Promise<void> {
  await checkOwnership(root)
  let files = 0
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name === '.git') continue
      files += 1
      if (files > mostFiles) throw gateRefusedError.create({ reason: `${root} holds more than ${mostFiles} files` })
      await visitEntry(path.join(folder, entry.name), entry)
    }
  }
  const visitEntry = async (file: string, entry: Dirent): Promise<void> => {
    if (entry.isSymbolicLink()) {
      if (!isInside(root, await realpath(file)))
        throw gateRefusedError.create({ reason: `${file} is a link that leads out of the plugin's folder` })
      return
    }
    await checkOwnership(file)
    if (entry.isDirectory()) await visit(file)
  }
  await visit(root)
}

/** {@link checkOwnership} of each folder from `root` down to a file, and of the file. */
export async function checkPath(root: string, file: string): Promise<void> {
  await checkOwnership(root)
  let at = root
  for (const segment of path.relative(root, file).split(path.sep)) {
    at = path.join(at, segment)
    await checkOwnership(at)
  }
}

const isInside = (root: string, file: string): boolean => file.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
