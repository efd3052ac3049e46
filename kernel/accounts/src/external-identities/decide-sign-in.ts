import type { UserRecord, UserRole } from '../records/records.js'

type Standing = Pick<UserRecord, 'id' | 'role' | 'disabled'>

/** Everything that a decision depends on, read in the transaction that carries it out. */
export interface SignInFacts {
  /** The account with this identity. */
  readonly linked: Standing | undefined
  /** The account with the identity's e-mail address. */
  readonly sameEmail:
    | (Standing & {
        /** It already belongs to another person of the same provider. */
        readonly hasIdentityOfIssuer: boolean
        /**
         * The address is confirmed to belong to this account: by a provider, a code or an admin.
         * Otherwise it was only typed.
         */
        readonly isEmailProven: boolean
        /** A provider has verified it: the account is one of single sign-on already. */
        readonly isProvenByProvider: boolean
      })
    | undefined
  /** Whether the identity has an e-mail address, and whether its provider has verified it. */
  readonly email: 'none' | 'verified' | 'unverified' | 'unknown'
  /** `sso.signups_match_email`. */
  readonly matchEmail: boolean
  /** `sso.allow_unknown_email_verification`. */
  readonly acceptUnverifiedEmail: boolean
  /** `auth.allow_registration`. */
  readonly allowRegistration: boolean
  /** An admin approves each account after the first. */
  readonly needsApproval: boolean
  readonly isFirstAccount: boolean
  /** From this machine, or with the set-up code. */
  readonly mayBeFirst: boolean
}

/** Why a person whom the provider has identified gets no session. */
export type SignInRefusal =
  | 'account_waiting'
  | 'account_disabled'
  | 'email_not_verified'
  | 'email_taken'
  | 'registration_closed'
  | 'setup_code_required'

/** What to do with a sign-in. */
export type SignInDecision =
  | { readonly outcome: 'sign_in'; readonly userId: string }
  /**
   * `endsLocalAccess`: password, sessions and tokens of the account end, since its address was
   * confirmed long ago, or only typed, and may be another person's by now. `handsOver`: nobody has
   * confirmed it, so the account may have been set up by a stranger.
   */
  | { readonly outcome: 'link'; readonly userId: string; readonly endsLocalAccess: boolean; readonly handsOver: boolean }
  /** `takesEmailFrom`: the account that has the address without proof, and loses it. */
  | { readonly outcome: 'create'; readonly role: UserRole; readonly takesEmailFrom?: string }
  /** The person waits for an admin. `keepsEmail`: no account has the address of the identity. */
  | { readonly outcome: 'wait'; readonly keepsEmail: boolean }
  /**
   * `code` is for the caller; `reason` is for the operator, in case the caller must not learn that
   * an account exists.
   */
  | { readonly outcome: 'refuse'; readonly code: SignInRefusal; readonly reason: SignInRefusal }

/** Decides who gets which account. The first matching rule decides. */
export function decideSignIn(facts: SignInFacts): SignInDecision {
  const { linked, sameEmail, email } = facts
  if (linked) return linked.disabled ? refuse('account_disabled') : { outcome: 'sign_in', userId: linked.id }
  if ((email === 'unverified' || email === 'unknown') && !facts.acceptUnverifiedEmail) return refuse('email_not_verified')
  const isTypedByAnother = email === 'verified' && sameEmail?.hasIdentityOfIssuer === true && !sameEmail.isEmailProven
  if (sameEmail && !isTypedByAnother) {
    const reason = reasonAgainstLinking(facts, sameEmail)
    if (reason === undefined) {
      const { id, isEmailProven, isProvenByProvider } = sameEmail
      return { outcome: 'link', userId: id, endsLocalAccess: !isProvenByProvider, handsOver: !isEmailProven && !isProvenByProvider }
    }
    // With closed registration, a refusal does not reveal whether there is an account; only its
    // proven owner learns more.
    const mayLearn = facts.allowRegistration || (reason === 'account_disabled' && email === 'verified')
    return { outcome: 'refuse', code: mayLearn ? reason : 'registration_closed', reason }
  }
  if (facts.isFirstAccount) return facts.mayBeFirst ? { outcome: 'create', role: 'admin' } : refuse('setup_code_required')
  if (!facts.allowRegistration) return refuse('registration_closed')
  if (facts.needsApproval) return { outcome: 'wait', keepsEmail: !isTypedByAnother }
  return { outcome: 'create', role: 'user', ...(isTypedByAnother ? { takesEmailFrom: sameEmail.id } : {}) }
}

/**
 * An unverified address never links, and an admin's account needs a verified one. A second person
 * of one provider never gets the account of the first, even if the address has been passed on to
 * them.
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
