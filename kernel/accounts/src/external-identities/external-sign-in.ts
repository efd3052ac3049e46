import type { Logger } from '@agent-service/sdk'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { ExternalHandOver, ExternalSignIn, ExternalSignInOptions } from '@agent-service/sdk/services/external-sign-in'
import type { AccountRequests } from '../admission/account-requests.js'
import type { Registration } from '../admission/registration.js'
import type { AuditLog } from '../audit/index.js'
import type { AccountHandOver } from '../hand-over/account-hand-over.js'
import {
  accountDisabledError,
  accountWaitingError,
  emailNotVerifiedError,
  emailTakenError,
  registrationClosedError,
  setupCodeRequiredError,
} from '../records/errors.js'
import type { HandOverRecord, SessionRecord } from '../records/records.js'
import type { SetupCode } from '../records/setup-code.js'
import type { KnownAddresses } from '../sessions/known-addresses.js'
import type { RefreshCookie } from '../sessions/refresh-cookie.js'
import type { RefreshTokens } from '../sessions/refresh-tokens.js'
import type { Sessions } from '../sessions/sessions.js'
import type { AccountLinks } from './account-links.js'
import { decideSignIn, type SignInRefusal } from './decide-sign-in.js'
import { type CheckedIdentity, readIdentity, standingOfEmail } from './read-identity.js'
import { usernameCandidates } from './username-candidates.js'

const maxUserAgentLength = 300

type Outcome =
  | { readonly session: SessionRecord; readonly endedLocalAccess: boolean }
  | { readonly refused: { readonly code: SignInRefusal; readonly reason: SignInRefusal }; readonly subjectId: string | null }

const refusals = {
  account_waiting: accountWaitingError,
  account_disabled: accountDisabledError,
  email_not_verified: emailNotVerifiedError,
  email_taken: emailTakenError,
  registration_closed: registrationClosedError,
  setup_code_required: setupCodeRequiredError,
} as const satisfies Record<SignInRefusal, unknown>

/**
 * The part of the service that signs in people whom an identity provider has identified. Decides on
 * what its transaction reads.
 */
export function createExternalSignIn(dependencies: {
  readonly database: Database
  readonly links: AccountLinks
  readonly sessions: Sessions
  readonly addresses: KnownAddresses
  readonly refreshTokens: RefreshTokens
  readonly cookie: RefreshCookie
  readonly handOver: Pick<AccountHandOver, 'complete'>
  readonly setupCode: SetupCode
  /** Who gets an account after the first one. */
  readonly registration: Registration
  readonly requests: Pick<AccountRequests, 'askByIdentity' | 'endByIdentity'>
  readonly audit: AuditLog
  readonly log: Logger
}): Pick<ExternalSignIn, 'signIn'> {
  const { database, links, sessions, addresses, refreshTokens, cookie, handOver, setupCode, registration, requests, audit, log } =
    dependencies

  const attempt = async (transaction: Transaction, identity: CheckedIdentity, options: ExternalSignInOptions): Promise<Outcome> => {
    const { matchEmail, acceptUnverifiedEmail, origin } = options
    const found = await links.find(transaction, identity)
    const decision = decideSignIn({
      ...{ linked: found.linked, sameEmail: found.sameEmail, isFirstAccount: found.guard === undefined },
      email: standingOfEmail(identity),
      matchEmail,
      acceptUnverifiedEmail,
      allowRegistration: registration !== 'closed',
      needsApproval: registration === 'approval',
      mayBeFirst: origin.loopback || setupCode.matches(options.setupCode),
    })
    if (decision.outcome === 'refuse') return { refused: decision, subjectId: found.linked?.id ?? found.sameEmail?.id ?? null }
    if (decision.outcome === 'wait') {
      const usernames = usernameCandidates(identity)
      await requests.askByIdentity(transaction, identity, { usernames, keepsEmail: decision.keepsEmail, address: origin.address })
      return { refused: { code: 'account_waiting', reason: 'account_waiting' }, subjectId: null }
    }
    const user = await links.carryOut(transaction, { decision, found, identity, address: origin.address })
    await requests.endByIdentity(transaction, identity)
    if (origin.earlierSessionId !== undefined) await sessions.endWithin(transaction, origin.earlierSessionId)
    addresses.remember(transaction, user.id, origin.address)
    audit.record(transaction, {
      ...{ kind: 'sign_in.succeeded', actor: { userId: user.id, address: origin.address }, subjectId: user.id },
      details: { method: 'single_sign_on', issuer: identity.issuer },
    })
    const session = sessions.begin(transaction, user, { address: origin.address, userAgent: origin.userAgent.slice(0, maxUserAgentLength) })
    return { session, endedLocalAccess: decision.outcome === 'link' && decision.endsLocalAccess }
  }

  /** Ends the session, which no browser has yet, if something of a former holder is left in the account. */
  const handedOver = async ({ id, user_id: userId }: SessionRecord): Promise<HandOverRecord | undefined> => {
    try {
      return await handOver.complete(userId)
    } catch (error) {
      await database.transaction((transaction) => sessions.endWithin(transaction, id))
      throw error
    }
  }

  return {
    async signIn(given, options) {
      const identity = readIdentity(given)
      const { address } = options.origin
      const { issuer } = identity
      const outcome = await database.transaction((transaction) => attempt(transaction, identity, options))
      if ('refused' in outcome) {
        const { refused, subjectId } = outcome
        log.warn('A single sign-on was refused.', { address, issuer, user_id: subjectId, reason: refused.reason })
        await audit.note({
          ...{ kind: 'sign_in.failed', actor: { userId: null, address }, subjectId },
          details: { method: 'single_sign_on', issuer, reason: refused.reason },
        })
        throw refusals[refused.code].create({})
      }
      if (outcome.endedLocalAccess) await links.endTokens(outcome.session.user_id)
      const record = await handedOver(outcome.session)
      const { id, user_id: userId, generation, refresh_expires_at: expiresAt } = outcome.session
      log.info('A single sign-on succeeded.', { address, issuer, user_id: userId, session_id: id })
      return {
        userId,
        refreshCookie: cookie.set(refreshTokens.tokenOf({ sessionId: id, generation }), Date.parse(expiresAt)),
        ...(record === undefined ? {} : { handOver: handOverOf(record) }),
      }
    },
  }
}

const handOverOf = ({ began_at, folder, items }: HandOverRecord): ExternalHandOver => ({
  beganAt: began_at,
  folder,
  items: items.map(({ what, count, outcome }) => ({ what, count, outcome })),
})
