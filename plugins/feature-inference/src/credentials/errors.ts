import { defineError } from '@agent-service/sdk'

/** A credential that connections use cannot be deleted. */
export const credentialInUseError = defineError<{ readonly connections: readonly string[] }>({
  code: 'credential_in_use',
  status: 409,
  title: 'Credential in use',
  message: ({ connections }) =>
    `The credential is used by ${connections.map((handle) => `“${handle}”`).join(', ')}. Take credential_id out of ${connections.length === 1 ? 'that connection' : 'those connections'} first.`,
})

/** There is no way to find out whether a credential works. */
export const credentialUntestableError = defineError<{ readonly reason: string }>({
  code: 'credential_untestable',
  status: 409,
  title: 'Credential cannot be tested',
  message: ({ reason }) => `The credential cannot be tested: ${reason}`,
})

/** Nobody can sign in with an account at this brand. */
export const signInUnsupportedError = defineError<{ readonly brand: string; readonly known: readonly string[] }>({
  code: 'sign_in_unsupported',
  status: 422,
  title: 'No sign-in for this brand',
  message: ({ brand, known }) => `The brand “${brand}” has no sign-in with an account. Those that have one: ${known.join(', ')}.`,
})

/** The vendor did not begin a sign-in, or could not be asked. */
export const signInUnavailableError = defineError<{ readonly brand: string; readonly reason: string }>({
  code: 'sign_in_unavailable',
  status: 503,
  title: 'Sign-in not available',
  message: ({ brand, reason }) => `The sign-in at “${brand}” cannot begin: ${reason}.`,
})

/** Too many people sign in at once. */
export const signInsTooManyError = defineError<{ readonly limit: number }>({
  code: 'sign_ins_too_many',
  status: 409,
  title: 'Too many sign-ins',
  message: ({ limit }) => `${limit} sign-ins are under way. Complete or cancel one of them.`,
})

/** What came back from a vendor belongs to no sign-in of this person that is under way. */
export const signInStateError = defineError<Record<string, never>>({
  code: 'sign_in_state_invalid',
  status: 400,
  title: 'Sign-in unknown',
  message: () => 'This belongs to no sign-in that you have begun and not completed. Begin it again.',
})
