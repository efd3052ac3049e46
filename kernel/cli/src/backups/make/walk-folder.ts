import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { problemOfPath } from '../archive/layout.js'
import { nameFile } from './noted-files.js'

/** Something in a folder, as it was listed. */
export interface Found {
  readonly kind: 'file' | 'folder' | 'other'
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
  const listing = await opendir(folder.source, { encoding: 'latin1', bufferSize: 256 })
    .catch(unlessMissing)
    .catch((error: unknown) => {
      throw nameFile(error, folder)
    })
  if (listing === undefined) return
  for await (const entry of listing) {
    // Names are bytes, which need not be text.
    const bytes = Buffer.from(entry.name, 'latin1')
    const name = bytes.toString()
    const path = `${folder.path}/${name}`
    const source = join(folder.source, name)
    if (!isWanted(path)) continue
    const isNameable = Buffer.from(name).equals(bytes) && problemOfPath(path) === undefined
    if (!isNameable || !(entry.isFile() || entry.isDirectory())) yield { kind: 'other', path, source, mode: 0, changedAt: 0 }
    else if (entry.isFile()) yield { kind: 'file', path, source, mode: 0, changedAt: 0 }
    else {
      const found = await lstat(source).catch(unlessMissing)
      if (!found?.isDirectory()) continue
      yield { kind: 'folder', path, source, mode: found.mode, changedAt: found.mtimeMs }
      yield* walkFolder({ source, path }, isWanted)
    }
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  throw error
}
