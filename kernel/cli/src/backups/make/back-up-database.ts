import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { KernelDatabase } from '@agent-service/kernel-core/database'
import { backupRefusedError } from '../errors.js'
import { partialBackupOf } from '../leftovers.js'
import { type BackupManifest, dataFolderName, describeFiles, manifestName } from './backup-manifest.js'
import { syncPath, syncTree } from './sync-folder.js'

/**
 * Copies a consistent state into a missing or empty folder, while work goes on. The folder appears
 * complete, by a rename, or not at all.
 * @throws `backup_refused` if the driver cannot back up or the folder is not empty; the signal's
 * reason when aborted.
 */
export async function backUpDatabase(
  database: Pick<KernelDatabase, 'copy' | 'driver'>,
  target: string,
  options: { readonly signal: AbortSignal; readonly progress: (done: number, total: number) => void },
): Promise<void> {
  const { signal } = options
  signal.throwIfAborted()
  const folder = resolve(target)
  if (!database.copy)
    throw backupRefusedError.create({ reason: `The ${database.driver} driver does not make backups. Use the tools of its server.` })
  if ((await entriesOf(folder)).length > 0)
    throw backupRefusedError.create({ reason: `${folder} is not empty. Give a new or empty folder for the backup.` })
  const temporary = partialBackupOf(folder, randomUUID())
  try {
    const data = join(temporary, dataFolderName)
    await mkdir(data, { recursive: true, mode: 0o700 })
    const { revision, collections } = await database.copy(data, options)
    const manifest: BackupManifest = {
      format: 1,
      created_at: new Date().toISOString(),
      driver: database.driver,
      revision,
      collections: [...collections],
      files: [...(await describeFiles(data, signal))],
    }
    await writeFile(join(temporary, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
    await syncTree(temporary)
    signal.throwIfAborted()
    await rename(temporary, folder)
    await syncPath(dirname(folder))
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    signal.throwIfAborted()
    throw error
  }
}

/** The entries of a folder; empty if it does not exist. */
export async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (code === 'ENOTDIR') throw backupRefusedError.create({ reason: `${folder} is not a folder.` }, { cause: error })
    throw error
  }
}
