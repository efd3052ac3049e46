import { defineError } from '@agent-service/sdk'

/** A backup or a restore is not possible as requested. Nothing was changed. */
export const backupRefusedError = defineError<{ readonly reason: string }>({
  code: 'backup_refused',
  status: 500,
  title: 'Backup refused',
  message: ({ reason }) => reason,
})

/** A folder is not a complete, undamaged backup. Nothing was changed. */
export const backupInvalidError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'backup_invalid',
  status: 500,
  title: 'Backup invalid',
  message: ({ path, reason }) => `The backup at ${path} cannot be restored: ${reason}.`,
})
