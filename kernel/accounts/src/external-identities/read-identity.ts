import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { ExternalIdentity } from '@agent-service/sdk/services/external-sign-in'
import { checkProfileChange } from '../accounts/account-input.js'
import { identityUnusableError } from '../records/errors.js'
import type { SignInFacts } from './decide-sign-in.js'

const maxIssuerBytes = 500
/** OpenID Connect Core 1.0, section 2: a subject has at most 255 characters. */
const maxSubjectLength = 255

/** An identity, normalized for comparison and storage. */
export interface CheckedIdentity {
  readonly issuer: string
  readonly subject: string
  /** Null without one that an account could have. */
  readonly email: string | null
  readonly emailVerified: boolean | null
  readonly name: string | null
  readonly preferredUsername?: string
}

/**
 * Checks an identity and drops members that an account cannot have. @throws `identity_unusable`.
 */
export function readIdentity(identity: ExternalIdentity): CheckedIdentity {
  const { issuer, subject, preferredUsername } = identity
  const fits = (text: string, bytes: number): boolean =>
    text !== '' && !/[\p{Cc}\p{Surrogate}]/u.test(text) && Buffer.byteLength(text, 'utf8') <= bytes
  if (!fits(issuer, maxIssuerBytes) || !fits(subject, maxSubjectLength)) throw identityUnusableError.create({})
  const email = usable('email', identity.email)
  return {
    issuer,
    subject,
    email,
    emailVerified: email === null ? null : (identity.emailVerified ?? null),
    name: usable('name', identity.name),
    ...(preferredUsername === undefined ? {} : { preferredUsername }),
  }
}

/** Whether the provider has verified the identity's e-mail address. */
export const standingOfEmail = ({ email, emailVerified }: CheckedIdentity): SignInFacts['email'] =>
  email === null ? 'none' : emailVerified === null ? 'unknown' : emailVerified ? 'verified' : 'unverified'

/** A member of a profile in its normal form; null if it is invalid. */
function usable(member: 'email' | 'name', text: string | undefined): string | null {
  if (text === undefined) return null
  try {
    return checkProfileChange({ [member]: text })[member] ?? null
  } catch (error) {
    if (invalidRequestError.isInstance(error)) return null
    throw error
  }
}
