import type { ExternalIdentity } from '@agent-service/sdk/services/external-sign-in'

type Claims = Readonly<Record<string, unknown>>

/**
 * The identity of proven claims. Address and verification come from one source, the ID token if it
 * has the address, so a verification never counts for another address.
 * @param options.anyTenant - Whether administrators of tenants unknown to us choose the addresses: only `xms_edov` verifies one.
 */
export function identityFrom(
  idToken: Claims & { readonly iss: string; readonly sub: string },
  userInfo: Claims,
  { anyTenant = false } = {},
): ExternalIdentity {
  const source = hasAddress(idToken) ? idToken : userInfo
  const email = textOf(source['email'])
  const emailVerified = anyTenant ? verificationOf(source['xms_edov']) === true : verificationOf(source['email_verified'])
  const name = textOf(idToken['name']) ?? textOf(userInfo['name'])
  const preferredUsername = textOf(idToken['preferred_username']) ?? textOf(userInfo['preferred_username'])
  return {
    ...{ issuer: idToken.iss, subject: idToken.sub },
    ...(email === undefined ? {} : { email, ...(emailVerified === undefined ? {} : { emailVerified }) }),
    ...(name === undefined ? {} : { name }),
    ...(preferredUsername === undefined ? {} : { preferredUsername }),
  }
}

/** Whether claims name an e-mail address: some providers send an empty one. */
export const hasAddress = (claims: Claims): boolean => textOf(claims['email']) !== undefined

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

/**
 * Several providers send booleans as text. Only true, in either form, verifies; what is neither true nor absent counts as a
 * no.
 */
function verificationOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return value === true || (typeof value === 'string' && value.trim().toLowerCase() === 'true')
}
