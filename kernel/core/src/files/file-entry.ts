import type { BigIntStats } from 'node:fs'
import type { UserFileEntry, UserFileKind } from '@agent-service/sdk/services/user-files'

/** Strong: another content of the file has another one, as far as the file system's time goes. */
const etagOf = (found: BigIntStats): string => `"${found.ino.toString(36)}-${found.size.toString(36)}-${found.mtimeNs.toString(36)}"`

/** What stands at a name, by `lstat` of it or `fstat` of what is open. */
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
  // A second name may stand in a folder that is not the user's.
  return found.isFile() && found.nlink <= 1n ? 'file' : 'other'
}
