import { lstat, opendir } from 'node:fs/promises'
import { type UserFileEntry, type UserFilePage, type UserFolder, userFolderTooLargeError } from '@agent-service/sdk/services/user-files'
import { type CheckedFolder, orAbsent } from '../disk/index.js'
import { fileEntry } from './file-entry.js'
import type { FileTree } from './file-tree.js'
import { isPlainName, namesOf } from './path-names.js'
import { openFolder } from './tree-folders.js'

/** The most names that one page has. */
const mostListed = 1_000
/** The most names that a folder may have to be listed. */
const mostNames = 1_000_000
/** How many names are looked at beside each other. */
const looksAtOnce = 16

type ListOptions = NonNullable<Parameters<UserFolder['list']>[1]>

/** A page of a folder; `undefined` where there is none. Reads all names and keeps those of the page alone. */
export async function listFolder(tree: FileTree, path: string, options: ListOptions): Promise<UserFilePage | undefined> {
  const folder = await openFolder(tree, namesOf(path))
  if (!folder) return undefined
  try {
    const limit = Math.max(1, Math.min(options.limit ?? mostListed, mostListed))
    const { names, unnameable } = await firstNames(folder, path, limit + 1, options)
    const page = names.slice(0, limit)
    const last = page.at(-1)
    const items = await entriesOf(folder, path, page)
    return { items, ...(names.length > limit && last !== undefined ? { next: last } : {}), unnameable }
  } finally {
    await folder.close()
  }
}

const inOrder = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

async function firstNames(
  folder: CheckedFolder,
  path: string,
  count: number,
  { after, signal }: ListOptions,
): Promise<{ readonly names: readonly string[]; readonly unnameable: number }> {
  // Bytes, since a name need not be text.
  const listed = await opendir(folder.self, { encoding: 'buffer' as BufferEncoding, bufferSize: 256 })
  let names: string[] = []
  let [seen, unnameable] = [0, 0]
  for await (const entry of listed) {
    signal?.throwIfAborted()
    seen += 1
    if (seen > mostNames) throw userFolderTooLargeError.create({ path, limit: mostNames })
    const name = nameOf(entry.name as string | Uint8Array)
    if (name === undefined) unnameable += 1
    else if (after === undefined || name > after) names.push(name)
    if (names.length >= 2 * count) names = names.sort(inOrder).slice(0, count)
  }
  return { names: names.sort(inOrder).slice(0, count), unnameable }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A name as it can stand in a path; `undefined` for one that cannot. */
function nameOf(name: string | Uint8Array): string | undefined {
  try {
    const text = typeof name === 'string' ? name : utf8.decode(name)
    return isPlainName(text) ? text : undefined
  } catch {
    return undefined
  }
}

/** What vanished meanwhile is left out. */
async function entriesOf(folder: CheckedFolder, path: string, names: readonly string[]): Promise<readonly UserFileEntry[]> {
  const entries: UserFileEntry[] = []
  for (let first = 0; first < names.length; first += looksAtOnce) {
    const looks = names.slice(first, first + looksAtOnce).map(async (name) => {
      const found = await orAbsent(lstat(folder.at(name), { bigint: true }))
      return found && fileEntry(path === '' ? name : `${path}/${name}`, found)
    })
    for (const entry of await Promise.all(looks)) if (entry) entries.push(entry)
  }
  return entries
}
