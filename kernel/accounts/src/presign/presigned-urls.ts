import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import { forbiddenError, unauthenticatedError } from '@agent-service/kernel-core/http'
import { withPresign } from '@agent-service/kernel-core/http/request'
import { notFoundError, type Principal } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { PresignedUrls as PresignedUrlsService } from '@agent-service/sdk/services/presigned-urls'
import type { Urls } from '@agent-service/sdk/services/urls'
import type { AuditLog } from '../audit/index.js'
import type { CredentialDenials } from '../keys/credential-denials.js'
import { type UserRecord, users } from '../records/records.js'
import type { Revocations } from '../records/revocations.js'
import { timestamp } from '../records/timestamps.js'
import type { PresignIds } from './presign-ids.js'
import type { PresignedCredentials } from './presigned-credentials.js'

/** Creates and revokes URLs that authorize one request for their owner, for a time. */
export interface PresignedUrls extends PresignedUrlsService {
  /**
   * Revokes one of the user's URLs before it resolves. @throws `not_found` for any other id, and
   * one that has expired.
   */
  revoke(userId: string, id: string, address: string): Promise<void>
  /** Revokes all of the user's URLs before it resolves. */
  revokeAll(userId: string, address: string): Promise<void>
}

export function createPresignedUrls(dependencies: {
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  readonly credentials: PresignedCredentials
  readonly ids: PresignIds
  readonly denials: CredentialDenials
  readonly revocations: Revocations
  readonly audit: AuditLog
  readonly urls: Pick<Urls, 'api'>
  readonly lifetimeSeconds: number
}): PresignedUrls {
  const { database, kernelDatabase, clock, credentials, ids, denials, revocations, audit, urls, lifetimeSeconds } = dependencies

  /**
   * How long a URL created with this credential is valid. Not bounded by the short access token of
   * a session.
   */
  const secondsFor = ({ sessionId, expiresAt }: Principal): number => {
    if (sessionId !== undefined || expiresAt === undefined) return lifetimeSeconds
    const left = Math.floor(expiresAt / 1000) - Math.ceil(clock.now() / 1000)
    if (left < 1) throw forbiddenError.create({ reason: 'The token that would create the URL has expired.' })
    return Math.min(lifetimeSeconds, left)
  }

  return {
    async create(principal, request) {
      const { userId, tokenId, actor } = principal
      const user = await database.collection(users).get(userId)
      if (!user) throw unauthenticatedError.create({})
      const id = ids.make(ownerOf(user), clock.now())
      const claims = {
        ...{ userId, id, sessionEpoch: user.session_epoch, presignEpoch: user.presign_epoch },
        ...(tokenId === undefined ? {} : { madeWith: { kind: actor ? 'ephemeral_token' : 'access_token', id: tokenId } as const }),
      }
      const { token, expiresAt } = await credentials.sign(claims, request, secondsFor(principal))
      return { id, url: urls.api(withPresign(request.target, token)), expiresAt }
    },
    revoke: (userId, id, address) =>
      database.transaction(async (transaction) => {
        const user = await transaction.get(users, userId)
        const madeAt = user && ids.madeAt(id, ownerOf(user))
        const until = (madeAt ?? 0) + (lifetimeSeconds + 1) * 1000
        if (madeAt === undefined || until <= clock.now() || (await denials.isDeniedWithin(transaction, id)))
          throw notFoundError.create({ what: 'pre-signed URL' })
        denials.deny(transaction, { id, userId, until })
        audit.record(transaction, {
          ...{ kind: 'presigned_url.revoked', actor: { userId, address }, subjectId: userId },
          details: { presign_id: id },
        })
        kernelDatabase.kernelView(transaction).afterCommit(() => revocations.credentialRevoked(id))
      }),
    revokeAll: (userId, address) =>
      database.transaction(async (transaction) => {
        const user = await transaction.get(users, userId)
        if (!user) throw unauthenticatedError.create({})
        transaction.put(users, { ...user, presign_epoch: user.presign_epoch + 1, updated_at: timestamp(clock.now()) })
        audit.record(transaction, { kind: 'presigned_urls.revoked', actor: { userId, address }, subjectId: userId })
        kernelDatabase.kernelView(transaction).afterCommit(() => revocations.presignedUrlsRevoked(userId))
      }),
  }
}

const ownerOf = (user: UserRecord) => ({ userId: user.id, epochs: [user.session_epoch, user.presign_epoch] })
