import { defineError } from '@agent-service/sdk'

/** A change came without the revision that it was made against. */
export const revisionRequiredError = defineError<Record<string, never>>({
  code: 'revision_required',
  status: 428,
  title: 'Revision required',
  message: () => 'Send the revision that the change was made against as If-Match: it is in the answer of GET /api/admin/config.',
})

/** The saved configuration would not start; `problems` has everything. The service goes on with the one that it has. */
export const restartRefusedError = defineError<Record<string, never>>({
  code: 'restart_refused',
  status: 422,
  title: 'Restart refused',
  message: () => 'The service would not start again with the saved configuration; see errors for each path. It goes on as it is.',
})
