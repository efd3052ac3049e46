import type { Disposer } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { EndReason } from './exchange.js'

/** The longest delay that a timer supports. */
const maxTimerMs = 2 ** 31 - 1

/** What may end an exchange early. */
export interface Lifetime {
  readonly clock: Clock
  /** Aborted when the caller's credential ends. */
  readonly credential: AbortSignal | undefined
  /** Aborted when the owner of the route stops. */
  readonly owner: AbortSignal | undefined
  /** Aborted when the owner is about to stop; for long-lived connections. */
  readonly stopping?: AbortSignal | undefined
  /** When the credential expires, in milliseconds since 1970. */
  readonly expiresAt: number | undefined
}

/**
 * Calls `end` when one of the signals is aborted or the credential expires. The returned function
 * stops the watch; call it when the exchange has ended, since the signals may outlive it.
 */
export function watchLifetime({ clock, credential, owner, stopping, expiresAt }: Lifetime, end: (reason: EndReason) => void): () => void {
  const credentialEnded = (): void => end('credential_ended')
  const ownerStops = (): void => end('stopping')
  watch(credential, credentialEnded)
  watch(owner, ownerStops)
  watch(stopping, ownerStops)
  const stopTimer = expiresAt === undefined ? undefined : callAt(expiresAt, clock, credentialEnded)
  return () => {
    credential?.removeEventListener('abort', credentialEnded)
    owner?.removeEventListener('abort', ownerStops)
    stopping?.removeEventListener('abort', ownerStops)
    stopTimer?.()
  }
}

function watch(signal: AbortSignal | undefined, ended: () => void): void {
  if (signal?.aborted) ended()
  signal?.addEventListener('abort', ended, { once: true })
}

/** Calls back at a time that may be further away than a timer supports. */
function callAt(time: number, clock: Clock, callback: () => void): () => void {
  let cancel: Disposer = () => undefined
  const wait = (): void => {
    const left = time - clock.now()
    if (left > 0) cancel = clock.after(Math.min(left, maxTimerMs), wait)
    else callback()
  }
  wait()
  return () => void cancel()
}
