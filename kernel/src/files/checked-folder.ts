import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { userFileConflictError, userFileNotFoundError } from '@agent-service/sdk/services/user-files'
import { type FileTree, rootOf } from './file-tree.js'
import { errorCode, isBelow, orAbsent, realPathOf } from './path-of-descriptor.js'

/**
 * A folder of a tree that is open and was proven to lie in it. Names in it are reached through the open folder, so that nobody can put another one in its place.
 * Where the system has no paths through descriptors, they are reached through the real path, and {@link CheckedFolder.confirm} tells whether that still holds.
 */
export interface CheckedFolder {
  /** The real path that it had when it was opened. */
  readonly path: string
  /** The folder itself, for `opendir`. */
  readonly self: string
  /** A name in it, for calls that do not follow a link that stands there. */
  at(name: string): string
  /** The same for a name that may be no UTF-8. */
  at(name: Buffer): Buffer
  /** What stands at a name; `undefined` for nothing. */
  look(name: string): Promise<BigIntStats | undefined>
  /** To be called right before and after a change by name. @throws `file_conflict` when the folder is another one now. */
  confirm(): Promise<void>
  /** Makes the names in it durable. */
  sync(): Promise<void>
  close(): Promise<void>
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK

/** Opens a folder of a tree; `undefined` for what is not there, is no folder, or lies elsewhere. Links are followed as long as they stay below the root. */
export async function openCheckedFolder(tree: FileTree, names: readonly string[]): Promise<CheckedFolder | undefined> {
  const users = await tree.users()
  if (users === undefined) return undefined
  const found = await openAt(tree, users, [...tree.rootNames, ...names])
  return found === 'absent' ? undefined : found
}

/**
 * The same, and makes what is missing, each folder in the one above it and durably.
 * @throws `file_not_found` where the path leads out, `file_conflict` where something else stands in the way.
 */
export async function makeCheckedFolder(tree: FileTree, names: readonly string[]): Promise<CheckedFolder> {
  await mkdir(tree.usersFolder, { recursive: true, mode: 0o700 })
  const users = await tree.users()
  const all = [...tree.rootNames, ...names]
  const refused = (): Error => userFileNotFoundError.create({ path: names.join('/') })
  if (users === undefined) throw refused()

  const deepest = await openDeepest(tree, users, all)
  if (!deepest) throw refused()
  let { folder } = deepest
  const { depth } = deepest
  for (const [index, name] of all.slice(depth).entries()) {
    const parent: CheckedFolder = folder
    const reached = all.slice(0, depth + index + 1)
    let made: CheckedFolder | undefined
    try {
      made = await makeIn(parent, name, (real) => isAllowed(tree, users, reached, real), tree)
    } finally {
      await parent.close()
    }
    if (!made) throw refused()
    folder = made
  }
  return folder
}

/** The names below the root that a folder really has; what is not there yet keeps the names that it is given. `undefined` where the path leads out. */
export async function realNamesOf(tree: FileTree, names: readonly string[]): Promise<readonly string[] | undefined> {
  const users = await tree.users()
  if (users === undefined) return names
  const all = [...tree.rootNames, ...names]
  const deepest = await openDeepest(tree, users, all)
  if (!deepest) return undefined
  const { folder, depth } = deepest
  await folder.close()
  if (depth < tree.rootNames.length) return names
  return [...path.relative(rootOf(users, tree), folder.path).split(path.sep), ...all.slice(depth)].filter((name) => name !== '')
}

/** Opens the deepest folder of a path that is there already; `depth` is how many of the names it has. `undefined` where the path leads out. */
async function openDeepest(
  tree: FileTree,
  users: string,
  names: readonly string[],
): Promise<{ readonly folder: CheckedFolder; readonly depth: number } | undefined> {
  for (let depth = names.length; depth >= 0; depth -= 1) {
    const folder = await openAt(tree, users, names.slice(0, depth))
    if (folder !== 'absent') return folder && { folder, depth }
  }
  return undefined
}

/** Makes one folder in another and opens it; `undefined` for what is no folder, or not where it belongs. */
async function makeIn(
  parent: CheckedFolder,
  name: string,
  allowed: (real: string) => boolean,
  { locate }: FileTree,
): Promise<CheckedFolder | undefined> {
  await parent.confirm()
  try {
    await mkdir(parent.at(name), { mode: 0o700 })
    await parent.sync()
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    const there = await parent.look(name)
    if (there && !there.isDirectory() && !there.isSymbolicLink())
      throw userFileConflictError.create({ path: name, reason: 'is no folder' }, { cause: error })
  }
  return orAbsent(openFolder(parent.at(name), { extraFlags: constants.O_NOFOLLOW, allowed, locate }))
}

async function openAt(tree: FileTree, users: string, names: readonly string[]): Promise<CheckedFolder | 'absent' | undefined> {
  const wanted = path.join(users, ...names)
  try {
    return await openFolder(wanted, { extraFlags: 0, allowed: (real) => isAllowed(tree, users, names, real), locate: tree.locate })
  } catch (error) {
    // A file in the way is found when the folder is to be made.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return 'absent'
    return orAbsent(Promise.reject(error))
  }
}

/** Down to the root, a folder must be the very one that is named; below, anything that is inside. */
function isAllowed(tree: FileTree, users: string, names: readonly string[], real: string): boolean {
  if (tree.links === 'refuse' || names.length <= tree.rootNames.length) return real === path.join(users, ...names)
  const root = rootOf(users, tree)
  return real === root || isBelow(real, root)
}

async function openFolder(
  wanted: string,
  options: { readonly extraFlags: number; readonly allowed: (real: string) => boolean; readonly locate: FileTree['locate'] },
): Promise<CheckedFolder | undefined> {
  const handle = await open(wanted, folderFlags | options.extraFlags)
  let kept = false
  try {
    const found = await handle.stat({ bigint: true })
    const told = await options.locate(handle.fd)
    const real = told ?? (await realPathOf(wanted, found))
    if (real === undefined || !options.allowed(real)) return undefined
    kept = true
    return checkedFolder(handle, { found, real, through: told === undefined ? real : `/proc/self/fd/${handle.fd}` })
  } finally {
    if (!kept) await handle.close()
  }
}

function checkedFolder(
  handle: FileHandle,
  { found, real, through }: { readonly found: BigIntStats; readonly real: string; readonly through: string },
): CheckedFolder {
  function at(name: string): string
  function at(name: Buffer): Buffer
  function at(name: string | Buffer): string | Buffer {
    return typeof name === 'string' ? `${through}/${name}` : Buffer.concat([Buffer.from(`${through}/`), name])
  }
  return {
    path: real,
    self: through,
    at,
    look: (name) => orAbsent(lstat(at(name), { bigint: true })),
    async confirm() {
      if (through !== real || (await realPathOf(real, found)) === real) return
      throw userFileConflictError.create({ path: path.basename(real), reason: 'was moved meanwhile; try again' })
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  }
}
