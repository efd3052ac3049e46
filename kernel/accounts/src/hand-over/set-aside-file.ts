import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { UserDataRecord } from '@agent-service/sdk/contracts/user-data'

/** A file with what was taken away of one part of an account's data, one JSON object a line. */
export interface SetAsideFile {
  /** Writes a record; it survives a power failure after the next {@link SetAsideFile.sync}. */
  add(record: UserDataRecord): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens `<part>.ndjson` in a folder, when its first record is added. An earlier attempt's records
 * stay in it: after a crash some may be there twice, and none is lost. The quota of the account does
 * not bound it, so that a former holder who fills it keeps nobody from signing in.
 */
export function openSetAsideFile(folder: string, part: string): SetAsideFile {
  let opening: Promise<FileHandle> | undefined
  const file = (): Promise<FileHandle> => {
    opening ??= openNew(folder, part)
    return opening
  }
  return {
    async add({ path: name, json }) {
      await (await file()).appendFile(`${JSON.stringify({ path: name, json })}\n`)
    },
    async sync() {
      await (await opening)?.datasync()
    },
    async close() {
      await (await opening)?.close()
    },
  }
}

async function openNew(folder: string, part: string): Promise<FileHandle> {
  await makeFolder(folder)
  const name = part.replaceAll(/[^a-z0-9_.-]/gi, '_')
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants
  const flags = O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY
  try {
    return await open(path.join(folder, `${name}.ndjson`), flags, 0o600)
  } catch (error) {
    // A program of the former holder that was still at work put something else in its place.
    if (!['EISDIR', 'ELOOP', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return open(path.join(folder, `${name}-${randomBytes(4).toString('hex')}.ndjson`), flags, 0o600)
  }
}

/** Makes the folder itself: what is no folder there, such as a link to another one, is removed first. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 })
  const present = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (present?.isDirectory()) return
  if (present) await unlink(folder)
  await mkdir(folder, { mode: 0o700 })
}
