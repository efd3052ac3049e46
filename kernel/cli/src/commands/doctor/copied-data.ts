import { constants, existsSync, rmSync } from 'node:fs'
import { cp, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lockFileName } from '@agent-service/kernel-core/database/folder'
import { roomOf } from '@agent-service/kernel-core/disk'
import { defineError } from '@agent-service/sdk'
import type { Prepared } from '../../composition/prepare.js'
import { makeExaminedFolder } from '../examined-folder.js'
import { exitStatus } from '../exit-status.js'

/** There is no room for the copy that is examined. */
export const noRoomToExamineError = defineError<{ readonly needed: number; readonly free: number; readonly folder: string }>({
  code: 'no_room_to_examine',
  status: 507,
  title: 'No room to examine the database',
  message: ({ needed, free, folder }) =>
    `A copy of the database is examined, which needs ${mebibytes(needed)} in ${folder}; ${mebibytes(free)} are free. Set TMPDIR to a folder with more room.`,
})

/** A copy of the data, and the installation as if its data were there. */
export interface CopiedData {
  readonly prepared: Prepared
  /** Removes the copy, as SIGINT and SIGTERM also do. */
  remove(): Promise<void>
}

/**
 * Copies an embedded database, if there is one, into a temporary folder of this user alone, so that
 * it can be opened without changing the original in any way. No process may have it open.
 * @throws `no_room_to_examine`, `no_temporary_folder`, and errors of the file system.
 */
export async function copyData(prepared: Prepared): Promise<CopiedData> {
  const { configuration } = prepared
  const from = configuration.database.path
  const folder = await makeExaminedFolder()
  const onSignal = (): void => {
    rmSync(folder, { recursive: true, force: true })
    process.exit(exitStatus.failed)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  const remove = async (): Promise<void> => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const at = (name: string): string => path.join(folder, name)
    if (existsSync(from)) await copyFolder(from, at('database'))
    for (const name of ['storage', 'server']) await mkdir(at(name))
    const copied = {
      ...configuration,
      database: { ...configuration.database, path: at('database') },
      storage: { ...configuration.storage, data_dir: at('storage') },
      serverDataDir: at('server'),
    }
    return { prepared: { ...prepared, configuration: copied }, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  const [needed, { usable }] = await Promise.all([sizeOf(from), roomOf(path.dirname(to))])
  if (needed > usable) throw noRoomToExamineError.create({ needed, free: usable, folder: tmpdir() })
  await cp(from, to, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (source) => path.basename(source) !== lockFileName,
  })
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map(async (entry) => (await stat(path.join(entry.parentPath ?? folder, entry.name))).size),
  )
  return sizes.reduce((total, size) => total + size, 0)
}

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1_048_576)} MiB`
