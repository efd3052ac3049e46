import type { KernelDatabase } from '@agent-service/kernel-core/database/open'
import { unauthenticatedError } from '@agent-service/kernel-core/http'
import type { Logger } from '@agent-service/sdk'
import { type AccessScope, invalidRequestError, notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Page } from '@agent-service/sdk/services/database'
import { v7 as uuid } from 'uuid'
import type { AuditLog } from '../audit/index.js'
import { isWholeTokenText, makeTokenText, shownPrefixOf, tokenDigest } from '../keys/token-text.js'
import { tooManyTokensError } from '../records/errors.js'
import { type PersonalAccessTokenRecord, personalAccessTokens, type UserRecord, users } from '../records/records.js'
import type { Revocations } from '../records/revocations.js'
import { timestamp } from '../records/timestamps.js'

/** The scopes of a token unless others are given. */
export const defaultTokenScopes: readonly AccessScope[] = Object.freeze(['read', 'write', 'inference'] as const)

/** What they permit is for admins alone. */
const scopesOfAdmins: readonly AccessScope[] = Object.freeze(['admin', 'metrics'] as const)

const dayMs = 24 * 60 * 60 * 1000
const useWrittenEveryMs = 60_000
const maxTokens = 200

/** Tokens for programs, created by a person. Only a digest is stored. */
export interface PersonalAccessTokens {
  /**
   * Creates a token. Only its result has the token itself. `user` is as the request found it.
   * @throws `invalid_request`, `too_many_tokens`, `unauthenticated` if the sessions of the account
   * have ended since.
   */
  create(
    user: UserRecord,
    input: { readonly name: string; readonly expiresInDays?: number; readonly scopes?: readonly AccessScope[] },
    address: string,
  ): Promise<{ readonly record: PersonalAccessTokenRecord; readonly token: string }>
  /** Lists the user's tokens, the latest first. */
  listOf(userId: string, options: { readonly limit?: number; readonly cursor?: string }): Promise<Page<PersonalAccessTokenRecord>>
  /**
   * Revokes a token from the next request on and ends the streams that it opened. @throws
   * `not_found`.
   */
  revoke(userId: string, id: string, address: string): Promise<void>
  /** The token with this id, unless it was revoked. */
  get(id: string): Promise<PersonalAccessTokenRecord | undefined>
  /** The token while it is valid. Its use is stored at most once a minute. */
  find(text: string): Promise<PersonalAccessTokenRecord | undefined>
}

export function createPersonalAccessTokens(dependencies: {
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  readonly revocations: Revocations
  readonly audit: AuditLog
  readonly log: Logger
}): PersonalAccessTokens {
  const { database, kernelDatabase, clock, revocations, audit, log } = dependencies
  const stored = database.collection(personalAccessTokens)
  const listOf: PersonalAccessTokens['listOf'] = (userId, options) =>
    stored.query({ index: 'by_user', equals: [userId], order: 'descending', ...options })

  const noteUse = async (id: string): Promise<void> => {
    try {
      await database.transaction(async (transaction) => {
        const token = await transaction.get(personalAccessTokens, id)
        if (token && isUseStale(token, clock.now()))
          transaction.put(personalAccessTokens, { ...token, last_used_at: timestamp(clock.now()) })
      })
    } catch (error) {
      log.warn('The last use of a personal access token could not be noted.', { token_id: id, error })
    }
  }

  return {
    async create(user, { name, expiresInDays, scopes = defaultTokenScopes }, address) {
      const trimmed = name.trim()
      if (trimmed === '')
        throw invalidRequestError.create(
          { where: 'body' },
          { problems: [{ path: '/name', message: 'must name the purpose of the token' }] },
        )
      const reserved = scopes.find((scope) => scopesOfAdmins.includes(scope))
      if (reserved !== undefined && user.role !== 'admin') {
        const problem = { path: '/scopes', message: `“${reserved}” is for accounts with the role admin` }
        throw invalidRequestError.create({ where: 'body' }, { problems: [problem] })
      }
      if ((await listOf(user.id, { limit: maxTokens })).items.length >= maxTokens) throw tooManyTokensError.create({ limit: maxTokens })
      const token = makeTokenText()
      const now = clock.now()
      const record: PersonalAccessTokenRecord = {
        id: uuid(),
        user_id: user.id,
        name: trimmed,
        prefix: shownPrefixOf(token),
        digest: tokenDigest(token),
        scopes: [...new Set(scopes)],
        created_at: timestamp(now),
        expires_at: expiresInDays === undefined ? null : timestamp(now + expiresInDays * dayMs),
        last_used_at: null,
      }
      await database.transaction(async (transaction) => {
        const owner = await transaction.get(users, user.id)
        if (!owner || owner.disabled || owner.session_epoch !== user.session_epoch) throw unauthenticatedError.create({})
        transaction.insert(personalAccessTokens, record)
        audit.record(transaction, {
          ...{ kind: 'token.created', actor: { userId: user.id, address }, subjectId: user.id },
          details: { token_id: record.id, scopes: record.scopes },
        })
      })
      return { record, token }
    },
    listOf,
    revoke: (userId, id, address) =>
      database.transaction(async (transaction) => {
        const token = await transaction.get(personalAccessTokens, id)
        if (!token || token.user_id !== userId) throw notFoundError.create({ what: 'token' })
        transaction.delete(personalAccessTokens, id)
        audit.record(transaction, {
          ...{ kind: 'token.revoked', actor: { userId, address }, subjectId: userId },
          details: { token_id: id },
        })
        kernelDatabase.kernelView(transaction).afterCommit(() => revocations.credentialRevoked(id))
      }),
    get: (id) => stored.get(id),
    async find(text) {
      if (!isWholeTokenText(text)) return undefined
      const token = await stored.find('by_digest', [tokenDigest(text)])
      const now = clock.now()
      if (!token || (token.expires_at !== null && now >= Date.parse(token.expires_at))) return undefined
      if (isUseStale(token, now)) void noteUse(token.id)
      return token
    },
  }
}

const isUseStale = ({ last_used_at: lastUsedAt }: PersonalAccessTokenRecord, now: number): boolean =>
  lastUsedAt === null || now - Date.parse(lastUsedAt) >= useWrittenEveryMs
