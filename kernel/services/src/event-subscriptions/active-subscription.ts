import type { Lease, ProcessLeases } from '@agent-service/kernel-core/leases'
import type { Disposer } from '@agent-service/sdk'
import { type DeliveryDependencies, deliverEvent, handle, retryMsOf } from './deliver-event.js'
import type { Registrations } from './registrations.js'

/** A subscription of a plugin in this process, while it delivers events. */
export interface ActiveSubscription {
  /** A new event waits for this user. Never waits. */
  wake(userId: string): void
  /**
   * Stops the delivery; handlers get a while to end, then their signals are aborted. May be called
   * again.
   */
  stop(): Promise<void>
}

/** Events of one user handled before other users get their turn. */
const turnEvents = 100
/** How long handlers may run on when the subscription ends. */
const graceMs = 5_000
/** The delay before another attempt to take the lease, or to use the store after an error. */
const leaseRetryMs = 5_000
/** If other processes record events too: how often to poll for them, and how far back. */
const pollMs = 2_000
const pollBackMs = 60_000

/**
 * Starts a subscription: under its lease, passes every waiting event to the handler, in order for
 * each user, several users at a time.
 */
export function startSubscription(
  dependencies: DeliveryDependencies & {
    readonly leases: Pick<ProcessLeases, 'take' | 'release'>
    readonly registrations: Pick<Registrations, 'get' | 'clearMissed' | 'touch'>
    /** Whether other processes may record events. */
    readonly shared: boolean
  },
): ActiveSubscription {
  const { subscription, options, kept, clock, log, leases, registrations, shared } = dependencies
  const leaseName = `subscription:${subscription}`
  const stopping = new AbortController()
  const ready = new Set<string>()
  const busy = new Set<string>()
  const again = new Set<string>()
  const waiting = new Map<string, Disposer>()
  // Users whose first event may have been under way when a process crashed.
  const suspects = new Set<string>()
  const work = new Set<Promise<void>>()
  let lease: Lease | undefined
  let stopTimer: Disposer = () => undefined
  let stopped = false

  const track = (task: Promise<void>): void => {
    const tracked = task.finally(() => work.delete(tracked))
    work.add(tracked)
  }
  const later = (milliseconds: number, next: () => Promise<void>): void => {
    if (stopped) return
    void stopTimer()
    stopTimer = clock.after(milliseconds, () => track(next()))
  }
  const isOver = (): boolean => stopped || stopping.signal.aborted
  const holds = (): Lease | undefined => (lease && !lease.signal.aborted && !stopped ? lease : undefined)

  const wake = (userId: string): void => {
    if (!lease || stopped || waiting.has(userId)) return
    if (busy.has(userId)) again.add(userId)
    else ready.add(userId)
    pump()
  }
  const pump = (): void => {
    for (const userId of ready) {
      const held = holds()
      if (!held || busy.size >= options.maxConcurrentUsers) return
      ready.delete(userId)
      busy.add(userId)
      track(turn(userId, held))
    }
  }

  /** Handles some of one user's waiting events. */
  const turn = async (userId: string, held: Lease): Promise<void> => {
    let retryMs: number | undefined
    try {
      retryMs = await handleSome(userId, held)
    } catch (error) {
      if (!isOver() && !held.signal.aborted) {
        log.error('Events could not be read or acknowledged; retrying.', { error })
        retryMs = leaseRetryMs
      }
    }
    busy.delete(userId)
    const more = again.delete(userId)
    if (retryMs !== undefined) wait(userId, retryMs)
    else if (more && !stopped) ready.add(userId)
    pump()
  }
  const handleSome = async (userId: string, held: Lease): Promise<number | undefined> => {
    const events = await kept.waiting(userId, subscription)
    const signal = AbortSignal.any([stopping.signal, held.signal])
    for (const event of events.slice(0, turnEvents)) {
      if (isOver() || held.signal.aborted) return undefined
      const delivery = await deliverEvent(dependencies, event, { lease: held, signal, countBefore: suspects.delete(userId) })
      if (delivery !== 'settled') return delivery.retryMs
    }
    if (events.length > 0) again.add(userId)
    return undefined
  }
  const wait = (userId: string, milliseconds: number): void => {
    if (isOver()) return
    const cancel = clock.after(milliseconds, () => {
      waiting.delete(userId)
      wake(userId)
    })
    waiting.set(userId, cancel)
  }

  /**
   * Finds events that waited before this process had the subscription, or that other processes
   * recorded since a time.
   */
  const findWaiting = async (since?: string): Promise<void> => {
    for await (const { user_id, pending } of kept.all({ signal: stopping.signal, ...(since === undefined ? {} : { since }) })) {
      if (!pending.includes(subscription)) continue
      if (since === undefined && !busy.has(user_id)) suspects.add(user_id)
      wake(user_id)
    }
  }
  const reportMissed = async (held: Lease, attempt = 1): Promise<void> => {
    const missedSince = registrations.get(subscription)?.missed_since ?? null
    if (missedSince === null) return
    const gap = {
      kind: 'gap',
      id: `gap/${subscription}/${missedSince}`,
      userId: null,
      lost: null,
      until: new Date(clock.now()).toISOString(),
    } as const
    try {
      await handle(dependencies, { ...gap, attempt }, AbortSignal.any([stopping.signal, held.signal]))
    } catch (error) {
      if (isOver() || held.signal.aborted) throw error
      if (attempt < options.maxAttempts) {
        log.warn('A gap could not be reported; retrying.', { attempt, error })
        await clock.wait(retryMsOf(attempt), { signal: stopping.signal })
        return reportMissed(held, attempt + 1)
      }
      log.error('A gap could not be reported and is dropped.', { attempts: attempt, error })
    }
    await registrations.clearMissed(subscription)
  }

  const begin = async (): Promise<void> => {
    try {
      const taken = await leases.take(leaseName)
      if (typeof taken === 'string') return later(leaseRetryMs, begin)
      await reportMissed(taken)
      if (isOver()) return
      lease = taken
      taken.signal.addEventListener('abort', onLost, { once: true })
      await findWaiting()
      if (shared) later(pollMs, poll)
    } catch (error) {
      if (isOver()) return
      log.error('A subscription could not be started; retrying.', { error })
      later(leaseRetryMs, begin)
    }
  }
  const poll = async (): Promise<void> => {
    if (!holds()) return
    try {
      await registrations.touch(subscription)
      await findWaiting(new Date(clock.now() - pollBackMs).toISOString())
    } catch (error) {
      if (!isOver()) log.error('Events of other processes could not be read; retrying.', { error })
    }
    if (holds()) later(pollMs, poll)
  }
  const onLost = (): void => {
    lease = undefined
    ready.clear()
    if (!isOver()) later(leaseRetryMs, begin)
  }

  track(begin())
  return {
    wake,
    async stop() {
      if (stopped) return
      stopped = true
      void stopTimer()
      for (const cancel of waiting.values()) void cancel()
      waiting.clear()
      ready.clear()
      const stopGrace = clock.after(graceMs, () => stopping.abort(new DOMException('The subscription ends.', 'AbortError')))
      while (work.size > 0) await Promise.allSettled([...work])
      void stopGrace()
      stopping.abort(new DOMException('The subscription ends.', 'AbortError'))
      await leases.release(leaseName)
    },
  }
}
