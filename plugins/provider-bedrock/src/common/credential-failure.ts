import { callFailure } from '@agent-service/sdk/provider-kit'

/** There are no credentials, or they are not given out: a person has to change something. The reason holds no secret, and there is no cause that might. */
export const credentialsRefused = (reason: string): Error => callFailure({ failure: 'authentication', retryable: false, reason })

/** Whoever gives credentials out could not be asked, or is not able to right now. */
export const credentialsUnavailable = (reason: string): Error => callFailure({ failure: 'transport', retryable: true, reason })
