import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { OAuthClient, OAuthTokens } from '@agent-service/sdk/services/credentials'
import type { PostForm } from '../server/post-form.js'
import { readTokens } from '../server/read-tokens.js'
import type { CredentialStore, OpenCredential, StoredReference } from '../store/credential-store.js'
import { storedId } from '../store/stored-credential.js'

/**
 * How long one process may take to renew, and how often and how long the others check for its
 * result.
 */
const leaseMs = 30_000
const checkIntervalMs = 250
const maxWaitMs = 45_000

/** The result of a renewal. */
export type RenewalOutcome =
  | { readonly kind: 'fresh'; readonly tokens: OAuthTokens }
  /** The credential was deleted. */
  | { readonly kind: 'missing' }
  /** The owner has to sign in again. Stored with the credential. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The credential has nothing to renew with. */
  | { readonly kind: 'impossible' }
  /** The outcome is open; it can be retried. */
  | { readonly kind: 'unavailable'; readonly reason: string }

/** What renewals depend on. */
export interface RenewalDependencies {
  readonly store: CredentialStore
  readonly postForm: PostForm
  readonly clock: Pick<Clock, 'now' | 'wait'>
  readonly log: Logger
  /** The id of this process. */
  readonly holder: string
  /** Cancels everything in progress. */
  readonly signal: AbortSignal
}

/** Renews the tokens of credentials. */
export interface Renewals {
  /**
   * Returns tokens other than `stale`. Concurrent callers share one renewal, which continues if one
   * of them stops waiting; other processes wait for it. New tokens are stored before they are
   * returned, because the server no longer accepts the old ones.
   */
  renew(reference: StoredReference, stale: string | undefined): Promise<RenewalOutcome>
}

/** Tokens that a server issued and the store has not accepted. */
interface Unstored {
  readonly tokens: OAuthTokens
  readonly generation: number
}

export function createRenewals(dependencies: RenewalDependencies): Renewals {
  const { log } = dependencies
  const running = new Map<string, Promise<RenewalOutcome>>()
  /** The old tokens are invalid, so these are kept until the store accepts them. */
  const unstored = new Map<string, Unstored>()
  return {
    renew(reference, stale) {
      const key = storedId(reference.pluginId, reference.id)
      const known = running.get(key)
      if (known) return known
      const started = renewStale(reference, stale, unstored, dependencies)
        .catch((error: unknown): RenewalOutcome => {
          log.error('The tokens of a credential could not be renewed.', { credential_id: reference.id, plugin: reference.pluginId, error })
          return { kind: 'unavailable', reason: 'the new tokens could not be read or stored' }
        })
        .finally(() => running.delete(key))
      running.set(key, started)
      return started
    },
  }
}

/** Waits while another process renews the tokens, and renews them if they are still stale. */
async function renewStale(
  reference: StoredReference,
  stale: string | undefined,
  unstored: Map<string, Unstored>,
  dependencies: RenewalDependencies,
): Promise<RenewalOutcome> {
  const { store, clock, holder, signal } = dependencies
  const ends = clock.now() + maxWaitMs
  for (;;) {
    const entry = await store.open(reference)
    if (entry?.content.kind !== 'oauth') return { kind: 'missing' }
    const { client, tokens } = entry.content
    const { generation, state, reason } = entry.record
    if (state === 'reauthentication_required') return { kind: 'refused', reason: reason ?? 'expired' }
    if (tokens && tokens.accessToken !== stale) return { kind: 'fresh', tokens }
    const waiting = unstored.get(entry.record.id)
    if (waiting?.generation === generation) return storeTokens(reference, entry, waiting.tokens, unstored, store)
    const form = client && renewalForm(client, tokens)
    if (!client || !form) return { kind: 'impossible' }
    const now = clock.now()
    const claim = await store.claimRenewal(reference, generation, { holder, now, until: now + leaseMs })
    if (claim.kind === 'claimed') return requestTokens(reference, entry, { client, form, ...claim }, unstored, dependencies)
    if (claim.kind === 'held' && now >= ends) return { kind: 'unavailable', reason: 'another process is renewing it and has not finished' }
    if (claim.kind === 'held') await clock.wait(checkIntervalMs, { signal })
  }
}

async function requestTokens(
  reference: StoredReference,
  entry: OpenCredential,
  attempt: { readonly client: OAuthClient; readonly form: Readonly<Record<string, string>>; readonly isOutcomeUnknown: boolean },
  unstored: Map<string, Unstored>,
  { store, postForm, clock, log, signal }: RenewalDependencies,
): Promise<RenewalOutcome> {
  const { client, form, isOutcomeUnknown } = attempt
  const { generation } = entry.record
  const before = entry.content.kind === 'oauth' ? entry.content.tokens : undefined
  const answer = await postForm({ url: client.tokenUrl, form, client, owner: reference.owner }, { signal })
  if (answer.kind === 'unavailable') {
    // It may have issued tokens that did not arrive.
    await store.releaseRenewal(reference, generation, { isOutcomeUnknown: true })
    return answer
  }
  if (answer.kind === 'refused') {
    const reason = isOutcomeUnknown && answer.code === 'invalid_grant' ? 'refresh_interrupted' : answer.code
    // A new sign-in may have replaced the refresh token meanwhile.
    if (!(await store.requireReauthentication(reference, generation, reason))) return currentTokens(reference, store)
    log.warn('A credential needs a new sign-in: the server refused to renew its tokens.', {
      ...{ credential_id: reference.id, plugin: reference.pluginId, purpose: entry.record.purpose, code: answer.code, reason },
    })
    return { kind: 'refused', reason }
  }
  const tokens = readTokens(answer.body, client, { now: clock.now(), before })
  if (!('unusable' in tokens)) return storeTokens(reference, entry, tokens, unstored, store)
  await store.releaseRenewal(reference, generation, { isOutcomeUnknown: true })
  return { kind: 'unavailable', reason: tokens.unusable }
}

/** Stores new tokens before they are used. */
async function storeTokens(
  reference: StoredReference,
  { record, content }: OpenCredential,
  tokens: OAuthTokens,
  unstored: Map<string, Unstored>,
  store: CredentialStore,
): Promise<RenewalOutcome> {
  const client = content.kind === 'oauth' ? content.client : undefined
  unstored.set(record.id, { tokens, generation: record.generation })
  const stored = await store.replace(reference, { kind: 'oauth', ...(client && { client }), tokens }, { generation: record.generation })
  unstored.delete(record.id)
  return stored ? { kind: 'fresh', tokens } : currentTokens(reference, store)
}

/** The tokens that others have stored meanwhile. */
async function currentTokens(reference: StoredReference, store: CredentialStore): Promise<RenewalOutcome> {
  const entry = await store.open(reference)
  return entry?.content.kind === 'oauth' && entry.content.tokens ? { kind: 'fresh', tokens: entry.content.tokens } : { kind: 'missing' }
}

/** The form of a renewal; `undefined` if there is nothing to renew with. */
function renewalForm(client: OAuthClient, tokens: OAuthTokens | undefined): Readonly<Record<string, string>> | undefined {
  const { scopes = [], resource, renewal } = client
  const more = { ...(scopes.length > 0 && { scope: scopes.join(' ') }), ...(resource !== undefined && { resource }) }
  if (renewal === 'client_credentials') return { grant_type: 'client_credentials', ...more }
  return tokens?.refreshToken === undefined ? undefined : { grant_type: 'refresh_token', refresh_token: tokens.refreshToken, ...more }
}
