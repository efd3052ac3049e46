import { providerError } from '@agent-service/sdk/contracts/provider-adapter'

/** Whether a vendor refused the credential of a call. */
export const isAuthenticationFailure = (error: unknown): boolean =>
  providerError.isInstance(error) && error.details['failure'] === 'authentication'
