import { defineError } from '@agent-service/sdk'

/** Something else is done with backups at the moment. */
export const backupBusyError = defineError<{ readonly id: string }>({
  code: 'backup_running',
  status: 409,
  title: 'Backup running',
  message: ({ id }) => `The backup ${id} is being made or verified. Wait for it, or cancel it.`,
})
