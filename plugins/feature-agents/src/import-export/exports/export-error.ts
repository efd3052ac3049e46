import { defineError } from '@agent-service/sdk'

/** A file as a whole is no export that can be read. `reason` says where and why. */
export const exportUnreadableError = defineError<{ readonly reason: string }>({
  code: 'export_unreadable',
  status: 422,
  title: 'Export unreadable',
  message: ({ reason }) => `The export cannot be read: ${reason}.`,
})
