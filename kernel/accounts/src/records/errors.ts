import { defineError } from '@agent-service/sdk'

/** Name or password is wrong, or the account cannot sign in: the error does not reveal which. */
export const invalidCredentialsError = defineError<Record<string, never>>({
  code: 'invalid_credentials',
  status: 401,
  title: 'Wrong name or password',
  message: () => 'The name or the password is wrong.',
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

/** The password is on the list of common ones. */
export const passwordTooCommonError = defineError<Record<string, never>>({
  code: 'password_too_common',
  status: 422,
  title: 'Password too common',
  message: () => 'This password is one of those that attackers try first. Choose another one.',
})

/** The password contains the name of its owner or of the service. */
export const passwordContainsNameError = defineError<Record<string, never>>({
  code: 'password_contains_name',
  status: 422,
  title: 'Password contains a name',
  message: () =>
    'This password contains the username, the e-mail address or the name of this service, which attackers try first. Choose another one.',
})

/** Only admins can create accounts here. */
export const registrationClosedError = defineError<Record<string, never>>({
  code: 'registration_closed',
  status: 403,
  title: 'Registration closed',
  message: () => 'Sign-up is closed. An admin of this service can create an account for you.',
})

/** The person has asked for an account, and no admin has decided yet. */
export const accountWaitingError = defineError<Record<string, never>>({
  code: 'account_waiting',
  status: 403,
  title: 'Waiting for an administrator',
  message: () => 'Your account is waiting for an administrator of this service to approve it. Sign in again once that is done.',
})

/** No invitation has this token, or its maker may no longer invite people. */
export const invitationInvalidError = defineError<Record<string, never>>({
  code: 'invitation_invalid',
  status: 403,
  title: 'Invitation not valid',
  message: () => 'This invitation is not valid. Check that the link is complete, or ask for another one.',
})

/** The time of the invitation is over. */
export const invitationExpiredError = defineError<Record<string, never>>({
  code: 'invitation_expired',
  status: 403,
  title: 'Invitation expired',
  message: () => 'This invitation has expired. Ask for another one.',
})

/** An admin has revoked the invitation. */
export const invitationRevokedError = defineError<Record<string, never>>({
  code: 'invitation_revoked',
  status: 403,
  title: 'Invitation revoked',
  message: () => 'This invitation was revoked. Ask for another one.',
})

/** The invitation was used as often as it may be. */
export const invitationUsedError = defineError<Record<string, never>>({
  code: 'invitation_used',
  status: 403,
  title: 'Invitation used',
  message: () => 'This invitation was used already. If that was you, sign in. Otherwise ask for another one.',
})

/** There are as many invitations as there may be. */
export const tooManyInvitationsError = defineError<{ readonly limit: number }>({
  code: 'too_many_invitations',
  status: 409,
  title: 'Too many invitations',
  message: ({ limit }) => `There are ${limit} invitations, the most that there may be. Ended ones are deleted after thirty days.`,
})

/**
 * The first account is created from the machine itself, or by a person who can read the service's
 * log.
 */
export const setupCodeRequiredError = defineError<Record<string, never>>({
  code: 'setup_code_required',
  status: 403,
  title: 'Set-up code required',
  message: () => 'The first account of this service is its admin. Pass the one-time code from the log of the service as “setup_code”.',
})

/** Without this account's role or access, no admin could sign in. */
export const lastAdminError = defineError<{ readonly username: string }>({
  code: 'last_admin',
  status: 409,
  title: 'Last admin',
  message: ({ username }) => `“${username}” is the only admin who can sign in. Make another account an admin first.`,
})

/** Too many passwords are waiting to be checked. */
export const signInBusyError = defineError<Record<string, never>>({
  code: 'sign_in_busy',
  status: 503,
  title: 'Sign-in is busy',
  message: () => 'Too many people are signing in at once. Try again in a moment.',
})

/** A replaced refresh token was used again, so there is a copy of it. The session has ended. */
export const refreshReusedError = defineError<Record<string, never>>({
  code: 'refresh_reused',
  status: 401,
  title: 'Refresh token used twice',
  message: () => 'This session was used from two places and has been ended for security. Sign in again.',
})

/** The user has the maximum number of personal access tokens. */
export const tooManyTokensError = defineError<{ readonly limit: number }>({
  code: 'too_many_tokens',
  status: 409,
  title: 'Too many tokens',
  message: ({ limit }) =>
    `You have ${limit} personal access tokens, the most that an account may have. Revoke some that you no longer need.`,
})

/** `sso.disable_local_auth`: the identity provider is the only way in. */
export const localAuthDisabledError = defineError<Record<string, never>>({
  code: 'local_auth_disabled',
  status: 403,
  title: 'Local sign-in is off',
  message: () => 'Only the identity provider signs people in here. Use single sign-on.',
})

/** The identity provider has identified the person, but an admin has disabled the account. */
export const accountDisabledError = defineError<Record<string, never>>({
  code: 'account_disabled',
  status: 403,
  title: 'Account disabled',
  message: () => 'Your account is disabled. An admin of this service can enable it.',
})

/** The identity provider has not verified the e-mail address, and this service requires it. */
export const emailNotVerifiedError = defineError<Record<string, never>>({
  code: 'email_not_verified',
  status: 403,
  title: 'E-mail address not verified',
  message: () => 'The identity provider has not verified your e-mail address. Verify it there and sign in again.',
})

/**
 * The identity provider returned another person than the one who asked, or returned to another
 * session.
 */
export const confirmationMismatchError = defineError<Record<string, never>>({
  code: 'confirmation_mismatch',
  status: 403,
  title: 'Not the same person',
  message: () =>
    'The identity provider reported another person than the one signed in here, or the session has ended. Sign in there as yourself and try again.',
})

/** The identity provider did not report a new authentication. */
export const confirmationStaleError = defineError<Record<string, never>>({
  code: 'confirmation_stale',
  status: 403,
  title: 'No fresh sign-on',
  message: () => 'The identity provider did not report a recent sign-in, so the session was not confirmed. Sign out there and try again.',
})

/** The identity from the identity provider cannot be stored. */
export const identityUnusableError = defineError<Record<string, never>>({
  code: 'identity_unusable',
  status: 403,
  title: 'Identity unusable',
  message: () => 'The identity provider sent an identity that this service cannot store: its issuer or subject is empty or too long.',
})

/** The link of the demo cannot be used (again). */
export const demoLinkInvalidError = defineError<Record<string, never>>({
  code: 'demo_link_invalid',
  status: 401,
  title: 'Link invalid',
  message: () =>
    'The link of the demo was used already, has expired, or was not opened on the machine of the service. Start the demo again for a new one.',
})

/** Part of what a former holder of the account left could not be taken away. */
export const handOverIncompleteError = defineError<Record<string, never>>({
  code: 'hand_over_incomplete',
  status: 503,
  title: 'Account not ready',
  message: () =>
    'This account existed before, and not everything of its former holder could be taken away yet. Sign in again in a few minutes. If it stays so, an administrator sees in the log which part it is.',
})
