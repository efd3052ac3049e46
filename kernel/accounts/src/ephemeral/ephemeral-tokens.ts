import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import type { Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { EphemeralTokenRequest, EphemeralTokens } from '@agent-service/sdk/services/ephemeral-tokens'
import { v7 as uuid } from 'uuid'
import type { UserAccounts } from '../accounts/user-accounts.js'
import type { CredentialDenials } from '../keys/credential-denials.js'
import { users } from '../records/records.js'
import type { Revocations } from '../records/revocations.js'
import { type EphemeralCredentials, ephemeralScopes } from './ephemeral-credentials.js'
import { keepToken, type NextToken, type TokenKeeping } from './keep-token.js'
import { keepTokenFile } from './keep-token-file.js'

/** Issues tokens for processes that act for users. */
export function createEphemeralTokens(dependencies: {
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  readonly accounts: Pick<UserAccounts, 'get'>
  readonly credentials: EphemeralCredentials
  readonly denials: CredentialDenials
  readonly revocations: Revocations
  readonly log: Logger
  readonly lifetimeSeconds: number
}): EphemeralTokens {
  const { database, kernelDatabase, clock, accounts, credentials, denials, revocations, log, lifetimeSeconds } = dependencies

  const sign = async ({ userId, actor, scopes = ephemeralScopes }: EphemeralTokenRequest, grantId: string): Promise<NextToken> => {
    const user = await accounts.get(userId)
    if (!user || user.disabled) throw notFoundError.create({ what: 'user' })
    const epoch = user.session_epoch
    return { ...(await credentials.sign({ userId, grantId, epoch, scopes, actor })), epoch }
  }

  const revoke: EphemeralTokens['revoke'] = (userId, grantId) =>
    database.transaction(async (transaction) => {
      // The grants of a deleted user have ended, and nothing new is stored about the user.
      if (!(await transaction.get(users, userId))) return
      denials.deny(transaction, { id: grantId, userId, until: clock.now() + (lifetimeSeconds + 1) * 1000 })
      kernelDatabase.kernelView(transaction).afterCommit(() => revocations.credentialRevoked(grantId))
    })

  /** Runs `begin` with what a kept token needs; the watch ends with the token, or if it cannot begin. */
  const keep = async <T>(request: EphemeralTokenRequest, signal: AbortSignal, begin: (keeping: TokenKeeping) => Promise<T>): Promise<T> => {
    const grantId = uuid()
    const { userId } = request
    // The watch starts before the account is looked up, so that a revocation in between is not
    // missed.
    const watch = revocations.watch({ userId, kind: 'ephemeral_token', id: grantId })
    try {
      return await begin({
        ...{ clock, signal, log },
        credentialRevoked: watch.signal,
        next: () => sign(request, grantId),
        async finished(end) {
          watch.release()
          if (end === 'aborted') await revoke(userId, grantId)
        },
      })
    } catch (error) {
      watch.release()
      throw error
    }
  }

  return {
    async issue(request) {
      const grantId = uuid()
      const { token, expiresAt } = await sign(request, grantId)
      return { grantId, token, expiresAt }
    },
    revoke,
    keepTokenFile: ({ folder, name = 'token', ...request }, signal) =>
      keep(request, signal, (keeping) => keepTokenFile(keeping, { folder, name })),
    keepToken: ({ replace, ...request }, signal) => keep(request, signal, (keeping) => keepToken(keeping, replace)),
  }
}
