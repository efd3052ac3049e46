import type { BigIntStats } from 'node:fs'
import type { UserFileEntry, UserFileKind } from '@agent-service/sdk/services/user-files'

/**
 * A strong etag: different contents have different etags, within the resolution of the file
 * system's time.
 */
const etagOf = (found: BigIntStats): string => `"${found.ino.toString(36)}-${found.size.toString(36)}-${found.mtimeNs.toString(36)}"`

/** The entry at a path, from `lstat` of the path or `fstat` of the open file. */
export function fileEntry(path: string, found: BigIntStats): UserFileEntry {
  const kind = kindOf(found)
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    kind,
    size: kind === 'file' ? Number(found.size) : 0,
    modifiedAt: Number(found.mtimeMs),
    ...(kind === 'file' ? { etag: etagOf(found) } : {}),
  }
}

function kindOf(found: BigIntStats): UserFileKind {
  if (found.isDirectory()) return 'folder'
  if (found.isSymbolicLink()) return 'link'
  // Another name of the file may be in a folder that is not the user's.
  return found.isFile() && found.nlink <= 1n ? 'file' : 'other'
}
