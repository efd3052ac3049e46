import { defineError } from '@agent-service/sdk'

/** A credential that connections use cannot be deleted. */
export const credentialInUseError = defineError<{ readonly connections: readonly string[] }>({
  code: 'credential_in_use',
  status: 409,
  title: 'Credential in use',
  message: ({ connections }) =>
    `The credential is used by ${connections.map((handle) => `“${handle}”`).join(', ')}. Remove credential_id from ${connections.length === 1 ? 'that connection' : 'those connections'} first.`,
})

/** A credential cannot be tested. */
export const credentialUntestableError = defineError<{ readonly reason: string }>({
  code: 'credential_untestable',
  status: 409,
  title: 'Credential cannot be tested',
  message: ({ reason }) => `The credential cannot be tested: ${reason}`,
})

/** The brand does not support sign-in with an account. */
export const signInUnsupportedError = defineError<{ readonly brand: string; readonly known: readonly string[] }>({
  code: 'sign_in_unsupported',
  status: 422,
  title: 'No sign-in for this brand',
  message: ({ brand, known }) => `The brand “${brand}” does not support sign-in with an account. Brands that do: ${known.join(', ')}.`,
})
