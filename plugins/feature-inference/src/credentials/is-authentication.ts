import { providerError } from '@agent-service/sdk/contracts/provider-adapter'

/** Whether a vendor refused a call because of who it came from. */
export const isAuthentication = (error: unknown): boolean =>
  providerError.isInstance(error) && error.details['failure'] === 'authentication'
