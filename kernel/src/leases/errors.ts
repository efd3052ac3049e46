import { defineError } from '@agent-service/sdk'

/** Another process has, or may have, taken over what this one was doing. */
export const leaseLostError = defineError<{ readonly name: string }>({
  code: 'lease_lost',
  status: 500,
  title: 'Lease lost',
  message: ({ name }) => `This process no longer holds the lease “${name}”: another process of the deployment may have taken it over.`,
})
