import type { UserRecord, UserRole } from '../records/records.js'

type Standing = Pick<UserRecord, 'id' | 'role' | 'disabled'>

/** Everything that a decision hangs on, read in the transaction that carries it out. */
export interface SignInFacts {
  /** The account that has this very identity. */
  readonly linked: Standing | undefined
  /** The account that has the identity's e-mail address. */
  readonly sameEmail:
    | (Standing & {
        /** It belongs to another person of the same provider already. */
        readonly hasIdentityOfIssuer: boolean
        /** A provider has verified that the address is this account's; else somebody typed it. */
        readonly isEmailProven: boolean
      })
    | undefined
  /** Whether the identity has an e-mail address, and what its provider says of it. */
  readonly email: 'none' | 'verified' | 'unverified' | 'unknown'
  /** `sso.signups_match_email`. */
  readonly matchEmail: boolean
  /** `sso.allow_unknown_email_verification`. */
  readonly acceptUnverifiedEmail: boolean
  /** `auth.allow_registration`. */
  readonly allowRegistration: boolean
  readonly isFirstAccount: boolean
  /** From this machine, or with the set-up code. */
  readonly mayBeFirst: boolean
}

/** Why somebody whom the provider has proven gets no session. */
export type SignInRefusal = 'account_disabled' | 'email_not_verified' | 'email_taken' | 'registration_closed' | 'setup_code_required'

/** What is to be done. */
export type SignInDecision =
  | { readonly outcome: 'sign_in'; readonly userId: string }
  /** `endsLocalAccess`: password, sessions and tokens of the account end, since whoever typed its address may be somebody else. */
  | { readonly outcome: 'link'; readonly userId: string; readonly endsLocalAccess: boolean }
  /** `takesEmailFrom`: the account that has the address without having proven it; it loses it. */
  | { readonly outcome: 'create'; readonly role: UserRole; readonly takesEmailFrom?: string }
  /** `code` is for the caller; `reason` for the operator, where the caller is not to learn that an account exists. */
  | { readonly outcome: 'refuse'; readonly code: SignInRefusal; readonly reason: SignInRefusal }

/** The rules of who gets which account. First match decides, from top to bottom. */
export function decideSignIn(facts: SignInFacts): SignInDecision {
  const { linked, sameEmail, email } = facts
  if (linked) return linked.disabled ? refuse('account_disabled') : { outcome: 'sign_in', userId: linked.id }
  if ((email === 'unverified' || email === 'unknown') && !facts.acceptUnverifiedEmail) return refuse('email_not_verified')
  const isTypedByAnother = email === 'verified' && sameEmail?.hasIdentityOfIssuer === true && !sameEmail.isEmailProven
  if (sameEmail && !isTypedByAnother) {
    const reason = reasonAgainstLinking(facts, sameEmail)
    if (reason === undefined) return { outcome: 'link', userId: sameEmail.id, endsLocalAccess: !sameEmail.isEmailProven }
    // With closed registration whoever is not let in gets one answer, whether or not there is an account; only its proven owner learns more.
    const mayLearn = facts.allowRegistration || (reason === 'account_disabled' && email === 'verified')
    return { outcome: 'refuse', code: mayLearn ? reason : 'registration_closed', reason }
  }
  if (facts.isFirstAccount) return facts.mayBeFirst ? { outcome: 'create', role: 'admin' } : refuse('setup_code_required')
  if (!facts.allowRegistration) return refuse('registration_closed')
  return { outcome: 'create', role: 'user', ...(isTypedByAnother ? { takesEmailFrom: sameEmail.id } : {}) }
}

/**
 * An address that the provider calls unverified links nothing, and an admin's account takes a verified one. A second person of one provider never gets
 * the account of the first, even where the address has passed on to them.
 */
function reasonAgainstLinking(
  { matchEmail, email }: SignInFacts,
  account: NonNullable<SignInFacts['sameEmail']>,
): SignInRefusal | undefined {
  if (!matchEmail || email === 'none') return 'email_taken'
  if (email === 'unverified' || (account.role === 'admin' && email !== 'verified')) return 'email_not_verified'
  if (account.hasIdentityOfIssuer) return 'email_taken'
  if (account.disabled) return 'account_disabled'
  return undefined
}

const refuse = (code: SignInRefusal): SignInDecision => ({ outcome: 'refuse', code, reason: code })
