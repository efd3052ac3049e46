import { lstat, readdir } from 'node:fs/promises'
import { orAbsent } from './disk/index.js'
import { type FileTree, rootOf } from './file-tree.js'
import { composedName, namesOf } from './path-names.js'

/**
 * The path as its names are on the disk. A name with an accent can be composed (NFC, as people type
 * it) or decomposed (NFD, as macOS and some archives write it), and both look the same: each name that
 * is not there as it is given is looked for in either form, or in a mixture of both. Where several
 * are there, the given one is meant. What is not there gets its composed form, so that new files have
 * one.
 *
 * It opens nothing: the operation that opens the path checks where it leads. @throws `path_invalid`
 */
export async function storedPath(tree: FileTree, path: string): Promise<string> {
  const names = namesOf(path)
  if (/^\p{ASCII}*$/u.test(path)) return path
  const users = await tree.users()
  let folder = users === undefined ? undefined : rootOf(users, tree)
  const stored: string[] = []
  for (const name of names) {
    const found = folder === undefined ? undefined : await storedName(folder, name)
    folder = folder === undefined || found === undefined ? undefined : `${folder}/${found}`
    stored.push(found ?? composedName(name))
  }
  return stored.join('/')
}

async function storedName(folder: string, name: string): Promise<string | undefined> {
  const composed = name.normalize('NFC')
  for (const form of new Set([name, composed, name.normalize('NFD')]))
    if ((await orAbsent(lstat(`${folder}/${form}`))) !== undefined) return form
  if (!hasMixedForms(composed)) return undefined
  return (await orAbsent(readdir(folder)))?.find((each) => each.normalize('NFC') === composed)
}

/** Whether a name has two characters with two forms: one of them may be composed, and the other not. */
const hasMixedForms = (composed: string): boolean => [...composed].filter((each) => each.normalize('NFD') !== each).length > 1
