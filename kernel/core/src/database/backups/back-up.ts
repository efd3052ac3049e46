import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import { backupRefusedError } from '../errors.js'
import { partialBackupOf } from '../folder/leftovers.js'
import { syncPath, syncTree } from '../folder/sync-folder.js'
import { type BackupManifest, dataFolderName, describeFiles, manifestName } from './backup-manifest.js'

/**
 * Copies a consistent state into a missing or empty folder, while work goes on. The folder appears
 * complete, by a rename, or not at all.
 * @throws `backup_refused` if the driver cannot back up or the folder is not empty; the signal's
 * reason when aborted.
 */
export async function backUp(
  source: { readonly connection: DatabaseConnection; readonly driver: string; readonly folder: string; readonly now: () => number },
  options: { readonly signal: AbortSignal; readonly progress: (done: number, total: number) => void },
): Promise<void> {
  const { connection, driver, now } = source
  const { signal, progress } = options
  signal.throwIfAborted()
  const folder = resolve(source.folder)
  if (!connection.backup) {
    throw backupRefusedError.create({ reason: `The ${driver} driver does not make backups. Use the tools of its server.` })
  }
  if ((await entriesOf(folder)).length > 0)
    throw backupRefusedError.create({ reason: `${folder} is not empty. Give a new or empty folder for the backup.` })
  const parent = dirname(folder)
  const temporary = partialBackupOf(folder, randomUUID())
  try {
    const data = join(temporary, dataFolderName)
    await mkdir(data, { recursive: true, mode: 0o700 })
    await connection.backup(data, { signal, progress })
    const layouts = await connection.layouts()
    const manifest: BackupManifest = {
      format: 1,
      created_at: new Date(now()).toISOString(),
      driver,
      revision: await connection.revision(),
      collections: layouts.map(({ name, version }) => ({ name, version })),
      files: [...(await describeFiles(data, signal))],
    }
    await writeFile(join(temporary, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 })
    await syncTree(temporary)
    signal.throwIfAborted()
    await rename(temporary, folder)
    await syncPath(parent)
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
