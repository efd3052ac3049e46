import { defineError } from '@agent-service/sdk'

/** Name or password is wrong, or the account cannot sign in: the cases are not told apart. */
export const invalidCredentialsError = defineError<Record<string, never>>({
  code: 'invalid_credentials',
  status: 401,
  title: 'Wrong name or password',
  message: () => 'There is no account with this name and password.',
})

/** Another account has, or had, this name. */
export const usernameTakenError = defineError<{ readonly username: string }>({
  code: 'username_taken',
  status: 409,
  title: 'Name taken',
  message: ({ username }) => `The name “${username}” is taken. Choose another one.`,
})

/** Another account has this e-mail address. */
export const emailTakenError = defineError<Record<string, never>>({
  code: 'email_taken',
  status: 409,
  title: 'E-mail address taken',
  message: () => 'Another account has this e-mail address.',
})

/** The password is on the list of those that are tried first. */
export const passwordTooCommonError = defineError<Record<string, never>>({
  code: 'password_too_common',
  status: 422,
  title: 'Password too common',
  message: () => 'This password is one of those that are guessed first. Choose another one.',
})

/** The password has a name in it that is known, or is known to be tried: of its owner or of the service. */
export const passwordContainsNameError = defineError<Record<string, never>>({
  code: 'password_contains_name',
  status: 422,
  title: 'Password contains a name',
  message: () =>
    'This password contains the username, the e-mail address or the name of this service, which are guessed first. Choose another one.',
})

/** Only admins create accounts here. */
export const registrationClosedError = defineError<Record<string, never>>({
  code: 'registration_closed',
  status: 403,
  title: 'Registration closed',
  message: () => 'Sign-up is closed. An admin of this service can create an account for you.',
})

/** The first account comes from the machine itself, or from someone who can read the service's log. */
export const setupCodeRequiredError = defineError<Record<string, never>>({
  code: 'setup_code_required',
  status: 403,
  title: 'Set-up code required',
  message: () =>
    'The first account of this service is its admin. Pass the one-time code that the service printed at its start as “setup_code”.',
})

/** Taking this account's role or access away would leave nobody who can administer the service. */
export const lastAdminError = defineError<{ readonly username: string }>({
  code: 'last_admin',
  status: 409,
  title: 'Last admin',
  message: ({ username }) => `“${username}” is the only admin who can sign in. Make another account an admin first.`,
})

/** More passwords are waiting to be checked than the service lets wait. */
export const signInBusyError = defineError<Record<string, never>>({
  code: 'sign_in_busy',
  status: 503,
  title: 'Sign-in is busy',
  message: () => 'Too many people are signing in at once. Try again in a moment.',
})

/** A refresh token came back after it had been replaced: somebody has a copy. The session has ended. */
export const refreshReusedError = defineError<Record<string, never>>({
  code: 'refresh_reused',
  status: 401,
  title: 'Refresh token used twice',
  message: () => 'This sign-in was used from two places and has been ended for safety. Sign in again.',
})

/** A user has as many personal access tokens as one may have. */
export const tooManyTokensError = defineError<{ readonly limit: number }>({
  code: 'too_many_tokens',
  status: 409,
  title: 'Too many tokens',
  message: ({ limit }) => `There are ${limit} personal access tokens, and no more may be made. Revoke some that are no longer needed.`,
})

/** `sso.disable_local_auth`: the identity provider is the only way in. */
export const localAuthDisabledError = defineError<Record<string, never>>({
  code: 'local_auth_disabled',
  status: 403,
  title: 'Local sign-in is off',
  message: () => 'People sign in here through the identity provider alone. Use single sign-on.',
})

/** The identity provider has proven who it is, and an admin has shut the account. */
export const accountDisabledError = defineError<Record<string, never>>({
  code: 'account_disabled',
  status: 403,
  title: 'Account disabled',
  message: () => 'Your account is disabled. An admin of this service can enable it.',
})

/** The identity provider has not verified the e-mail address, and here that counts. */
export const emailNotVerifiedError = defineError<Record<string, never>>({
  code: 'email_not_verified',
  status: 403,
  title: 'E-mail address not verified',
  message: () => 'The identity provider has not verified your e-mail address. Verify it there and sign in again.',
})

/** Somebody else came back from the identity provider than who asked, or to another session. */
export const confirmationMismatchError = defineError<Record<string, never>>({
  code: 'confirmation_mismatch',
  status: 403,
  title: 'Not the same person',
  message: () =>
    'The identity provider names somebody else than the account that is signed in here, or that sign-in has ended. Sign on there as yourself and try again.',
})

/** The identity provider did not say that it asked anew who somebody is. */
export const confirmationStaleError = defineError<Record<string, never>>({
  code: 'confirmation_stale',
  status: 403,
  title: 'No fresh sign-on',
  message: () =>
    'The identity provider does not say that you have just signed on there, so this confirms nothing. Sign out there and try again.',
})

/** What came from the identity provider cannot be stored as an identity. */
export const identityUnusableError = defineError<Record<string, never>>({
  code: 'identity_unusable',
  status: 403,
  title: 'Identity unusable',
  message: () => 'The identity provider names you in a way that this service cannot keep: issuer or subject are empty or too long.',
})
