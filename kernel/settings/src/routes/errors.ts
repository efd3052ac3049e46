import { defineError } from '@agent-service/sdk'

/** A change without the revision that it is based on. */
export const revisionRequiredError = defineError<Record<string, never>>({
  code: 'revision_required',
  status: 428,
  title: 'Revision required',
  message: () => 'Send the revision that the change is based on as If-Match. It is in the response of GET /api/admin/config.',
})
