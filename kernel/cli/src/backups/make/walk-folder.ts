import type { Dir, Dirent } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { problemOfPath } from '../archive/layout.js'
import { isByUser, nameFile, ownerOf } from './noted-files.js'

/** Something in a folder, as it was listed. */
export interface Found {
  /** `unreadable`: a folder of a user that cannot be listed, or something that lies too deep in one. */
  readonly kind: 'file' | 'folder' | 'other' | 'unreadable'
  /** In the backup. */
  readonly path: string
  /** On the disk. */
  readonly source: string
  readonly mode: number
  readonly changedAt: number
}

/** A place in the backup, and on the disk. */
interface Place {
  readonly path: string
  readonly source: string
}

/** A folder with the names of those in it that are still to be walked through, byte by byte in latin1. */
interface Level extends Place {
  readonly folders: string[]
}

/** How many folders deep a user's files are backed up: deep enough for any tree that is not made to be deep. */
export const maxDepth = 500
/**
 * The longest path of a user's file in a backup. The system takes 4,096 bytes for a whole path, so that the
 * rest is for the folder to which it is restored.
 */
export const maxPathBytes = 3_584

/**
 * Everything below a folder, a folder before what is in it. Links are not followed. What vanishes
 * meanwhile is left out. At most one folder is open at a time, and the cost of a name does not grow with its depth.
 * @param isWanted - False for what is left out with everything in it.
 */
export async function* walkFolder(root: Place, isWanted: (path: string) => boolean): AsyncGenerator<Found> {
  const levels: Level[] = [{ ...root, folders: [] }]
  yield* listInto(levels, isWanted)
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const name = level.folders.pop()
    if (name === undefined) {
      levels.pop()
      continue
    }
    const place = placeOf(level, name)
    const found = await lstat(place.source).catch(unlessMissing).catch(orUnreadable(place))
    if (found === 'unreadable') yield foundAs('unreadable', place)
    else if (found?.isDirectory()) {
      yield { kind: 'folder', ...place, mode: found.mode, changedAt: found.mtimeMs }
      levels.push({ ...place, folders: [] })
      yield* listInto(levels, isWanted)
    }
  }
}

/** Lists the last folder and closes it: yields what is in it, and notes the folders for later. */
async function* listInto(levels: readonly Level[], isWanted: (path: string) => boolean): AsyncGenerator<Found> {
  const level = levels.at(-1)
  if (level === undefined) return
  const listing = await opendir(level.source, { encoding: 'latin1', bufferSize: 256 }).catch(unlessMissing).catch(orUnreadable(level))
  if (listing === undefined) return
  if (listing === 'unreadable') return yield foundAs('unreadable', level)
  for await (const entry of namesOf(listing, level)) {
    if (entry === 'unreadable') return yield foundAs('unreadable', level)
    const place = placeOf(level, entry.name)
    if (!isWanted(place.path)) continue
    const kind = kindOf(entry, place, levels.length)
    if (kind === 'folder') level.folders.push(entry.name)
    else yield foundAs(kind, place)
  }
}

/** The names in a folder, until one cannot be read. */
async function* namesOf(listing: Dir, level: Level): AsyncGenerator<Dirent | 'unreadable'> {
  try {
    yield* listing
  } catch (error) {
    yield orUnreadable(level)(error)
  }
}

function kindOf(entry: Dirent, { path }: Place, depth: number): Found['kind'] {
  // Names are bytes, which need not be text.
  const isText = Buffer.from(nameOf(entry.name), 'utf8').equals(Buffer.from(entry.name, 'latin1'))
  if (!isText || !(entry.isFile() || entry.isDirectory())) return 'other'
  // The first level is the user's folder.
  const isTooDeep = (entry.isDirectory() && depth > maxDepth + 1) || Buffer.byteLength(path) > maxPathBytes
  if (isTooDeep && ownerOf(path).user !== null) return 'unreadable'
  if (problemOfPath(path) !== undefined) return 'other'
  return entry.isFile() ? 'file' : 'folder'
}

const nameOf = (latin1: string): string => Buffer.from(latin1, 'latin1').toString()

function placeOf(folder: Place, latin1: string): Place {
  const name = nameOf(latin1)
  return { path: `${folder.path}/${name}`, source: join(folder.source, name) }
}

const foundAs = (kind: Found['kind'], { path, source }: Place): Found => ({ kind, path, source, mode: 0, changedAt: 0 })

/** A folder of a user that cannot be read is said to be so; any other one fails. */
const orUnreadable =
  (folder: Place) =>
  (error: unknown): 'unreadable' => {
    const named = nameFile(error, folder)
    if (isByUser(named, folder.path)) return 'unreadable'
    throw named
  }

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
