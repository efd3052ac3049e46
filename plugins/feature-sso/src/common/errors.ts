import { defineError } from '@agent-service/sdk'

/** What the provider said, in brackets; empty if it said nothing. */
type Said = { readonly said: string }

/** The address to return to is not a path of this service. */
export const returnPathInvalidError = defineError<Record<string, never>>({
  code: 'return_to_invalid',
  status: 400,
  title: 'Invalid return address',
  message: () => '“return_to” must be a path of this service: it starts with a single “/” and has at most 1000 characters.',
})

/** The identity provider cannot be reached, or does not respond as one. */
export const providerUnavailableError = defineError<Said>({
  code: 'sso_unavailable',
  status: 503,
  title: 'Identity provider unavailable',
  message: ({ said }) => `The identity provider cannot be reached at the moment${said}. Try again later.`,
})

/** The settings and the identity provider do not fit: only an administrator can mend it. */
export const misconfiguredError = defineError<Record<string, never>>({
  code: 'sso_misconfigured',
  status: 503,
  title: 'Single sign-on is not set up correctly',
  message: () =>
    'Signing in through the identity provider does not work at the moment, because the settings of this service do not fit it. An administrator of this service finds what to change in its log, and with “agent-service doctor”.',
})

/** The sign-in was not begun in this browser, has expired, or has been used. */
export const stateInvalidError = defineError<Record<string, never>>({
  code: 'sso_state_invalid',
  status: 400,
  title: 'Sign-in expired',
  message: () =>
    'This sign-in was not begun in this browser, was already used, or took longer than ten minutes. If you went back or reloaded the page, you may be signed in: open the start page. Otherwise sign in again, in one browser that keeps cookies; browsers inside other apps often do not.',
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
export const signInDeniedError = defineError<Said>({
  code: 'sso_denied',
  status: 403,
  title: 'Sign-in denied',
  message: ({ said }) => `The identity provider denied the sign-in${said}. Sign in again, or ask its administrator.`,
})

/** The response of the identity provider does not prove an identity. */
export const responseInvalidError = defineError<Said>({
  code: 'sso_response_invalid',
  status: 403,
  title: 'Sign-in not proven',
  message: ({ said }) =>
    `The response of the identity provider does not prove who you are${said}. Sign in again; if this persists, contact an administrator of this service.`,
})
