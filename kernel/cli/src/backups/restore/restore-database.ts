import { randomUUID } from 'node:crypto'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { acquireFolderLock, type FolderLock, lockFileName, ownDatabaseFolder } from '@agent-service/kernel-core/database/folder'
import { backupRefusedError } from '../errors.js'
import { replacedOf, restoringOf } from '../leftovers.js'
import { entriesOf } from '../make/back-up-database.js'
import { type BackupManifest, dataFolderName, readBackup } from '../make/backup-manifest.js'
import { syncPath, syncTree } from '../make/sync-folder.js'

/**
 * Restores a backup into a folder that is missing or contains only a lock file, while no service
 * uses it. First compares the backup with its own description. The database appears complete, by a
 * rename, or not at all.
 * @throws `backup_invalid`; `backup_refused` if the folder has content or the backup is of another
 * driver; `database_locked`.
 */
export async function restoreDatabase(options: {
  /** The backup's folder. */
  readonly from: string
  /** The database's folder. */
  readonly path: string
  /** The driver that will open it, if known. */
  readonly driver?: string
  readonly signal?: AbortSignal
}): Promise<BackupManifest> {
  const { driver, signal = new AbortController().signal } = options
  const from = resolve(options.from)
  const path = resolve(options.path)
  const now = (): number => Date.now()
  const manifest = await readBackup(from, signal)
  if (driver !== undefined && driver !== manifest.driver) {
    throw backupRefusedError.create({
      reason: `The backup at ${from} was made with the driver ${manifest.driver}, but the database uses ${driver}. Set database.driver to match.`,
    })
  }
  await refuseContent(path)
  const held: FolderLock[] = [await ownDatabaseFolder(path, { now })]
  const parent = dirname(path)
  const temporary = restoringOf(path, randomUUID())
  const replaced = replacedOf(path, randomUUID())
  try {
    await refuseContent(path)
    await mkdir(temporary, { mode: 0o700 })
    await cp(join(from, dataFolderName), temporary, { recursive: true })
    signal.throwIfAborted()
    // A service that starts on the new folder before this is done finds it locked, as the old one
    // is.
    held.push(await acquireFolderLock(temporary, { now }))
    await syncTree(temporary)
    await rename(path, replaced)
    await rename(temporary, path)
    await syncPath(parent)
    return manifest
  } finally {
    await rm(temporary, { recursive: true, force: true })
    await rm(replaced, { recursive: true, force: true })
    for (const lock of held) await lock.release()
  }
}

async function refuseContent(path: string): Promise<void> {
  const content = (await entriesOf(path)).filter((name) => name !== lockFileName)
  if (content.length > 0) {
    throw backupRefusedError.create({
      reason: `${path} is not empty (it has ${content[0]}). Move it away first; a restore never writes over a database.`,
    })
  }
}
