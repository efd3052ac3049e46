import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { roomOf } from '@agent-service/kernel-core/disk'
import type { DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'
import { messageOf } from '@agent-service/sdk/host'
import type { BackupReport, BackupWork } from '@agent-service/sdk/services/backups'
import { readArchive } from '../archive/archive-reader.js'
import { summaryOf } from '../archive/summary.js'
import { backupInvalidError, backupNewerError, backupNoRoomError, toBackupError } from '../errors.js'
import { createSeenFiles } from '../make/seen-files.js'
import { stageEntry } from '../restore/staged-files.js'
import { countReferences } from './referenced-files.js'

export interface VerifyOptions extends BackupWork {
  /** A folder for the database's copy; created and removed. */
  readonly scratch: string
  /** The secret under which a proof of origin has to be. */
  readonly encryptionSecret: string
  /** Opens the database in a folder with the driver of that name. */
  readonly open: (folder: string, driver: string) => Promise<DatabaseConnection>
}

const progressMs = 200

/**
 * Checks every byte of a backup and its proof of origin, opens its database in a temporary folder,
 * counts, and looks for each file to which stored messages refer. Damage is a finding. @throws the signal's reason,
 * `backup_no_room`, errors of the temporary folder.
 */
export async function verifyBackup(file: string, options: VerifyOptions): Promise<BackupReport> {
  const { scratch, signal, progress } = options
  const folder = dirname(scratch)
  const nothing = { documents: 0, references: 0, missing: 0 }
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    const paths = createSeenFiles()
    const size = await refuseFullDisk(file, folder)
    let saidAt = 0
    const { origin, summary, bytes } = await readArchive(file, {
      signal,
      encryptionSecret: options.encryptionSecret,
      visitor: {
        async entry(entry, content) {
          const [root, ...segments] = entry.path.split('/')
          if (root === 'database') return stageEntry(join(scratch, 'database'), segments, entry, content)
          for await (const _ of content);
          if (entry.kind === 'file') paths.add(entry.path)
        },
        progress(done) {
          if (Date.now() - saidAt < progressMs) return
          saidAt = Date.now()
          progress?.({ step: 'check', bytes: done, files: 0, totalBytes: size })
        },
      },
    })
    const said = summaryOf(summary, bytes)
    const { proof } = origin
    try {
      const connection = await options.open(join(scratch, 'database'), summary.driver)
      try {
        const counts = await countReferences(connection, { isThere: paths.has, signal })
        return { sound: true, problem: null, proof, summary: said, ...counts }
      } finally {
        await connection.close()
      }
    } catch (error) {
      signal.throwIfAborted()
      const known = toBackupError(error, folder)
      // A full disk says nothing about the backup.
      if (backupNoRoomError.isInstance(known)) throw known
      return { sound: false, problem: `its database cannot be opened: ${messageOf(error)}`, proof, summary: said, ...nothing }
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!backupInvalidError.isInstance(error) && !backupNewerError.isInstance(error)) throw toBackupError(error, folder)
    const { reason } = error.details as { readonly reason?: string }
    return { sound: false, problem: reason ?? messageOf(error), proof: null, ...nothing }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** The database's copy is at most as large as the backup. Returns the size of that. */
async function refuseFullDisk(file: string, folder: string): Promise<number> {
  const { size } = await stat(file).catch((cause: unknown) => {
    throw backupInvalidError.create({ path: file, reason: `it cannot be read: ${messageOf(cause)}` }, { cause })
  })
  const { usable } = await roomOf(folder)
  if (size > usable) throw backupNoRoomError.create({ folder, needed: size })
  return size
}
