import { defineError } from '@agent-service/sdk'

/** A backup or a restore is not possible as requested. Nothing was changed. */
export const backupRefusedError = defineError<{ readonly reason: string }>({
  code: 'backup_refused',
  status: 500,
  title: 'Backup refused',
  message: ({ reason }) => reason,
})

/** A file or folder is not a complete, undamaged backup. Nothing was changed. */
export const backupInvalidError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'backup_invalid',
  status: 500,
  title: 'Backup invalid',
  message: ({ path, reason }) => `The backup at ${path} cannot be restored: ${reason}.`,
})

/** A backup is of a later version of the service. Nothing was changed. */
export const backupNewerError = defineError<{ readonly path: string; readonly format: number; readonly supported: number }>({
  code: 'backup_newer',
  status: 500,
  title: 'Backup of a later version',
  message: ({ path, format, supported }) =>
    `The backup at ${path} has format ${format}, and this version reads ${supported}. Restore it with the version that made it, or a later one.`,
})

/** A file cannot be read, so that the backup would not be whole. Nothing is left of it. */
export const backupFileError = defineError<{ readonly user: string | null; readonly path: string; readonly reason: string }>({
  code: 'backup_file_unreadable',
  status: 500,
  title: 'File unreadable',
  message: ({ user, path, reason }) =>
    `The file ${JSON.stringify(path)}${user === null ? '' : ` of the user ${user}`} cannot be backed up: ${reason}. Mend or remove it, and back up again.`,
})

/** Another backup is being made. */
export const backupRunningError = defineError<Readonly<Record<string, never>>>({
  code: 'backup_running',
  status: 409,
  title: 'Backup running',
  message: () => 'A backup is being made already. Wait for it, or cancel it.',
})

/** The disk is full, or too small for what is to be written. Nothing of it is left. */
export const backupNoRoomError = defineError<{ readonly folder: string; readonly needed: number | null }>({
  code: 'backup_no_room',
  status: 507,
  title: 'No room for the backup',
  message: ({ folder, needed }) =>
    `There is no room in ${folder}${needed === null ? '' : `: ${Math.ceil(needed / 1_048_576)} MiB are needed`}. Free some, or choose another folder.`,
})

/** A restore was interrupted while it put its parts into place. */
export const restoreUnfinishedError = defineError<{ readonly folder: string }>({
  code: 'restore_unfinished',
  status: 500,
  title: 'Restore unfinished',
  message: ({ folder }) =>
    `A restore into ${folder} was interrupted. Run the same “agent-service restore” again to finish it before starting the service.`,
})

/** The secret of this configuration is not the one of the backup. Nothing was changed. */
export const backupSecretWrongError = defineError<{ readonly path: string }>({
  code: 'backup_secret_wrong',
  status: 500,
  title: 'Encryption secret does not fit',
  message: ({ path }) =>
    `The backup at ${path} was made with another auth.encryption_secret, which a backup never contains, or was changed after it was made. Set SERVICE_AUTH_ENCRYPTION_SECRET to the secret that the service had when it made the backup and try again: if it is refused again, it was changed. Nothing was changed here. With --any-secret and --accept-unproven it is restored all the same; the service then does not start until the secret is right.`,
})

const unproven = {
  absent: 'has no proof of origin: an earlier version made it, or its proof was taken out',
  other_secret: 'was made under another encryption secret than the one in use, so that its origin cannot be proven',
} as const

/** A sound backup whose origin is not proven, and that was not accepted as it is. Nothing was changed. */
export const backupUnprovenError = defineError<{ readonly path: string; readonly proof: keyof typeof unproven }>({
  code: 'backup_unproven',
  status: 500,
  title: 'Backup without proof of origin',
  message: ({ path, proof }) =>
    `The backup at ${path} ${unproven[proof]}. If you know that no one could change it where it was kept, restore it with --accept-unproven. Nothing was changed.`,
})

/** As {@link backupRefusedError}, or the error that a full disk or a missing right calls for. */
export function toBackupError(error: unknown, folder: string): unknown {
  const { code, path = folder } = error as NodeJS.ErrnoException
  // The last one is a database driver's.
  if (['ENOSPC', 'EDQUOT', 'EFBIG', 'storage_full'].includes(code ?? ''))
    return backupNoRoomError.create({ folder, needed: null }, { cause: error })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return backupRefusedError.create({ reason: `The operating system refuses access to ${path} (${code}).` }, { cause: error })
  return error
}
