import type { Disposer, Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import {
  type CredentialReference,
  type CredentialSummary,
  type Credentials,
  credentialInUseError,
  credentialNotFoundError,
} from '@agent-service/sdk/services/credentials'
import { openCredential } from './renewal/open-credential.js'
import type { Renewals } from './renewal/renew-tokens.js'
import { revokeTokens } from './renewal/revoke-tokens.js'
import type { PostForm } from './server/post-form.js'
import type { SignIns } from './sign-in/sign-ins.js'
import { checkClient, checkContent, checkCredential, checkMembers } from './store/check-credential.js'
import type { CredentialStore, StoredReference } from './store/credential-store.js'
import { type StoredCredential, summaryOf, userIdOf } from './store/stored-credential.js'

/** The parts of the service. */
export interface CredentialsParts {
  readonly store: CredentialStore
  readonly renewals: Renewals
  readonly signIns: SignIns
  readonly postForm: PostForm
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  /** Cancels everything in progress. */
  readonly signal: AbortSignal
}

type UsersOf = Parameters<Credentials['onDelete']>[0]

/** The service for one plugin, which reaches only its own records. */
export function createCredentialsOf(pluginId: string, parts: CredentialsParts): Credentials {
  const { store, signIns, signal } = parts
  const guards = new Set<UsersOf>()
  const stored = ({ owner, id }: CredentialReference): StoredReference => ({ pluginId, owner, id })
  return Object.freeze<Credentials>({
    async create(request) {
      checkCredential(request)
      checkContent(request.owner, request.content)
      return summaryOf(await store.create({ ...request, pluginId }))
    },
    async replace(reference, content) {
      checkContent(reference.owner, content)
      return summaryOrThrow(reference, await store.replace(stored(reference), content))
    },
    async change(reference, members) {
      checkMembers(members)
      return summaryOrThrow(reference, await store.change(stored(reference), members))
    },
    async get(reference) {
      const record = await store.find(stored(reference))
      return record && summaryOf(record)
    },
    async list({ owner, ...query }) {
      const { items, nextCursor } = await store.list({ ...query, pluginId, userId: userIdOf(owner) })
      return { items: items.map(summaryOf), ...(nextCursor !== undefined && { nextCursor }) }
    },
    open: (reference, options) => openCredential(stored(reference), options, parts),
    async delete(reference, options = {}) {
      const record = await store.find(stored(reference))
      if (!record) return false
      await refuseWhileUsed(summaryOf(record), guards)
      return deleteAndRevoke(stored(reference), options.signal ? AbortSignal.any([signal, options.signal]) : signal, parts)
    },
    onDelete: (usersOf) => addGuard(usersOf, guards),
    async beginSignIn(request, { signal: caller, completed }) {
      checkCredential(request)
      checkClient(request.owner, request.client)
      return signIns.begin({ ...request, pluginId, completed }, { signal: AbortSignal.any([signal, caller]) })
    },
    getSignIn: (id, userId) => signIns.get(id, { pluginId, userId }),
    cancelSignIn: (id, userId) => signIns.cancel(id, { pluginId, userId }),
    completeSignIn: (redirect, by) => signIns.complete(redirect, { ...by, pluginId }),
  })
}

/**
 * Deletes a credential and revokes its tokens. A credential that cannot be read is deleted without
 * that.
 */
export async function deleteAndRevoke(
  reference: StoredReference,
  signal: AbortSignal,
  { store, postForm, log }: Pick<CredentialsParts, 'store' | 'postForm' | 'log'>,
): Promise<boolean> {
  const entry = await store.open(reference).catch((error: unknown) => {
    log.warn('A deleted credential could not be read, so its tokens were not revoked.', {
      ...{ credential_id: reference.id, plugin: reference.pluginId, error },
    })
    return undefined
  })
  const isDeleted = await store.delete(reference)
  if (isDeleted && entry) await revokeTokens(reference, entry.content, { postForm, log, signal })
  return isDeleted
}

async function refuseWhileUsed(credential: CredentialSummary, guards: ReadonlySet<UsersOf>): Promise<void> {
  const users = (await Promise.all([...guards].map((usersOf) => usersOf(credential)))).flat()
  if (users.length > 0) throw credentialInUseError.create({ id: credential.id, users })
}

function addGuard(usersOf: UsersOf, guards: Set<UsersOf>): Disposer {
  // The same function may be added twice, and each is removed separately.
  const guard: UsersOf = (credential) => usersOf(credential)
  guards.add(guard)
  return () => void guards.delete(guard)
}

function summaryOrThrow({ id }: CredentialReference, record: StoredCredential | undefined): CredentialSummary {
  if (!record) throw credentialNotFoundError.create({ id })
  return summaryOf(record)
}
