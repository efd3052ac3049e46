import { defineError } from '@agent-service/sdk'

/** Another user could read or replace the token. */
export const tokenFolderUnsafeError = defineError<{ readonly folder: string; readonly reason: string }>({
  code: 'token_folder_unsafe',
  status: 500,
  title: 'Unsafe folder for a token',
  message: ({ folder, reason }) =>
    `A token cannot be kept in ${folder}: ${reason}. Use an existing folder that only this user can write to, and a plain file name.`,
})
