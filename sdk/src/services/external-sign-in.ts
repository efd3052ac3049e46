import type { HandOverItem } from '../contracts/user-data/index.js'
import { defineServiceReference } from '../core/service-reference.js'

/**
 * A person's identity at an identity provider, proven by the caller: every signature and claim has
 * been checked.
 */
export interface ExternalIdentity {
  /** The provider, as its tokens say it. */
  readonly issuer: string
  /** The person's id at the provider, which it never reuses. */
  readonly subject: string
  /** The current address at the provider. */
  readonly email?: string
  /**
   * Whether the provider has verified that the address is the person's; absent where it does not
   * say. From the same place as `email`.
   */
  readonly emailVerified?: boolean
  /** For people to read. */
  readonly name?: string
  /** The name that the person goes by at the provider. A new account is named after it. */
  readonly preferredUsername?: string
}

/** The origin of a sign-in, and the operator's settings. */
export interface ExternalSignInOptions {
  /** The request that ends the sign-in. */
  readonly origin: {
    /** `RouteRequest.address`. */
    readonly address: string
    /** The header; empty if there is none. */
    readonly userAgent: string
    /** `RouteRequest.loopback`: may become the first account. */
    readonly loopback: boolean
    /**
     * The session that the browser had before, `principal.sessionId`: it ends with the new one's
     * beginning.
     */
    readonly earlierSessionId?: string
  }
  /**
   * The one-time code that the service prints while it has no account, as it was given when the
   * sign-in began.
   */
  readonly setupCode?: string
  /** `sso.signups_match_email`. */
  readonly matchEmail: boolean
  /** `sso.allow_unknown_email_verification`. */
  readonly acceptUnverifiedEmail: boolean
}

/**
 * What became of an account that existed before its person came, with an address that was never
 * confirmed.
 */
export interface ExternalHandOver {
  /** RFC 3339; one hand-over of an account has one time. */
  readonly beganAt: string
  /** The folder among the person's files with copies of what was taken away. It may be absent. */
  readonly folder: string
  /** What was there. */
  readonly items: readonly HandOverItem[]
}

/** A session that has begun. */
export interface ExternalSignedIn {
  /** Its owner. */
  readonly userId: string
  /**
   * The value of `Set-Cookie` that gives the refresh token to the browser. A secret: it goes into
   * the answer and nowhere else.
   */
  readonly refreshCookie: string
  /**
   * At each sign-in to an account that was once handed over, until it is deleted: tell the person,
   * once.
   */
  readonly handOver?: ExternalHandOver
}

/** The origin of a confirmation, and of its return. */
export interface ExternalConfirmationOptions {
  /**
   * The session that asked, and when it did, in milliseconds since 1970: `principal.sessionId` of
   * the request that began it.
   */
  readonly asked: { readonly sessionId: string; readonly at: number }
  /** The request that ends it. */
  readonly origin: {
    /** `RouteRequest.address`. */
    readonly address: string
    /** `principal.sessionId`; absent where the browser has no session now. */
    readonly sessionId?: string
  }
  /**
   * When the person signed on at the provider, as it says (`auth_time`), in milliseconds since
   * 1970; absent where it does not say.
   */
  readonly signedOnAt?: number
}

/**
 * Signs in people who were authenticated by another party.
 *
 * @example
 * const identity = { issuer: 'https://id.example', subject: '248289761001' }
 * const { refreshCookie } = await context.use(externalSignInService).signIn(identity, {
 *   acceptUnverifiedEmail: false,
 *   matchEmail: true,
 *   origin: { address: '203.0.113.5', userAgent: 'Firefox', loopback: false },
 * })
 */
export interface ExternalSignIn {
  /**
   * Finds, links or makes the account of an identity and begins a session of it, all decided and
   * written in one transaction.
   * If it links an account whose address was never confirmed, everything of its former holder that
   * acts, lets in, permits or instructs is taken away first.
   * @throws `account_disabled`, `email_not_verified`, `email_taken`, `hand_over_incomplete`,
   * `identity_unusable`, `registration_closed`, `setup_code_required`.
   */
  signIn(identity: ExternalIdentity, options: ExternalSignInOptions): Promise<ExternalSignedIn>
  /**
   * Gives a session five minutes of `Principal.confirmed`, because its person has signed on again:
   * the identity is one of the session's account, it came back to the session that asked, and it
   * signed on after that was asked. Never signs in, links or makes an account.
   * @throws `confirmation_mismatch`, `confirmation_stale`, `identity_unusable`.
   */
  confirm(identity: ExternalIdentity, options: ExternalConfirmationOptions): Promise<void>
}

/**
 * Sign-in for identities of another system. Provided by the kernel while `sso.enabled` is true, to
 * built-in plugins alone that list it in `requires`: a plugin that has it can sign in as any user,
 * and confirm any session.
 */
export const externalSignInService = defineServiceReference<ExternalSignIn>()('kernel.external-sign-in')
