import type { Logger } from '@agent-service/sdk'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { ExternalConfirmationOptions, ExternalSignIn } from '@agent-service/sdk/services/external-sign-in'
import { confirmationMismatchError, confirmationStaleError } from '../records/errors.js'
import { externalIdentities } from '../records/records.js'
import type { SessionConfirmation } from '../sessions/session-confirmation.js'
import { type CheckedIdentity, readIdentity } from './read-identity.js'

/** How far the provider's clock may be behind this service's, in milliseconds. */
const clockToleranceMs = 30_000

type Refusal = 'another_session' | 'another_person' | 'not_signed_on_anew' | 'session_ended'

type Outcome =
  | { readonly confirmed: true; readonly userId: string }
  | { readonly confirmed: false; readonly reason: Refusal; readonly userId: string | null }

/** The part of the service that confirms sessions. Decides on what its transaction reads. */
export function createExternalConfirmation(dependencies: {
  readonly database: Database
  readonly confirmation: Pick<SessionConfirmation, 'find' | 'confirm' | 'noteRefusal'>
  readonly log: Logger
}): Pick<ExternalSignIn, 'confirm'> {
  const { database, confirmation, log } = dependencies
  const method = 'single_sign_on'

  const attempt = async (
    transaction: Transaction,
    { issuer, subject }: CheckedIdentity,
    { asked, origin, signedOnAt }: ExternalConfirmationOptions,
  ): Promise<Outcome> => {
    const found = await confirmation.find(transaction, asked.sessionId)
    if (!found) return { confirmed: false, reason: 'session_ended', userId: null }
    const userId = found.user.id
    const identity = await transaction.find(externalIdentities, 'by_subject', [issuer, subject])
    if (origin.sessionId !== asked.sessionId) return { confirmed: false, reason: 'another_session', userId }
    if (identity?.user_id !== userId) return { confirmed: false, reason: 'another_person', userId }
    if (!isSince(asked.at, signedOnAt)) return { confirmed: false, reason: 'not_signed_on_anew', userId }
    confirmation.confirm(transaction, found, { method, address: origin.address })
    return { confirmed: true, userId }
  }

  return {
    async confirm(given, options) {
      const identity = readIdentity(given)
      const { address } = options.origin
      const { sessionId } = options.asked
      const outcome = await database.transaction((transaction) => attempt(transaction, identity, options))
      if (outcome.confirmed) {
        log.info('A session was confirmed by single sign-on.', { address, user_id: outcome.userId, session_id: sessionId })
        return
      }
      const { reason, userId } = outcome
      await confirmation.noteRefusal({ userId, sessionId, address, method, reason })
      throw reason === 'not_signed_on_anew' ? confirmationStaleError.create({}) : confirmationMismatchError.create({})
    },
  }
}

/** Whether a person signed in after a moment. The provider reports whole seconds. */
const isSince = (askedAt: number, signedOnAt: number | undefined): boolean =>
  signedOnAt !== undefined && Number.isFinite(signedOnAt) && signedOnAt >= askedAt - clockToleranceMs
