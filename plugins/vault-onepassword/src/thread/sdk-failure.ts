import { defineError, ServiceError } from '@agent-service/sdk'
import {
  vaultConflictError,
  vaultConnectionInvalidError,
  vaultContentInvalidError,
  vaultForbiddenError,
  vaultRateLimitedError,
  vaultUnauthorizedError,
  vaultUnavailableError,
} from '@agent-service/sdk/contracts/vault-connector'

/** What errors call the store. */
export const vault = '1Password'

/** An item or a vault is not there. The connector, which knows the id, makes the contract's error of it. */
export const absentError = defineError<{ readonly deleted: boolean }>({
  code: 'one_password_absent',
  status: 404,
  title: 'Not in 1Password',
  message: () => '1Password has no such item or vault.',
})

/** The session of a client has ended; signing in again may help. */
export const sessionEndedError = defineError<Record<never, never>>({
  code: 'one_password_session_ended',
  status: 401,
  title: 'Session ended',
  message: () => 'The session at 1Password has ended.',
})

/** The thread ended while it was needed: closed, or by a fault of the SDK's. */
export const threadEndedError = (): Error => vaultUnavailableError.create({ vault, reason: 'its SDK has ended while it worked' })

/** What the SDK's errors say, in the order in which they are looked at. Its texts may quote secrets, so none is passed on. */
const failures: readonly (readonly [RegExp, (network: unknown) => Error])[] = [
  [/error sending request|request library|fetch failed/, networkFailure],
  [/rate limit exceeded/, () => vaultRateLimitedError.create({ vault })],
  [/invalid service account token|service account token had invalid format|^invalid user input/, tokenInvalid],
  [/^session expired|session expired$/, () => sessionEndedError.create({})],
  [/request timeout/, () => unavailable('it did not answer in time')],
  [/internal server error|unexpected status code in response: 5/, () => unavailable('it answers with a failure of its own')],
  [/deserializ|unexpected status code|invalid json/i, () => content('its answer is not one of 1Password')],
  [/^authentication error|not authenticated|bad service account token|bad credentials/, () => unauthorized()],
  [/right permissions/, () => vaultForbiddenError.create({ vault, what: 'do this' })],
  [/is not up to date|conflict occurred/, () => vaultConflictError.create({ what: 'The item' })],
  [/not in an active state/, () => absentError.create({ deleted: true })],
  [/couldn't be found|resource not found/, () => absentError.create({ deleted: false })],
  [/not supported for unsupported fields/, () => content('the item has fields that can only be changed in 1Password itself')],
]

const unavailable = (reason: string, cause?: unknown): Error => vaultUnavailableError.create({ vault, reason }, { cause })
const content = (reason: string, cause?: unknown): Error => vaultContentInvalidError.create({ vault, reason }, { cause })
const unauthorized = (): Error => vaultUnauthorizedError.create({ vault, reason: 'unknown' })

function tokenInvalid(): Error {
  const reason = 'is not a token of a service account. Copy it from 1Password as a whole'
  return vaultConnectionInvalidError.create({ member: 'service_account_token', reason })
}

/** The error for one of the SDK's, by its class and text. `network`: why its last request failed. */
export function sdkFailure({ name, message }: { readonly name: string; readonly message: string }, network: unknown): Error {
  if (name === 'RateLimitExceededError') return vaultRateLimitedError.create({ vault })
  if (name === 'AuthExpiredError' || name === 'DesktopSessionExpiredError') return sessionEndedError.create({})
  const found = failures.find(([pattern]) => pattern.test(message))
  return found?.[1](network) ?? unavailable('its SDK failed in a way that is not known')
}

/** The guarded client's error, whose reason is made for people. */
function networkFailure(cause: unknown): Error {
  if (!ServiceError.isInstance(cause)) return unavailable('the request failed', cause)
  const reason = String(cause.details['reason'] ?? '').replace(/\.$/, '')
  if (cause.code === 'http_response_too_large') return content('its answer is too large', cause)
  if (cause.code === 'http_response_invalid') return content('its answer is not valid HTTP', cause)
  if (cause.code === 'http_request_timeout') return unavailable('it did not answer in time', cause)
  return unavailable(reason === '' ? 'the request failed' : reason, cause)
}
