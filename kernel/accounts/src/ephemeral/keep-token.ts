import type { Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { KeptToken, TokenFileEnd } from '@agent-service/sdk/services/ephemeral-tokens'
import type { SignedToken } from '../keys/signed-tokens.js'
import { joinSignals } from './joined-signal.js'

const minPauseMs = 100
const retryPauseMs = 1_000

/** A token that is kept, and the epoch of its user's sessions. */
export interface NextToken extends SignedToken {
  readonly epoch: number
}

/** The options for a kept token. */
export interface TokenKeeping {
  readonly clock: Clock
  readonly log: Logger
  /** Ends it from outside. */
  readonly signal: AbortSignal
  /** Aborted when the account or its sessions end. */
  readonly credentialRevoked: AbortSignal
  /**
   * Returns the next token. @throws `not_found` if the account is deleted or disabled; any other
   * error is retried.
   */
  next(): Promise<NextToken>
  /** Called once, when the tokens are needed no more. */
  finished(end: TokenFileEnd): Promise<void>
}

/** Keeps a valid token; see `EphemeralTokens.keepToken`. */
export async function keepToken(keeping: TokenKeeping, replace: (token: string) => Promise<void>): Promise<KeptToken> {
  keeping.signal.throwIfAborted()
  const first = await keeping.next()
  return { token: first.token, ended: renewFrom(first, keeping, { replace, remove: () => Promise.resolve() }) }
}

/**
 * Renews a token until it ends. It is replaced at half of its lifetime, so a failing database has
 * the other half to recover. Never rejects.
 */
export async function renewFrom(
  first: NextToken,
  { clock, log, signal, credentialRevoked, next, finished }: TokenKeeping,
  place: { replace(token: string): Promise<void>; remove(): Promise<void> },
): Promise<TokenFileEnd> {
  const stop = joinSignals(signal, credentialRevoked)
  /**
   * Replaces the token; returns the pause until the next renewal, or `undefined` if the grant has
   * ended.
   */
  const renew = async (): Promise<number | undefined> => {
    try {
      const token = await next()
      if (token.epoch !== first.epoch) return undefined
      await place.replace(token.token)
      return halfOf(token, clock)
    } catch (error) {
      if (notFoundError.isInstance(error)) return undefined
      log.warn('A token could not be renewed; the service will try again.', { error })
      return retryPauseMs
    }
  }
  let pause: number | undefined = halfOf(first, clock)
  while (pause !== undefined) {
    const waited: boolean = await clock.wait(pause, { signal: stop.signal }).then(
      () => true,
      () => false,
    )
    pause = waited ? await renew() : undefined
  }
  stop.release()
  const end = signal.aborted ? 'aborted' : 'account_ended'
  for (const undo of [place.remove, () => finished(end)]) {
    await undo().catch((error: unknown) => log.warn('A token was not ended cleanly.', { error }))
  }
  return end
}

const halfOf = ({ expiresAt }: SignedToken, clock: Clock): number => Math.max(minPauseMs, (expiresAt - clock.now()) / 2)
