import { realNamesOf } from './checked-folder.js'
import { type FileTree, namesOf } from './file-tree.js'

/** The path that a path leads to, links on the way followed, the last name only with `followLast` and where it is a folder; `undefined` where it leads out. */
export async function realPathIn(
  tree: FileTree,
  path: string,
  { followLast = false }: { readonly followLast?: boolean },
): Promise<string | undefined> {
  const names = namesOf(path)
  const followed = followLast ? names : names.slice(0, -1)
  const real = await realNamesOf({ ...tree, links: 'follow' }, followed)
  return real && [...real, ...names.slice(followed.length)].join('/')
}
