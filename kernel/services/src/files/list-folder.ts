import { lstat, opendir } from 'node:fs/promises'
import { type UserFileEntry, type UserFilePage, type UserFolder, userFolderTooLargeError } from '@agent-service/sdk/services/user-files'
import { type CheckedFolder, orAbsent } from './disk/index.js'
import { fileEntry } from './file-entry.js'
import type { FileTree } from './file-tree.js'
import { isPlainName, namesOf } from './path-names.js'
import { openFolder } from './tree-folders.js'

const maxListed = 1_000
/** The maximum number of names of a folder that can be listed. */
const maxNames = 1_000_000
const maxConcurrent = 16

type ListOptions = NonNullable<Parameters<UserFolder['list']>[1]>

/**
 * A page of a folder; `undefined` if the folder does not exist. Reads all names but keeps only
 * those of the page.
 */
export async function listFolder(tree: FileTree, path: string, options: ListOptions): Promise<UserFilePage | undefined> {
  const folder = await openFolder(tree, namesOf(path))
  if (!folder) return undefined
  try {
    const limit = Math.max(1, Math.min(options.limit ?? maxListed, maxListed))
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
  // Read as bytes, since a name need not be valid text.
  const listed = await opendir(folder.self, { encoding: 'buffer' as BufferEncoding, bufferSize: 256 })
  let names: string[] = []
  let [seen, unnameable] = [0, 0]
  for await (const entry of listed) {
    signal?.throwIfAborted()
    seen += 1
    if (seen > maxNames) throw userFolderTooLargeError.create({ path, limit: maxNames })
    const name = nameOf(entry.name as string | Uint8Array)
    if (name === undefined) unnameable += 1
    else if (after === undefined || name > after) names.push(name)
    if (names.length >= 2 * count) names = names.sort(inOrder).slice(0, count)
  }
  return { names: names.sort(inOrder).slice(0, count), unnameable }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A name that can be part of a path; `undefined` for any other. */
function nameOf(name: string | Uint8Array): string | undefined {
  try {
    const text = typeof name === 'string' ? name : utf8.decode(name)
    return isPlainName(text) ? text : undefined
  } catch {
    return undefined
  }
}

/** The entries of the names. Those that were removed in the meantime are omitted. */
async function entriesOf(folder: CheckedFolder, path: string, names: readonly string[]): Promise<readonly UserFileEntry[]> {
  const entries: UserFileEntry[] = []
  for (let first = 0; first < names.length; first += maxConcurrent) {
    const looks = names.slice(first, first + maxConcurrent).map(async (name) => {
      const found = await orAbsent(lstat(folder.at(name), { bigint: true }))
      return found && fileEntry(path === '' ? name : `${path}/${name}`, found)
    })
    for (const entry of await Promise.all(looks)) if (entry) entries.push(entry)
  }
  return entries
}
