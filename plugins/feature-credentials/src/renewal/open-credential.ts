import { abortable } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import {
  credentialNotFoundError,
  credentialUnavailableError,
  type OAuthTokens,
  reauthenticationRequiredError,
  type UsableCredential,
} from '@agent-service/sdk/services/credentials'
import type { CredentialStore, StoredReference } from '../store/credential-store.js'
import type { StoredCredential } from '../store/stored-credential.js'
import type { RenewalOutcome, Renewals } from './renew-tokens.js'

/**
 * How long before its expiry a token is renewed. After a renewal, at most this share of its
 * lifetime, so that short-lived tokens are not renewed at each call.
 */
const marginMs = 2 * 60_000
const maxMarginShare = 0.25

/** The secret or token for a call now. See `Credentials.open`. */
export async function openCredential(
  reference: StoredReference,
  { signal, refused }: { readonly signal: AbortSignal; readonly refused?: string | undefined },
  { store, renewals, clock }: { readonly store: CredentialStore; readonly renewals: Renewals; readonly clock: Pick<Clock, 'now'> },
): Promise<UsableCredential> {
  const { id } = reference
  const entry = await store.open(reference)
  signal.throwIfAborted()
  if (!entry) throw credentialNotFoundError.create({ id })
  const { content, record } = entry
  if (content.kind === 'secret') return { kind: 'secret', fields: content.fields }
  if (record.state !== 'ready') throw reauthenticationRequiredError.create({ id, reason: record.reason ?? 'expired' })
  const { tokens } = content
  const isUsable = tokens !== undefined && tokens.accessToken !== refused
  const left = isUsable ? (tokens.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now() : 0
  if (isUsable && left > marginOf(record)) return usable(tokens)
  const outcome = await abortable(renewals.renew(reference, tokens?.accessToken), signal)
  if (outcome.kind === 'fresh') return usable(outcome.tokens)
  // It has not expired yet, and only a refusal makes it invalid.
  if (isUsable && left > 0 && (outcome.kind === 'unavailable' || outcome.kind === 'impossible')) return usable(tokens)
  if (outcome.kind === 'impossible') await store.requireReauthentication(reference, record.generation, 'expired')
  throw errorOf(id, outcome)
}

function marginOf({ generation, changed_at: since, expires_at: until }: StoredCredential): number {
  if (generation === 1 || until === null) return marginMs
  return Math.min(marginMs, (Date.parse(until) - Date.parse(since)) * maxMarginShare)
}

function errorOf(id: string, outcome: Exclude<RenewalOutcome, { readonly kind: 'fresh' }>): Error {
  switch (outcome.kind) {
    case 'missing':
      return credentialNotFoundError.create({ id })
    case 'impossible':
      return reauthenticationRequiredError.create({ id, reason: 'expired' })
    case 'refused':
      return reauthenticationRequiredError.create({ id, reason: outcome.reason })
    case 'unavailable':
      return credentialUnavailableError.create({ id, reason: outcome.reason }, { retryAfterSeconds: 5 })
  }
}

const usable = ({ accessToken, expiresAt, account }: OAuthTokens): UsableCredential => ({
  kind: 'oauth',
  accessToken,
  ...(expiresAt !== undefined && { expiresAt }),
  ...(account !== undefined && { account }),
})
