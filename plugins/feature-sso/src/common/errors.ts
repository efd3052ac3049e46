import { defineError } from '@agent-service/sdk'

/** The address to return to is not a path of this service. */
export const returnPathInvalidError = defineError<Record<string, never>>({
  code: 'return_to_invalid',
  status: 400,
  title: 'Invalid return address',
  message: () => '“return_to” must be a path of this service: it starts with a single “/” and has at most 1000 characters.',
})

/** The identity provider cannot be reached, or does not respond as one. */
export const providerUnavailableError = defineError<Record<string, never>>({
  code: 'sso_unavailable',
  status: 503,
  title: 'Identity provider unavailable',
  message: () => 'The identity provider cannot be reached at the moment. Try again later.',
})

/** The sign-in was not begun in this browser, has expired, or has been used. */
export const stateInvalidError = defineError<Record<string, never>>({
  code: 'sso_state_invalid',
  status: 400,
  title: 'Sign-in expired',
  message: () => 'This sign-in was not begun in this browser, was already used, or took longer than ten minutes. Sign in again.',
})

/**
 * A confirmation did not begin on a page of this service. Someone else with access to the session
 * could have caused it.
 */
export const confirmationForeignError = defineError<Record<string, never>>({
  code: 'sso_confirmation_foreign',
  status: 403,
  title: 'Confirmation from another page',
  message: () => 'To confirm that it is you, start on a page of this service. A link from another page is not enough.',
})

/** The identity provider refused: the person declined, or may not use this service. */
export const signInDeniedError = defineError<Record<string, never>>({
  code: 'sso_denied',
  status: 403,
  title: 'Sign-in denied',
  message: () => 'The identity provider denied the sign-in. Sign in again, or ask its administrator.',
})

/** The response of the identity provider does not prove an identity. */
export const responseInvalidError = defineError<Record<string, never>>({
  code: 'sso_response_invalid',
  status: 403,
  title: 'Sign-in not proven',
  message: () =>
    'The response of the identity provider does not prove who you are. Sign in again; if this persists, contact an administrator of this service.',
})
