import type { ServiceError } from '@agent-service/sdk'
import { providerUnavailableError, responseInvalidError, signInDeniedError } from '../common/errors.js'

type Client = Pick<typeof import('openid-client'), 'AuthorizationResponseError' | 'ClientError' | 'ResponseBodyError'>

/** Of a provider's own code for an error, what may stand in a log. */
const shownCode = (code: string): string => (/^[a-z_]{1,60}$/.test(code) ? code : 'an unknown code')

/** Failures of the connection, and answers that come from something in between. */
const unreachable = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'])

/** RFC 6749, 4.1.2.1: the provider is not well. */
const passing = new Set(['server_error', 'temporarily_unavailable'])

/** What went wrong with the provider: the error for the person, and a reason for the log without a word that the provider chose. */
export function toSignInError(error: unknown, client: Client): { readonly problem: ServiceError; readonly reason: string } {
  const unavailable = () => providerUnavailableError.create({}, { cause: error, retryAfterSeconds: 5 })
  const invalid = () => responseInvalidError.create({}, { cause: error })
  if (error instanceof client.AuthorizationResponseError) {
    const problem = passing.has(error.error) ? unavailable() : signInDeniedError.create({}, { cause: error })
    return { problem, reason: `the provider refused with ${shownCode(error.error)}` }
  }
  if (error instanceof client.ResponseBodyError)
    return { problem: error.status >= 500 ? unavailable() : invalid(), reason: `the code was refused with ${shownCode(error.error)}` }
  if (error instanceof client.ClientError) {
    const code = String(error.code)
    return { problem: unreachable.has(code) ? unavailable() : invalid(), reason: code }
  }
  // What fetch throws when there is no answer, or none that is wanted.
  if (error instanceof TypeError) return { problem: unavailable(), reason: 'the provider did not answer' }
  return { problem: invalid(), reason: 'the answer could not be read' }
}
