import type { Logger } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'
import type { AccountPayload } from './credential.js'
import type { CredentialStore } from './credential-store.js'
import { type AskServer, tokensOf } from './token-endpoint.js'

/** How a refresh ended. */
export type RefreshOutcome =
  | { readonly kind: 'fresh'; readonly payload: AccountPayload }
  /** The credential is gone. */
  | { readonly kind: 'gone' }
  /** The vendor refused: somebody has to sign in again. Noted with the credential. */
  | { readonly kind: 'refused'; readonly code: string }
  /** There is nothing to refresh with. */
  | { readonly kind: 'impossible' }
  /** Nobody said yes or no; it can be tried again. */
  | { readonly kind: 'unavailable'; readonly reason: string }

/** Replaces the tokens of accounts. */
export interface AccountRefresh {
  /**
   * Gives tokens other than `stale`. Callers at the same time share one refresh, which goes on when one of them leaves. New tokens are stored before
   * anybody gets them: the vendor takes the old ones no longer.
   */
  refresh(id: string, stale: string): Promise<RefreshOutcome>
}

/** Makes it. `signal` ends what is under way. */
export function createAccountRefresh(dependencies: {
  readonly store: CredentialStore
  readonly signInOf: (brand: string) => SignInSettings | undefined
  readonly ask: AskServer
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  readonly signal: AbortSignal
}): AccountRefresh {
  const { store, signInOf, ask, clock, log, signal } = dependencies
  const running = new Map<string, Promise<RefreshOutcome>>()
  /** Tokens that the vendor gave and the store did not take: the old ones are worth nothing any more, so these are kept until it does. */
  const unstored = new Map<string, { readonly payload: AccountPayload; readonly generation: number }>()

  const keep = async (id: string, payload: AccountPayload, generation: number): Promise<RefreshOutcome> => {
    unstored.set(id, { payload, generation })
    const stored = await store.replace(id, payload, generation)
    unstored.delete(id)
    return stored ? { kind: 'fresh', payload } : present(id)
  }
  /** What others have stored meanwhile. */
  const present = async (id: string): Promise<RefreshOutcome> => {
    const entry = await store.open(id)
    return entry?.payload.kind === 'account' ? { kind: 'fresh', payload: entry.payload } : { kind: 'gone' }
  }

  const run = async (id: string, stale: string): Promise<RefreshOutcome> => {
    const entry = await store.open(id)
    if (entry?.payload.kind !== 'account') return { kind: 'gone' }
    const { record, payload } = entry
    const { generation } = record
    if (payload.access_token !== stale) return { kind: 'fresh', payload }
    const waiting = unstored.get(id)
    if (waiting?.generation === generation) return keep(id, waiting.payload, generation)
    const settings = signInOf(record.brand)
    if (!settings || payload.refresh_token === undefined) return { kind: 'impossible' }
    const { scopes, token_url: url, client_id: clientId } = settings
    const form = {
      ...{ grant_type: 'refresh_token', refresh_token: payload.refresh_token, client_id: clientId },
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    }
    const answer = await ask(url, form, { signal })
    if (answer.kind === 'unavailable') return answer
    if (answer.kind === 'refused') {
      // Another node may have been quicker: then our refresh token was the old one.
      if (!(await store.needSignIn(id, generation))) return present(id)
      log.warn('A managed credential needs a new sign-in: the vendor refused to refresh its token.', {
        credential_id: id,
        brand: record.brand,
        code: answer.code,
      })
      return { kind: 'refused', code: answer.code }
    }
    const tokens = tokensOf(answer.body, settings, { now: clock.now(), before: payload })
    return 'unusable' in tokens ? { kind: 'unavailable', reason: tokens.unusable } : keep(id, tokens, generation)
  }

  return {
    refresh(id, stale) {
      const known = running.get(id)
      if (known) return known
      const begun = run(id, stale)
        .catch((error: unknown): RefreshOutcome => {
          log.error('The token of a managed credential could not be renewed.', { credential_id: id, error })
          return { kind: 'unavailable', reason: 'the new one could not be read or stored' }
        })
        .finally(() => running.delete(id))
      running.set(id, begun)
      return begun
    },
  }
}
