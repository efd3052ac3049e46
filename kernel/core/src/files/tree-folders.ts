import { constants } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { userFileConflictError, userFileNotFoundError } from '@agent-service/sdk/services/user-files'
import { type CheckedFolder, errorCode, isBelow, openCheckedFolder, orAbsent } from '../disk/index.js'
import { type FileTree, rootOf } from './file-tree.js'
import { namesOf } from './path-names.js'

/** Opens a folder of a tree; `undefined` for what is not there, is no folder, or lies elsewhere. Links are followed as long as they stay below the root. */
export async function openFolder(tree: FileTree, names: readonly string[]): Promise<CheckedFolder | undefined> {
  const users = await tree.users()
  if (users === undefined) return undefined
  const found = await openAt(tree, users, [...tree.rootNames, ...names])
  return found === 'absent' ? undefined : found
}

/**
 * The same, and makes what is missing, each folder in the one above it and durably.
 * @throws `file_not_found` where the path leads out, `file_conflict` where something else stands in the way.
 */
export async function makeFolder(tree: FileTree, names: readonly string[]): Promise<CheckedFolder> {
  await mkdir(tree.usersFolder, { recursive: true, mode: 0o700 })
  const users = await tree.users()
  const all = [...tree.rootNames, ...names]
  const refused = (): Error => userFileNotFoundError.create({ path: names.join('/') })
  if (users === undefined) throw refused()

  const deepest = await openDeepest(tree, users, all)
  if (!deepest) throw refused()
  let { folder } = deepest
  for (let { depth } = deepest; depth < all.length; depth += 1) {
    const parent: CheckedFolder = folder
    const reached = all.slice(0, depth + 1)
    try {
      const made = await makeIn(parent, reached.at(-1) ?? '', (real) => isAllowed(tree, users, reached, real), tree)
      if (!made) throw refused()
      folder = made
    } finally {
      await parent.close()
    }
  }
  return folder
}

/**
 * The path that a path leads to: links on the way are followed, the last name only with `followLast` and where it leads to
 * a folder; what is not there yet stays as it is named. `undefined` where the path leads out.
 */
export async function realPathIn(
  tree: FileTree,
  text: string,
  { followLast = false }: { readonly followLast?: boolean },
): Promise<string | undefined> {
  const names = namesOf(text)
  const followed = followLast ? names : names.slice(0, -1)
  const real = await realNamesOf({ ...tree, links: 'follow' }, followed)
  return real && [...real, ...names.slice(followed.length)].join('/')
}

async function realNamesOf(tree: FileTree, names: readonly string[]): Promise<readonly string[] | undefined> {
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
  return orAbsent(openCheckedFolder(parent.at(name), { extraFlags: constants.O_NOFOLLOW, allowed, locate }))
}

async function openAt(tree: FileTree, users: string, names: readonly string[]): Promise<CheckedFolder | 'absent' | undefined> {
  const wanted = path.join(users, ...names)
  try {
    return await openCheckedFolder(wanted, { allowed: (real) => isAllowed(tree, users, names, real), locate: tree.locate })
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
