import { defineError } from '@agent-service/sdk'

/** A state document's file, or a value meant for it, is not what it should be. */
export const stateDocumentInvalidError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'state_document_invalid',
  status: 500,
  title: 'State document invalid',
  message: ({ path, reason }) => `${path} is not valid: ${reason}. Correct the file, or move it away to start from its defaults.`,
})
