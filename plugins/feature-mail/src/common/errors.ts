import { defineError } from '@agent-service/sdk'

export const mailUnavailableError = defineError<{ readonly reason: string }>({
  code: 'mail_unavailable',
  status: 409,
  title: 'E-mail cannot be sent',
  message: ({ reason }) => `E-mail cannot be sent: ${reason}`,
})
