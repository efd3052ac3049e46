import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { OAuthClient, OAuthTokens } from '@agent-service/sdk/services/credentials'
import type { AskServer } from '../server/ask-server.js'
import { readTokens } from '../server/read-tokens.js'
import type { CredentialStore, OpenCredential, StoredReference } from '../store/credential-store.js'
import { storedId } from '../store/stored-credential.js'

/** How long one process may take to renew, and how often and how long the others look whether it has. */
const leaseMs = 30_000
const lookAgainMs = 250
const maxWaitMs = 45_000

/** How a renewal ended. */
export type RenewalOutcome =
  | { readonly kind: 'fresh'; readonly tokens: OAuthTokens }
  /** The credential is gone. */
  | { readonly kind: 'gone' }
  /** The owner has to sign in again. Noted with the credential. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** There is nothing to renew with. */
  | { readonly kind: 'impossible' }
  /** Nobody said yes or no; it can be tried again. */
  | { readonly kind: 'unavailable'; readonly reason: string }

/** What renewals are made with. */
export interface RenewalDependencies {
  readonly store: CredentialStore
  readonly ask: AskServer
  readonly clock: Pick<Clock, 'now' | 'wait'>
  readonly log: Logger
  /** Names this process for the others. */
  readonly holder: string
  /** Ends what is under way. */
  readonly signal: AbortSignal
}

/** Replaces the tokens of credentials. */
export interface Renewals {
  /**
   * Gives tokens other than `stale`. Callers at the same time share one renewal, which goes on when one of them
   * leaves; other processes wait for it. New tokens are stored before anybody gets them: the server takes the
   * old ones no longer.
   */
  renew(reference: StoredReference, stale: string | undefined): Promise<RenewalOutcome>
}

/** Tokens that a server gave and the store did not take. */
interface Unstored {
  readonly tokens: OAuthTokens
  readonly generation: number
}

/** Makes them. */
export function createRenewals(dependencies: RenewalDependencies): Renewals {
  const { log } = dependencies
  const running = new Map<string, Promise<RenewalOutcome>>()
  /** The old ones are worth nothing any more, so these are kept until the store takes them. */
  const unstored = new Map<string, Unstored>()
  return {
    renew(reference, stale) {
      const key = storedId(reference.pluginId, reference.id)
      const known = running.get(key)
      if (known) return known
      const begun = renewStale(reference, stale, unstored, dependencies)
        .catch((error: unknown): RenewalOutcome => {
          log.error('The tokens of a credential could not be renewed.', { credential_id: reference.id, plugin: reference.pluginId, error })
          return { kind: 'unavailable', reason: 'the new ones could not be read or stored' }
        })
        .finally(() => running.delete(key))
      running.set(key, begun)
      return begun
    },
  }
}

/** Looks, waits while another process is at it, and renews what is still stale then. */
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
    if (entry?.content.kind !== 'oauth') return { kind: 'gone' }
    const { client, tokens } = entry.content
    const { generation, state, reason } = entry.record
    if (state === 'reauthentication_required') return { kind: 'refused', reason: reason ?? 'expired' }
    if (tokens && tokens.accessToken !== stale) return { kind: 'fresh', tokens }
    const waiting = unstored.get(entry.record.id)
    if (waiting?.generation === generation) return keep(reference, entry, waiting.tokens, unstored, store)
    const form = client && renewalForm(client, tokens)
    if (!client || !form) return { kind: 'impossible' }
    const now = clock.now()
    const claim = await store.claimRenewal(reference, generation, { holder, now, until: now + leaseMs })
    if (claim.kind === 'claimed') return askForTokens(reference, entry, { client, form, ...claim }, unstored, dependencies)
    if (claim.kind === 'held' && now >= ends) return { kind: 'unavailable', reason: 'another process renews it and has not come to an end' }
    if (claim.kind === 'held') await clock.wait(lookAgainMs, { signal })
  }
}

async function askForTokens(
  reference: StoredReference,
  entry: OpenCredential,
  attempt: { readonly client: OAuthClient; readonly form: Readonly<Record<string, string>>; readonly isEndUnknown: boolean },
  unstored: Map<string, Unstored>,
  { store, ask, clock, log, signal }: RenewalDependencies,
): Promise<RenewalOutcome> {
  const { client, form, isEndUnknown } = attempt
  const { generation } = entry.record
  const before = entry.content.kind === 'oauth' ? entry.content.tokens : undefined
  const answer = await ask({ url: client.tokenUrl, form, client, owner: reference.owner }, { signal })
  if (answer.kind === 'unavailable') {
    // It may have given tokens that did not arrive.
    await store.releaseRenewal(reference, generation, { isEndUnknown: true })
    return answer
  }
  if (answer.kind === 'refused') {
    const reason = isEndUnknown && answer.code === 'invalid_grant' ? 'refresh_interrupted' : answer.code
    // A new sign-in may have been quicker: then the refresh token was the old one.
    if (!(await store.requireReauthentication(reference, generation, reason))) return presentTokens(reference, store)
    log.warn('A credential needs a new sign-in: the server refused to renew its tokens.', {
      ...{ credential_id: reference.id, plugin: reference.pluginId, purpose: entry.record.purpose, code: answer.code, reason },
    })
    return { kind: 'refused', reason }
  }
  const tokens = readTokens(answer.body, client, { now: clock.now(), before })
  if (!('unusable' in tokens)) return keep(reference, entry, tokens, unstored, store)
  await store.releaseRenewal(reference, generation, { isEndUnknown: true })
  return { kind: 'unavailable', reason: tokens.unusable }
}

/** Stores new tokens before anybody gets them. */
async function keep(
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
  return stored ? { kind: 'fresh', tokens } : presentTokens(reference, store)
}

/** What others have stored meanwhile. */
async function presentTokens(reference: StoredReference, store: CredentialStore): Promise<RenewalOutcome> {
  const entry = await store.open(reference)
  return entry?.content.kind === 'oauth' && entry.content.tokens ? { kind: 'fresh', tokens: entry.content.tokens } : { kind: 'gone' }
}

/** What the server is asked with; `undefined` where there is nothing to ask with. */
function renewalForm(client: OAuthClient, tokens: OAuthTokens | undefined): Readonly<Record<string, string>> | undefined {
  const { scopes = [], resource, renewal } = client
  const more = { ...(scopes.length > 0 && { scope: scopes.join(' ') }), ...(resource !== undefined && { resource }) }
  if (renewal === 'client_credentials') return { grant_type: 'client_credentials', ...more }
  return tokens?.refreshToken === undefined ? undefined : { grant_type: 'refresh_token', refresh_token: tokens.refreshToken, ...more }
}
