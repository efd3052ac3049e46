import { defineError } from '@agent-service/sdk'

/** Where to go after the sign-in is no path of this service. */
export const returnPathInvalidError = defineError<Record<string, never>>({
  code: 'return_to_invalid',
  status: 400,
  title: 'Address to return to is invalid',
  message: () => '“return_to” must be a path of this service: it begins with one “/” and has at most 1000 characters.',
})

/** The identity provider cannot be reached, or does not answer as one. */
export const providerUnavailableError = defineError<Record<string, never>>({
  code: 'sso_unavailable',
  status: 503,
  title: 'Identity provider unavailable',
  message: () => 'The identity provider cannot be reached just now. Try again in a moment.',
})

/** Nobody in this browser began this sign-in, or it was begun too long ago, or it has been finished. */
export const stateInvalidError = defineError<Record<string, never>>({
  code: 'sso_state_invalid',
  status: 400,
  title: 'Sign-in expired',
  message: () => 'This sign-in was not begun in this browser, has been used, or took longer than ten minutes. Sign in again.',
})

/** A confirmation was begun by a page of somebody else, or without one: whoever has borrowed the session could have sent its person there. */
export const confirmationForeignError = defineError<Record<string, never>>({
  code: 'sso_confirmation_foreign',
  status: 403,
  title: 'Not asked for on a page of this service',
  message: () => 'To confirm that it is you, begin on a page of this service; a link from elsewhere is not enough.',
})

/** The identity provider refused: the person declined, or may not use this service. */
export const signInDeniedError = defineError<Record<string, never>>({
  code: 'sso_denied',
  status: 403,
  title: 'Sign-in denied',
  message: () => 'The identity provider did not let you in. Sign in again, or ask whoever runs it.',
})

/** What came back from the identity provider does not prove anything. */
export const responseInvalidError = defineError<Record<string, never>>({
  code: 'sso_response_invalid',
  status: 403,
  title: 'Sign-in not proven',
  message: () =>
    'What the identity provider answered does not prove who you are. Sign in again; if it stays, tell an admin of this service.',
})
