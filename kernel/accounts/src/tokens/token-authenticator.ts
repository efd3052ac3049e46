import type { Authentication, Authenticator, PresentedCredentials, PresignedRequest } from '@agent-service/kernel-core/http'
import { unauthenticatedError } from '@agent-service/kernel-core/http'
import { refreshCookieName } from '@agent-service/kernel-core/http/request'
import type { Logger } from '@agent-service/sdk'
import { type AccessScope, accessScopes, type Principal } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { UserAccounts } from '../accounts/user-accounts.js'
import { type EphemeralClaims, type EphemeralCredentials, ephemeralTokenType } from '../ephemeral/ephemeral-credentials.js'
import type { AccessTokens } from '../keys/access-tokens.js'
import type { CredentialDenials } from '../keys/credential-denials.js'
import { headerTypeOf } from '../keys/signed-tokens.js'
import { isTokenText } from '../keys/token-text.js'
import type { PresignedClaims, PresignedCredentials } from '../presign/presigned-credentials.js'
import type { UserRecord } from '../records/records.js'
import type { Revocations, WatchedCredential } from '../records/revocations.js'
import { isConfirmed } from '../sessions/confirmation.js'
import type { Refresh } from '../sessions/refresh.js'
import { isOfEpoch, type Sessions } from '../sessions/sessions.js'
import type { PersonalAccessTokens } from './personal-access-tokens.js'

/** The scopes of a pre-signed URL. */
const presignedScopes: readonly AccessScope[] = Object.freeze(['read'] as const)

/** What a verified credential stands for. */
interface Proof {
  readonly credential: WatchedCredential
  readonly scopes: readonly AccessScope[]
  readonly expiresAt?: number
  readonly ephemeral?: EphemeralClaims
  readonly presigned?: PresignedClaims
}

/** The stored state of a valid credential. */
interface Standing {
  /** Only for a session: it was confirmed within the last minutes. */
  readonly confirmed: boolean
}

const unconfirmed: Standing = Object.freeze({ confirmed: false })

/**
 * Authenticates a request by its access token, personal access token, ephemeral token, pre-signed
 * URL or refresh cookie. Each is checked against the stored account and credential, so that a
 * revocation takes effect with the next request. A bearer token takes precedence over everything
 * else; next comes a pre-signed URL, so that it works the same in every browser.
 */
export function createTokenAuthenticator(dependencies: {
  readonly tokens: AccessTokens
  readonly personalTokens: PersonalAccessTokens
  readonly sessions: Sessions
  readonly refresh: Refresh
  readonly ephemeral: EphemeralCredentials
  readonly presigned: PresignedCredentials
  readonly denials: CredentialDenials
  readonly accounts: UserAccounts
  readonly revocations: Revocations
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
}): Authenticator {
  const { tokens, personalTokens, sessions, refresh, ephemeral, presigned, denials, accounts, revocations, clock, log } = dependencies

  const refused = (reason: string) => {
    log.debug('A credential was refused.', { reason })
    return unauthenticatedError.create({})
  }

  const proveAccessToken = async (token: string): Promise<Proof> => {
    const verified = await tokens.verify(token)
    if ('reason' in verified) throw refused(verified.reason)
    const { userId, sessionId, expiresAt } = verified.claims
    return { credential: { userId, kind: 'session', id: sessionId }, scopes: accessScopes, expiresAt }
  }
  const provePersonalToken = async (text: string): Promise<Proof> => {
    const token = await personalTokens.find(text)
    if (!token) throw refused('the personal access token is unknown, revoked or expired')
    return {
      credential: { userId: token.user_id, kind: 'access_token', id: token.id },
      scopes: token.scopes,
      ...(token.expires_at === null ? {} : { expiresAt: Date.parse(token.expires_at) }),
    }
  }
  const proveEphemeralToken = async (token: string): Promise<Proof> => {
    const verified = await ephemeral.verify(token)
    if ('reason' in verified) throw refused(verified.reason)
    const { claims, expiresAt } = verified
    const { userId, grantId, scopes } = claims
    return { credential: { userId, kind: 'ephemeral_token', id: grantId }, scopes, expiresAt, ephemeral: claims }
  }
  const provePresigned = async (request: PresignedRequest): Promise<Proof> => {
    const verified = await presigned.verify(request)
    if ('reason' in verified) throw refused(verified.reason)
    const { claims, expiresAt } = verified
    const { userId, id } = claims
    return { credential: { userId, kind: 'presigned_url', id }, scopes: presignedScopes, expiresAt, presigned: claims }
  }
  const proveCookie = async (cookie: string): Promise<Proof> => {
    const found = await refresh.credentialOf(cookie)
    if (!found) throw refused('the refresh token is unknown or no longer valid')
    const { session } = found
    return {
      credential: { userId: session.user_id, kind: 'session', id: session.id },
      scopes: accessScopes,
      expiresAt: Date.parse(session.refresh_expires_at),
    }
  }

  const prove = ({ bearer, queryToken, presigned: request, cookies }: PresentedCredentials): Promise<Proof> | undefined => {
    if (bearer !== undefined) {
      if (isTokenText(bearer)) return provePersonalToken(bearer)
      return headerTypeOf(bearer) === ephemeralTokenType ? proveEphemeralToken(bearer) : proveAccessToken(bearer)
    }
    if (request !== undefined) return provePresigned(request)
    if (queryToken !== undefined) return proveAccessToken(queryToken)
    const cookie = cookies[refreshCookieName]
    return cookie === undefined ? undefined : proveCookie(cookie)
  }

  const isPersonalTokenOf = async (userId: string, id: string): Promise<boolean> => (await personalTokens.get(id))?.user_id === userId

  const isPresignedOf = async ({ id, sessionEpoch, presignEpoch, madeWith }: PresignedClaims, user: UserRecord): Promise<boolean> => {
    if (sessionEpoch !== user.session_epoch || presignEpoch !== user.presign_epoch || (await denials.isDenied(id))) return false
    if (madeWith === undefined) return true
    return madeWith.kind === 'access_token' ? isPersonalTokenOf(user.id, madeWith.id) : !(await denials.isDenied(madeWith.id))
  }

  /** The stored state of an account's credential; `undefined` if it is not valid. */
  const standingOf = async (proof: Proof, user: UserRecord): Promise<Standing | undefined> => {
    const { credential, ephemeral: claims, presigned: url } = proof
    const { kind, id } = credential
    switch (kind) {
      case 'session': {
        const session = await sessions.live(id)
        return session?.user_id === user.id && isOfEpoch(session, user) ? { confirmed: isConfirmed(session, clock.now()) } : undefined
      }
      case 'access_token':
        return (await isPersonalTokenOf(user.id, id)) ? unconfirmed : undefined
      case 'ephemeral_token':
        return claims?.epoch === user.session_epoch && !(await denials.isDenied(id)) ? unconfirmed : undefined
      case 'presigned_url':
        return url !== undefined && (await isPresignedOf(url, user)) ? unconfirmed : undefined
    }
  }

  /** @throws `unauthenticated` if account or credential have ended. */
  const check = async (proof: Proof): Promise<{ readonly user: UserRecord; readonly standing: Standing }> => {
    const user = await accounts.get(proof.credential.userId)
    if (!user || user.disabled) throw refused('the account is deleted or disabled')
    const standing = await standingOf(proof, user)
    if (!standing) throw refused(`the ${proof.credential.kind} has ended`)
    return { user, standing }
  }

  return {
    async authenticate(credentials): Promise<Authentication | undefined> {
      const proof = await prove(credentials)
      if (!proof) return undefined
      // The watch starts before the lookup, so that a revocation in between is not missed.
      const watch = revocations.watch(proof.credential)
      try {
        const { user, standing } = await check(proof)
        return {
          principal: principalOf(user, proof, standing),
          ended: watch.signal,
          release: () => watch.release(),
        }
      } catch (error) {
        watch.release()
        throw error
      }
    },
  }
}

/** An actor of an admin is not an admin. */
function principalOf(user: UserRecord, { credential, scopes, expiresAt, ephemeral }: Proof, { confirmed }: Standing): Principal {
  const { id: userId, username, handle, role } = user
  const { kind, id } = credential
  return {
    ...{ userId, username, handle, scopes },
    role: ephemeral ? 'user' : role,
    ...(kind === 'session' ? { sessionId: id, ...(confirmed ? { confirmed } : {}) } : {}),
    ...(kind === 'access_token' || kind === 'ephemeral_token' ? { tokenId: id } : {}),
    ...(ephemeral ? { actor: ephemeral.actor } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
}
