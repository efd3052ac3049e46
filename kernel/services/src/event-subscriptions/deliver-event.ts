import type { Lease } from '@agent-service/kernel-core/leases'
import type { Logger } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { DeliveredEvent, EventGap } from '@agent-service/sdk/services/events'
import { handlerTimeoutError } from './errors.js'
import type { KeptEvents, WaitingEvent } from './kept-events.js'
import type { SubscriptionCounts } from './subscription-counts.js'
import type { SubscriptionOptions } from './subscription-options.js'
import type { KeptRecord } from './subscription-records.js'

/** The result of a delivery: the event is settled, or must be retried after a delay. */
export type Delivery = 'settled' | { readonly retryMs: number }

const firstRetryMs = 1_000
const maxRetryMs = 60_000
const maxErrorLength = 2_000

/** The dependencies of a delivery. */
export interface DeliveryDependencies {
  /** `<plugin>/<id>`. */
  readonly subscription: string
  readonly options: SubscriptionOptions
  readonly kept: KeptEvents
  readonly clock: Clock
  readonly log: Logger
  readonly counts: SubscriptionCounts
  /** Runs the plugin's code: errors that escape from it are attributed to the plugin. */
  readonly runAsPlugin: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** How one event is delivered. */
export interface DeliveryOptions {
  readonly lease: Lease
  readonly signal: AbortSignal
  /**
   * Stores the attempt before it begins, because a process may have crashed while it handled this
   * event. So an event that crashes the process each time is set aside in the end.
   */
  readonly countBefore: boolean
}

/**
 * Passes one event to the handler, once, and stores the result. A stop is not a failure: the event
 * is delivered again.
 * @throws the errors of the store, and the signal's reason.
 */
export async function deliverEvent(dependencies: DeliveryDependencies, event: WaitingEvent, how: DeliveryOptions): Promise<Delivery> {
  const { subscription, options, kept, counts } = dependencies
  const { lease, signal, countBefore } = how
  const record = await kept.get(event.id, subscription)
  signal.throwIfAborted()
  if (!record) return 'settled'
  const failures = record.attempts[subscription] ?? 0
  const attempt = failures + 1
  if (failures >= options.maxAttempts) return setAside(dependencies, event, lease, failures, crashed)
  if (countBefore) await kept.noteAttempts(event, subscription, attempt, lease)
  try {
    await handle(dependencies, handledEvent(record, attempt), signal)
  } catch (error) {
    if (signal.aborted && countBefore) await kept.noteAttempts(event, subscription, failures, lease)
    signal.throwIfAborted()
    counts.failed(subscription)
    return failed(dependencies, event, lease, attempt, error)
  }
  await kept.acknowledge(event, subscription, lease)
  counts.handled(subscription)
  return 'settled'
}

const crashed = 'The process crashed each time that it was handled.'

async function failed(
  dependencies: DeliveryDependencies,
  event: WaitingEvent,
  lease: Lease,
  attempt: number,
  error: unknown,
): Promise<Delivery> {
  const { subscription, options, kept, log } = dependencies
  if (attempt >= options.maxAttempts) return setAside(dependencies, event, lease, attempt, error)
  const retryMs = retryMsOf(attempt)
  log.warn('An event could not be handled; retrying.', { event: event.id, attempt, retry_ms: retryMs, error })
  await kept.noteAttempts(event, subscription, attempt, lease)
  return { retryMs }
}

async function setAside(
  { subscription, kept, counts, log }: DeliveryDependencies,
  event: WaitingEvent,
  lease: Lease,
  attempts: number,
  error: unknown,
): Promise<Delivery> {
  log.error('An event could not be handled and was set aside; delivery continues with the next.', { event: event.id, attempts, error })
  await kept.setAside(event, subscription, { attempts, error: describe(error) }, lease)
  counts.setAside(subscription)
  return 'settled'
}

/**
 * Calls the handler with its time limit.
 * @throws its error, `event_handler_timeout`, and the signal's reason.
 */
export async function handle(
  dependencies: Pick<DeliveryDependencies, 'options' | 'clock' | 'subscription' | 'runAsPlugin'>,
  event: DeliveredEvent | EventGap,
  signal: AbortSignal,
): Promise<void> {
  const { options, clock, subscription, runAsPlugin } = dependencies
  await withTimeLimit((within) => runAsPlugin(async () => options.handle(event, { signal: within })), {
    ...{ signal, clock, limitMs: options.timeoutSeconds * 1000 },
    timedOut: () => handlerTimeoutError.create({ id: subscription, seconds: options.timeoutSeconds }),
  })
}

function handledEvent(record: KeptRecord, attempt: number): DeliveredEvent | EventGap {
  const { id, user_id: userId } = record
  if (record.kind === 'gap')
    return { kind: 'gap', id: `${id}/${record.number}`, userId, lost: record.lost, until: record.recorded_at, attempt }
  return { kind: 'event', id, userId, name: record.name, data: record.data, recordedAt: record.recorded_at, attempt }
}

/** 1 s, 2 s, 4 s, … */
export const retryMsOf = (attempt: number): number => Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(attempt - 1, 10))

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength)
