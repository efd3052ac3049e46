import { invalidRequestError, notFoundError, pageOfIndex } from '@agent-service/sdk/contracts/http-route'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Audit } from '@agent-service/sdk/services/audit'
import { type Chats, transcriptTooLongError } from '@agent-service/sdk/services/chats'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { PolicyEntity } from '@agent-service/sdk/services/policy'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import type { Urls } from '@agent-service/sdk/services/urls'
import { v7 as uuidv7 } from 'uuid'
import type { ShareMetrics } from '../common/share-metrics.js'
import type { SharedFiles } from '../common/shared-files.js'
import { addToTotals, deleteExpired, deleteShare } from '../store/delete-shares.js'
import { hashOf, newSecret } from '../store/secret.js'
import { type Share, type Snapshot, type SnapshotMessage, shareCollection, snapshotCollection } from '../store/share.js'

/** The most characters of one shared chat; its document stays far below what the database takes. */
export const maxSnapshotCharacters = 1_000_000
/** What one user may have, expired links that were not deleted yet aside. */
export const maxLinks = 1_000
export const maxSnapshotBytes = 32 * 1024 * 1024

/** For whom a link is made, and by whom. */
export interface Minter {
  readonly userId: string
  readonly createdBy: Share['created_by']
  /** The agent that makes it, as policies see it. */
  readonly agent?: { readonly id: string; readonly entity: PolicyEntity }
  readonly expiresInSeconds?: number
  readonly signal: AbortSignal
}

/** A new link. `secret` is in its URLs, and nowhere else. */
export interface MintedShare {
  readonly share: Share
  readonly contentUrl: string
  readonly pageUrl: string
}

/** What is shared as it was: given messages. */
export interface NewSnapshot {
  readonly title: string
  readonly chatId: string | null
  readonly agentName: string | null
  readonly messages: readonly SnapshotMessage[]
}

/** Makes, lists and revokes links. Each change is audited. */
export interface ShareService {
  shareFile(minter: Minter, path: string): Promise<MintedShare>
  shareChat(minter: Minter, chatId: string): Promise<MintedShare>
  shareSnapshot(minter: Minter, snapshot: NewSnapshot): Promise<MintedShare>
  list(
    userId: string,
    page: { readonly limit?: number; readonly cursor?: string },
  ): Promise<{ readonly items: readonly Share[]; readonly next_cursor: string | null }>
  /** False if the user has no such link. */
  revoke(userId: string, id: string): Promise<boolean>
}

export interface ShareServiceDependencies {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly accounts: Pick<Accounts, 'get'>
  readonly audit: Pick<Audit, 'record'>
  readonly urls: Pick<Urls, 'external'>
  readonly files: Pick<SharedFiles, 'locate'>
  /** Absent while no plugin has chats. */
  readonly chats: Chats | undefined
  readonly metrics: Pick<ShareMetrics, 'created' | 'revoked'>
  readonly ttlSeconds: number
}

export function createShareService(dependencies: ShareServiceDependencies): ShareService {
  const { database, accounts, audit, files, chats, metrics } = dependencies
  const shareSnapshot: ShareService['shareSnapshot'] = (minter, { title, chatId, agentName, messages }) => {
    if (messages.reduce((sum, { text }) => sum + text.length, 0) > maxSnapshotCharacters)
      throw transcriptTooLongError.create({ maxCharacters: maxSnapshotCharacters })
    return mint(dependencies, minter, { kind: 'chat', title, chat_id: chatId, snapshot: { agent_name: agentName, messages } })
  }
  return {
    async shareFile(minter, path) {
      const owner = await accounts.get(minter.userId)
      if (!owner) throw notFoundError.create({ what: 'user' })
      const reader = minter.agent && { reader: minter.agent.entity }
      const place = await files.locate({ owner, path, signal: minter.signal, ...reader })
      return mint(dependencies, minter, { kind: 'file', title: place.path.split('/').at(-1) ?? '', ...place })
    },
    async shareChat(minter, chatId) {
      const { userId, signal } = minter
      const chat = await chats?.transcript({ userId, chatId, maxCharacters: maxSnapshotCharacters }, { signal })
      if (!chat) throw notFoundError.create({ what: 'chat' })
      return shareSnapshot(minter, { title: chat.title ?? '', chatId, agentName: chat.agentName ?? null, messages: chat.messages })
    },
    shareSnapshot,
    list: (userId, page) =>
      pageOfIndex(database.collection(shareCollection), { index: 'by_user', equals: [userId], order: 'descending' }, page),
    async revoke(userId, id) {
      const revoked = await database.transaction(async (transaction) => {
        const share = await transaction.get(shareCollection, id)
        if (share?.user_id !== userId) return false
        await deleteShare(transaction, share)
        audit.record(transaction, { kind: 'share.revoked', subject: id, before: auditedOf(share) })
        return true
      })
      if (revoked) metrics.revoked()
      return revoked
    },
  }
}

type Target = { readonly title: string } & (
  | { readonly kind: 'file'; readonly subsystem: 'files' | 'workspaces'; readonly path: string }
  | { readonly kind: 'chat'; readonly chat_id: string | null; readonly snapshot: Pick<Snapshot, 'agent_name' | 'messages'> }
)

async function mint(dependencies: ShareServiceDependencies, minter: Minter, target: Target): Promise<MintedShare> {
  const { database, clock, audit, urls, metrics } = dependencies
  const { userId, signal } = minter
  const now = clock.now()
  const lifeMs = lifeOf(minter, dependencies.ttlSeconds) * 1_000
  const id = uuidv7()
  const snapshot: Snapshot | undefined = target.kind === 'chat' ? { id, user_id: userId, ...target.snapshot } : undefined
  const secret = newSecret()
  const share: Share = {
    ...{ id, user_id: userId, secret_hash: hashOf(secret), kind: target.kind, title: target.title },
    ...(target.kind === 'file'
      ? { subsystem: target.subsystem, path: target.path, chat_id: null }
      : { subsystem: null, path: null, chat_id: target.chat_id }),
    bytes: snapshot ? Buffer.byteLength(JSON.stringify(snapshot)) : 0,
    ...{ created_by: minter.createdBy, agent_id: minter.agent?.id ?? null, created_at: textOf(now), expires_at: textOf(now + lifeMs) },
    ...{ uses: 0, last_used_at: null },
  }
  const store = () =>
    database.transaction(
      async (transaction) => {
        const before = await addToTotals(transaction, userId, { links: 1, bytes: share.bytes })
        if (before.links >= maxLinks) throw quotaExceededError.create({ counts: 'links', max: maxLinks, used: before.links })
        if (before.bytes + share.bytes > maxSnapshotBytes)
          throw quotaExceededError.create({ counts: 'bytes of shared chats', max: maxSnapshotBytes, used: before.bytes })
        transaction.insert(shareCollection, share)
        if (snapshot) transaction.insert(snapshotCollection, snapshot)
        const byOther = minter.createdBy === 'person' ? {} : { actor: { userId } }
        audit.record(transaction, { kind: 'share.created', subject: id, ...byOther, after: auditedOf(share) })
      },
      { signal },
    )
  try {
    await store()
  } catch (error) {
    // What has expired counts until the next clean-up, unless there is no room.
    if (!quotaExceededError.isInstance(error) || (await deleteExpired(database, { now, userId, signal })) === 0) throw error
    await store()
  }
  metrics.created(share.kind, share.created_by)
  return { share, contentUrl: urls.external(`/s/${secret}`), pageUrl: urls.external(`/p/${secret}`) }
}

/** @throws `invalid_request` for a life that is longer than that of every link. */
function lifeOf({ expiresInSeconds }: Minter, ttlSeconds: number): number {
  if (expiresInSeconds === undefined || expiresInSeconds <= ttlSeconds) return expiresInSeconds ?? ttlSeconds
  const problems = [{ path: '/expires_in_secs', message: `must be at most ${ttlSeconds}, which is how long links live here` }]
  throw invalidRequestError.create({ where: 'body' }, { problems })
}

const textOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** Without names and texts, which are the person's own. */
const auditedOf = ({ kind, created_by, agent_id, expires_at }: Share) => ({ kind, created_by, agent_id, expires_at })
