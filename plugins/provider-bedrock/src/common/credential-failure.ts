import { callFailure } from '@agent-service/sdk/provider-kit'

/**
 * Credentials are missing or denied: a person has to change something. Neither the reason nor a
 * cause contains a secret.
 */
export const credentialsRefused = (reason: string): Error => callFailure({ failure: 'authentication', retryable: false, reason })

/** The issuer of credentials could not be reached, or cannot issue them now. */
export const credentialsUnavailable = (reason: string): Error => callFailure({ failure: 'transport', retryable: true, reason })
