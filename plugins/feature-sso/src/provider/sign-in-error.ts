import type { ServiceError } from '@agent-service/sdk'
import { providerUnavailableError, responseInvalidError, signInDeniedError } from '../common/errors.js'

type Client = Pick<typeof import('openid-client'), 'AuthorizationResponseError' | 'ClientError' | 'ResponseBodyError'>

/** A provider's error code for the log; other text is not logged. */
const shownCode = (code: string): string => (/^[a-z_]{1,60}$/.test(code) ? code : 'an unknown code')

/** Failures of the connection, and responses that come from a proxy. */
const unreachable = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'])

/** RFC 6749, 4.1.2.1: temporary failures. */
const temporary = new Set(['server_error', 'temporarily_unavailable'])

/**
 * Converts an error of the provider: the error for the person, and a reason for the log without the
 * provider's text.
 */
export function toSignInError(error: unknown, client: Client): { readonly problem: ServiceError; readonly reason: string } {
  const unavailable = () => providerUnavailableError.create({}, { cause: error, retryAfterSeconds: 5 })
  const invalid = () => responseInvalidError.create({}, { cause: error })
  if (error instanceof client.AuthorizationResponseError) {
    const problem = temporary.has(error.error) ? unavailable() : signInDeniedError.create({}, { cause: error })
    return { problem, reason: `the provider refused with ${shownCode(error.error)}` }
  }
  if (error instanceof client.ResponseBodyError)
    return { problem: error.status >= 500 ? unavailable() : invalid(), reason: `the code was refused with ${shownCode(error.error)}` }
  if (error instanceof client.ClientError) {
    const code = String(error.code)
    return { problem: unreachable.has(code) ? unavailable() : invalid(), reason: code }
  }
  // Thrown by fetch without a response or with an unwanted one.
  if (error instanceof TypeError) return { problem: unavailable(), reason: 'the provider did not respond' }
  return { problem: invalid(), reason: 'the response could not be read' }
}
