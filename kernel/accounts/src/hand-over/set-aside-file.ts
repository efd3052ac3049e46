import { constants } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
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
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = `${part.replaceAll(/[^a-z0-9_.-]/gi, '_')}.ndjson`
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants
  return open(path.join(folder, name), O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600)
}
