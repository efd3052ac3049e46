import type { Dirent } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { problemOfPath } from '../archive/layout.js'
import { isOfUser, nameFile } from './noted-files.js'

/** Something in a folder, as it was listed. */
export interface Found {
  /** `unreadable`: a folder of a user that cannot be listed. */
  readonly kind: 'file' | 'folder' | 'other' | 'unreadable'
  /** In the backup. */
  readonly path: string
  /** On the disk. */
  readonly source: string
  readonly mode: number
  readonly changedAt: number
}

/**
 * Everything below a folder, a folder before what is in it. Links are not followed. What vanishes
 * meanwhile is left out.
 * @param isWanted - False for what is left out with everything in it.
 */
export async function* walkFolder(
  folder: { readonly source: string; readonly path: string },
  isWanted: (path: string) => boolean,
): AsyncGenerator<Found> {
  const { path, source } = folder
  const listing = await opendir(source, { encoding: 'latin1', bufferSize: 256 }).catch(unlessMissing).catch(orUnreadable(folder))
  if (listing === undefined) return
  if (listing === 'unreadable') return yield { kind: 'unreadable', path, source, mode: 0, changedAt: 0 }
  for await (const entry of listing) yield* foundAt(folder, entry, isWanted)
}

/** What one name of a folder stands for, with everything below it. */
async function* foundAt(
  folder: { readonly source: string; readonly path: string },
  entry: Dirent,
  isWanted: (path: string) => boolean,
): AsyncGenerator<Found> {
  // Names are bytes, which need not be text.
  const bytes = Buffer.from(entry.name, 'latin1')
  const name = bytes.toString()
  const path = `${folder.path}/${name}`
  const source = join(folder.source, name)
  if (!isWanted(path)) return
  const isNameable = Buffer.from(name).equals(bytes) && problemOfPath(path) === undefined
  if (!isNameable || !(entry.isFile() || entry.isDirectory())) return yield { kind: 'other', path, source, mode: 0, changedAt: 0 }
  if (entry.isFile()) return yield { kind: 'file', path, source, mode: 0, changedAt: 0 }
  const found = await lstat(source).catch(unlessMissing).catch(orUnreadable({ path, source }))
  if (found === 'unreadable') return yield { kind: 'unreadable', path, source, mode: 0, changedAt: 0 }
  if (!found?.isDirectory()) return
  yield { kind: 'folder', path, source, mode: found.mode, changedAt: found.mtimeMs }
  yield* walkFolder({ source, path }, isWanted)
}

/** A folder of a user that cannot be read is said to be so; any other one fails. */
const orUnreadable =
  (folder: { readonly source: string; readonly path: string }) =>
  (error: unknown): 'unreadable' => {
    const named = nameFile(error, folder)
    if (isOfUser(named, folder.path)) return 'unreadable'
    throw named
  }

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
