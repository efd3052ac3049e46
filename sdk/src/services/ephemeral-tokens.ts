import type { AccessScope } from '../contracts/http-route/access.js'
import type { Actor } from '../contracts/http-route/principal.js'
import { defineServiceReference } from '../core/service-reference.js'

/** The user, actor and scopes of an ephemeral token. */
export interface EphemeralTokenRequest {
  /** Whose data the process works with. */
  readonly userId: string
  /** Who acts for the user. What requests carry as `principal.actor`. */
  readonly actor: Actor
  /** Default: `read`, `write` and `inference`. Never `admin` or `metrics`. */
  readonly scopes?: readonly Exclude<AccessScope, 'admin' | 'metrics'>[]
}

/** A token, and the grant that it belongs to. */
export interface EphemeralToken {
  /** What {@link EphemeralTokens.revoke} takes. */
  readonly grantId: string
  /** Sent as `Authorization: Bearer …`. A secret: never in argv, an environment, a log. */
  readonly token: string
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/**
 * Why a token file is no longer kept: the caller ended it, or the user's account or sessions ended.
 */
export type TokenFileEnd = 'aborted' | 'account_ended'

/** A file with a valid token, for as long as it is kept. */
export interface TokenFile {
  /** Absolute. */
  readonly path: string
  /**
   * Resolves when the file is deleted and its tokens are revoked. Never rejects. The process should
   * be ended then, if it still runs.
   */
  readonly ended: Promise<TokenFileEnd>
}

/** A valid token, for as long as it is kept. */
export interface KeptToken {
  /** The first one. */
  readonly token: string
  /** As {@link TokenFile.ended}; without a file. */
  readonly ended: Promise<TokenFileEnd>
}

/**
 * Tokens for processes that act for a user: signed, not stored, and valid for at most
 * `auth.ephemeral_token_expiry_secs`. They end at once when the user is disabled, deleted or signed
 * out everywhere (a new password too), and when their grant is revoked. They can never make or
 * change credentials.
 *
 * @example
 * const tokens = context.use(ephemeralTokensService)
 * const { token, grantId } = await tokens.issue({
 *   userId,
 *   actor: { kind: 'app', id: 'app-1', purpose: 'workspace' },
 *   scopes: ['read'],
 * })
 * context.onDispose(() => tokens.revoke(userId, grantId))
 */
export interface EphemeralTokens {
  /** A single token. @throws `not_found` for an unknown or disabled user. */
  issue(request: EphemeralTokenRequest): Promise<EphemeralToken>
  /** Ends every token of a grant before it returns. Repeating it changes nothing. */
  revoke(userId: string, grantId: string): Promise<void>
  /**
   * Keeps a file with a valid token, until the signal is aborted: pass one that is aborted when the
   * process has ended. The file holds the token and nothing else, only its owner may read it, and
   * it is replaced whole, when half of the token's time is over. `folder` is absolute, exists, and
   * no other account may write to it: a process that gets the file sees the folder read-only.
   * `name` defaults to `token`.
   *
   * @throws `not_found` for an unknown or disabled user, `token_folder_unsafe`, the signal's
   * reason.
   */
  keepTokenFile(
    request: EphemeralTokenRequest & { readonly folder: string; readonly name?: string },
    signal: AbortSignal,
  ): Promise<TokenFile>
  /**
   * As {@link EphemeralTokens.keepTokenFile}, for a caller that hands the token over itself:
   * `replace` gets each one that follows the first, in time, and is called again after a second if
   * it rejects.
   * @throws `not_found` for an unknown or disabled user, the signal's reason.
   */
  keepToken(request: EphemeralTokenRequest & { replace(token: string): Promise<void> }, signal: AbortSignal): Promise<KeptToken>
}

/**
 * Tokens for processes that act for users. Provided by the kernel; what a plugin keeps ends with
 * it.
 */
export const ephemeralTokensService = defineServiceReference<EphemeralTokens>()('kernel.ephemeral-tokens')
