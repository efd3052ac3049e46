import { defineError } from '@agent-service/sdk'

/** A token would lie where somebody else could read or replace it. */
export const tokenFolderUnsafeError = defineError<{ readonly folder: string; readonly reason: string }>({
  code: 'token_folder_unsafe',
  status: 500,
  title: 'Unsafe folder for a token',
  message: ({ folder, reason }) =>
    `A token cannot be kept in ${folder}: ${reason}. Give an existing folder that only this user can write in, and a plain file name.`,
})
