import { defineError } from '@agent-service/sdk'

/**
 * The service would not start with the saved configuration; see `problems`. It continues with the
 * current one.
 */
export const restartRefusedError = defineError<Record<string, never>>({
  code: 'restart_refused',
  status: 422,
  title: 'Restart refused',
  message: () => 'The service would not start with the saved configuration; see errors for each path. It keeps running unchanged.',
})
