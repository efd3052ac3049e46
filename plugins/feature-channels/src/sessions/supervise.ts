import type { Disposer } from '@agent-service/sdk'
import { abortable } from '@agent-service/sdk/async'
import { channels } from '@agent-service/sdk/contracts/channel'
import { healthyMs } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { type Connection, connectionCollection } from '../store/connection.js'
import { backoffMs, minBackoffMs, retryOf } from './backoff.js'
import { type LeaseKeeper, renewMs } from './lease-keeper.js'
import { type RunSessionDependencies, runSession, type SessionEnd } from './run-session.js'
import { saveState } from './save-state.js'
import type { ShownError } from './shown-error.js'

/** A vendor that asks for longer waits is asked again after a day. */
const maxThrottleMs = 24 * 3_600_000
/** Sessions that end so soon and so often are no requests to connect again. */
const quickMs = 5_000
const maxQuickEnds = 3

export interface SuperviseDependencies extends RunSessionDependencies {
  readonly leases: LeaseKeeper
}

/**
 * Keeps one connection connected until the signal is aborted, or it has failed for good, or is another
 * one. All of its state is in the store. @throws the signal's reason.
 */
export async function supervise(dependencies: SuperviseDependencies, first: Connection, signal: AbortSignal): Promise<void> {
  const { parts, leases } = dependencies
  const { clock, database } = parts
  let failures = first.failures
  let quickEnds = 0
  for (;;) {
    signal.throwIfAborted()
    const connection = await database.collection(connectionCollection).get(first.id)
    if (!connection?.enabled || connection.generation !== first.generation || connection.state === 'failed') return
    if (!(await leases.take(connection))) {
      await clock.wait(renewMs, { signal })
      continue
    }
    const end = await withLease(dependencies, connection, signal)
    if (end.kind === 'superseded') return
    if (end.kind === 'absent') {
      await untilThere(parts, connection, signal)
      continue
    }
    if (end.lastedMs >= healthyMs) failures = 0
    quickEnds = end.kind === 'again' && end.lastedMs < quickMs ? quickEnds + 1 : 0
    if (end.kind === 'again' && quickEnds <= maxQuickEnds) continue
    const error = end.kind === 'lost' ? end.error : endsAtOnce
    parts.metrics.connected(connection.channel, error.kind)
    const next = nextAttempt(parts, connection, { error, failures })
    failures = next.failures
    parts.log.info('A channel is not connected.', { connection: connection.id, channel: connection.channel, code: error.code, failures })
    const failure = {
      code: error.code,
      message: next.delayMs === undefined && error.kind !== 'auth' ? givenUp(error, failures) : error.message,
    }
    const state = next.delayMs === undefined ? 'failed' : 'retrying'
    const nextAttemptAt = next.delayMs === undefined ? null : clock.now() + next.delayMs
    if (!(await saveState(parts, connection, { state, failure, failures, nextAttemptAt }))) return
    if (next.delayMs === undefined) return
    await clock.wait(next.delayMs, { signal })
  }
}

const endsAtOnce: ShownError = {
  ...{ kind: 'transient', code: 'channel_unavailable', retryAfterMs: undefined },
  message: 'The vendor ends each session as soon as it has begun.',
}

const givenUp = ({ message }: ShownError, failures: number): string =>
  `It was given up after ${failures} attempts. The last one: ${message}`.slice(0, 1_000)

/** When to try again, and what then counts. Without a delay it has failed for good. */
function nextAttempt(
  parts: Pick<ChannelParts, 'retry'>,
  { retry }: Pick<Connection, 'retry'>,
  { error, failures }: { readonly error: ShownError; readonly failures: number },
): { readonly failures: number; readonly delayMs: number | undefined } {
  if (error.kind === 'auth') return { failures, delayMs: undefined }
  const settings = retryOf(parts.retry, retry)
  if (error.kind === 'throttled')
    return { failures, delayMs: Math.min(maxThrottleMs, Math.max(minBackoffMs, error.retryAfterMs ?? settings.max_backoff_ms)) }
  return { failures: failures + 1, delayMs: backoffMs(settings, failures + 1) }
}

/** Renews the lease while the session lasts; without it, the session ends. */
async function withLease(dependencies: SuperviseDependencies, connection: Connection, signal: AbortSignal): Promise<SessionEnd> {
  const { parts, leases } = dependencies
  if (!parts.database.shared) return runSession(dependencies, connection, signal)
  const losing = new AbortController()
  const renewing = new AbortController()
  const renewal = (async () => {
    for (;;) {
      await parts.clock.wait(renewMs, { signal: renewing.signal })
      if (!(await leases.take(connection))) throw new Error('Another process has the connection.')
    }
  })().catch((error: unknown) => losing.abort(error))
  try {
    return await runSession(dependencies, connection, AbortSignal.any([signal, losing.signal]))
  } catch (error) {
    signal.throwIfAborted()
    if (!losing.signal.aborted) throw error
    return { kind: 'again', lastedMs: healthyMs }
  } finally {
    renewing.abort(new Error('The session has ended.'))
    await renewal
  }
}

/** Waits until a plugin has the channel. That is no failed attempt. */
async function untilThere(parts: ChannelParts, connection: Connection, signal: AbortSignal): Promise<void> {
  const { contributions } = parts
  const isThere = () => contributions.list(channels).some(({ key }) => key === connection.channel)
  let stop: Disposer = () => undefined
  const there = new Promise<void>((resolve) => {
    stop = contributions.onChange(channels, () => {
      if (isThere()) resolve()
    })
  })
  try {
    if (isThere()) return
    const message = `No active plugin has the channel “${connection.channel}”.`
    if (!(await saveState(parts, connection, { state: 'retrying', failure: { code: 'channel_absent', message } }))) return
    await abortable(there, signal)
  } finally {
    void stop()
  }
}
