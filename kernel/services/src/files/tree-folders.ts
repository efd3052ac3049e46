import { constants } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { userFileConflictError, userFileNotFoundError } from '@agent-service/sdk/services/user-files'
import { type CheckedFolder, errorCode, followOwner, isBelow, openCheckedFolder, orAbsent } from './disk/index.js'
import { type FileTree, rootOf } from './file-tree.js'
import { namesOf } from './path-names.js'

/**
 * Opens a folder of a tree; `undefined` if it does not exist, is not a folder, or lies elsewhere.
 * Links are followed as long as they stay below the root.
 */
export async function openFolder(tree: FileTree, names: readonly string[]): Promise<CheckedFolder | undefined> {
  const users = await tree.users()
  if (users === undefined) return undefined
  const found = await openAt(tree, users, [...tree.rootNames, ...names])
  return found === 'absent' ? undefined : found
}

/**
 * Opens a folder and creates the missing ones, each in its parent and durably.
 * @throws `file_not_found` if the path leads out, `file_conflict` if another kind of file is in the
 * way
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
 * The real path of a path: links are followed, the last name only with `followLast` and if it leads
 * to a folder. Names that do not exist yet are kept. `undefined` if the path leads out.
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

/**
 * Opens the deepest existing folder of a path; `depth` is the number of its names. `undefined` if
 * the path leads out.
 */
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

/**
 * Creates a folder in another and opens it; `undefined` if it is not a folder, or lies elsewhere.
 */
async function makeIn(
  parent: CheckedFolder,
  name: string,
  allowed: (real: string) => boolean,
  { locate }: FileTree,
): Promise<CheckedFolder | undefined> {
  await parent.confirm()
  let isNew = true
  try {
    await mkdir(parent.at(name), { mode: 0o700 })
    await parent.sync()
  } catch (error) {
    isNew = false
    if (errorCode(error) !== 'EEXIST') throw error
    const there = await parent.look(name)
    if (there && !there.isDirectory() && !there.isSymbolicLink())
      throw userFileConflictError.create({ path: name, reason: 'is not a folder' }, { cause: error })
  }
  const made = await orAbsent(openCheckedFolder(parent.at(name), { extraFlags: constants.O_NOFOLLOW, allowed, locate }))
  if (isNew && made) await followOwner(made, parent)
  return made
}

async function openAt(tree: FileTree, users: string, names: readonly string[]): Promise<CheckedFolder | 'absent' | undefined> {
  const wanted = path.join(users, ...names)
  try {
    return await openCheckedFolder(wanted, { allowed: (real) => isAllowed(tree, users, names, real), locate: tree.locate })
  } catch (error) {
    // A file in the way is reported when the folder is created.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return 'absent'
    return orAbsent(Promise.reject(error))
  }
}

/**
 * Down to the root, the real path must be exactly the named one; below it, anything inside the root
 * is allowed.
 */
function isAllowed(tree: FileTree, users: string, names: readonly string[], real: string): boolean {
  if (tree.links === 'refuse' || names.length <= tree.rootNames.length) return real === path.join(users, ...names)
  const root = rootOf(users, tree)
  return real === root || isBelow(real, root)
}
