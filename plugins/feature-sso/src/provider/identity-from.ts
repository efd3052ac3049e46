import type { ExternalIdentity } from '@agent-service/sdk/services/external-sign-in'

type Claims = Readonly<Record<string, unknown>>

/**
 * The identity of proven claims. Address and verification come from one source, the ID token if it
 * has the address, so a verification never counts for another address.
 */
export function identityFrom(idToken: Claims & { readonly iss: string; readonly sub: string }, userInfo: Claims): ExternalIdentity {
  const source = textOf(idToken['email']) === undefined ? userInfo : idToken
  const email = textOf(source['email'])
  const emailVerified = verificationOf(source['email_verified'])
  const name = textOf(idToken['name']) ?? textOf(userInfo['name'])
  const preferredUsername = textOf(idToken['preferred_username']) ?? textOf(userInfo['preferred_username'])
  return {
    ...{ issuer: idToken.iss, subject: idToken.sub },
    ...(email === undefined ? {} : { email, ...(emailVerified === undefined ? {} : { emailVerified }) }),
    ...(name === undefined ? {} : { name }),
    ...(preferredUsername === undefined ? {} : { preferredUsername }),
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Only the boolean `true` verifies; the text `false` counts as unverified too. */
const verificationOf = (value: unknown): boolean | undefined =>
  value === true ? true : value === false || value === 'false' ? false : undefined
