import { allOf, createUnexportedData } from '@agent-service/kernel-core/database/collections'
import { databaseToken, type KernelDatabase, ownDatabaseToken } from '@agent-service/kernel-core/database/open'
import type { EventOutbox } from '@agent-service/kernel-core/events'
import { leasesToken, type ProcessLeases } from '@agent-service/kernel-core/leases'
import type { MetricSource } from '@agent-service/kernel-core/metrics'
import { clockToken, loggerToken } from '@agent-service/kernel-core/process'
import type { Disposer, Logger } from '@agent-service/sdk'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { DisposableScope } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { EventInput, EventSubscription } from '@agent-service/sdk/services/events'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import { type ActiveSubscription, startSubscription } from './active-subscription.js'
import type { DeliveryDependencies } from './deliver-event.js'
import { subscriptionInvalidError } from './errors.js'
import { createKeptEvents, type KeptEvents } from './kept-events.js'
import { pruneKeptEvents } from './prune-kept-events.js'
import { type Registrations, registrationsToken } from './registrations.js'
import { createSubscriptionCounts } from './subscription-counts.js'
import { subscriptionOptions } from './subscription-options.js'
import { keptCollection, setAsideCollection } from './subscription-records.js'

/** A plugin that subscribes. */
export interface Subscriber {
  readonly pluginId: string
  /** The subscriptions end with this scope. */
  readonly scope: DisposableScope
  readonly runAsPlugin: DeliveryDependencies['runAsPlugin']
}

/** The durable subscriptions of a deployment. As an outbox it keeps events for them. */
export interface EventSubscriptions extends EventOutbox {
  subscribe(subscriber: Subscriber, subscription: EventSubscription): Promise<Disposer>
  unsubscribe(pluginId: string, id: string): Promise<void>
  /** Forgets the subscriptions of a plugin that does not run, and its events that were set aside. */
  discardOf(pluginId: string, options: { readonly signal: AbortSignal }): Promise<void>
  /**
   * Hands the subscriptions of a plugin to another one; neither runs. Events that waited are
   * dropped, and the handlers are informed that events may be missing.
   */
  handOver(from: string, to: string): Promise<void>
  readonly jobs: readonly SchedulerJob[]
  readonly userData: readonly UserData[]
  readonly metrics: readonly MetricSource[]
  /** Stops all subscriptions. May be called again. */
  close(): Promise<void>
}

export const eventSubscriptionsToken: InjectionToken<EventSubscriptions> = Symbol('event-subscriptions')

/** How soon other processes of a deployment notice a new subscription, in milliseconds. */
const refreshMs = 5_000

/**
 * The subscriptions of one kernel. Events are kept from the start, also for plugins that do not run
 * yet.
 */
@injectable()
export class KernelEventSubscriptions implements EventSubscriptions {
  readonly jobs: readonly SchedulerJob[]
  readonly userData: readonly UserData[]
  readonly metrics: readonly MetricSource[]
  readonly #log: Logger
  readonly #kept: KeptEvents
  readonly #counts = createSubscriptionCounts()
  readonly #active = new Map<string, ActiveSubscription>()
  readonly #stopRefreshing: () => Promise<void>

  constructor(
    @inject(ownDatabaseToken) private readonly database: Database,
    @inject(databaseToken) kernelDatabase: Pick<KernelDatabase, 'revision'>,
    @inject(clockToken) private readonly clock: Clock,
    @inject(loggerToken) log: Logger,
    @inject(leasesToken) private readonly leases: ProcessLeases,
    @inject(registrationsToken) private readonly registrations: Registrations,
  ) {
    this.#log = log.child({ module: 'events' })
    this.#kept = createKeptEvents({ database, clock, leases, revision: () => kernelDatabase.revision() })
    this.#stopRefreshing = database.shared ? repeat(clock, refreshMs, this.#log, () => registrations.refresh()) : () => Promise.resolve()
    this.userData = [createUnexportedData(database, 'kernel-event-subscriptions', [keptCollection, setAsideCollection])]
    this.metrics = this.#counts.metrics
    this.jobs = [
      {
        specVersion: 1,
        id: 'kernel.prune-kept-events',
        title: 'Apply the limits of event subscriptions',
        everySeconds: 60,
        timeoutSeconds: 300,
        run: ({ signal }) => this.#prune(signal),
      },
    ]
  }

  keep(transaction: Transaction, event: EventInput, position: number): void {
    const subscriptions = this.registrations.subscribersOf(event.name)
    if (subscriptions.length > 0) this.#kept.insert(transaction, event, position, subscriptions)
  }

  committed(events: readonly EventInput[]): void {
    if (this.#active.size === 0) return
    for (const { name, userId } of events)
      for (const subscription of this.registrations.subscribersOf(name)) this.#active.get(subscription)?.wake(userId)
  }

  async subscribe({ pluginId, scope, runAsPlugin }: Subscriber, given: EventSubscription): Promise<Disposer> {
    const { database, clock, leases, registrations } = this
    const options = subscriptionOptions(given)
    const name = `${pluginId}/${options.id}`
    if (this.#active.has(name)) throw subscriptionInvalidError.create({ id: options.id, reason: 'the plugin has already opened it' })
    await registrations.register(name, options)
    scope.signal.throwIfAborted()
    const subscription = startSubscription({
      ...{ subscription: name, options, clock, leases, registrations, runAsPlugin, kept: this.#kept, counts: this.#counts },
      log: this.#log.child({ plugin: pluginId, subscription: options.id }),
      shared: database.shared,
    })
    this.#active.set(name, subscription)
    const own = scope.child(`event subscription ${options.id}`)
    own.add('delivery', () => this.#stop(name, subscription))
    return async () => {
      await own.dispose()
    }
  }

  async unsubscribe(pluginId: string, id: string): Promise<void> {
    const name = `${pluginId}/${id}`
    const subscription = this.#active.get(name)
    if (subscription) await this.#stop(name, subscription)
    await this.registrations.remove(name)
  }

  async discardOf(pluginId: string, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    await this.registrations.refresh()
    for (const id of this.registrations.idsOf(pluginId)) await this.registrations.remove(id)
    const setAside = this.database.collection(setAsideCollection)
    for await (const { id, subscription } of allOf(setAside, { index: 'by_time' }, signal))
      if (subscription.startsWith(`${pluginId}/`)) await setAside.delete(id)
  }

  async handOver(from: string, to: string): Promise<void> {
    await this.registrations.refresh()
    for (const id of this.registrations.idsOf(from)) await this.registrations.rename(id, `${to}/${id.slice(from.length + 1)}`)
  }

  async close(): Promise<void> {
    await this.#stopRefreshing()
    for (const [name, subscription] of [...this.#active]) await this.#stop(name, subscription)
  }

  async #stop(name: string, subscription: ActiveSubscription): Promise<void> {
    await subscription.stop()
    if (this.#active.get(name) === subscription) this.#active.delete(name)
  }

  async #prune(signal: AbortSignal): Promise<void> {
    const { database, clock, registrations } = this
    for (const name of this.#active.keys()) await registrations.touch(name)
    await pruneKeptEvents({ database, clock, registrations, kept: this.#kept, counts: this.#counts }, signal)
  }
}

/** Runs work again and again, `milliseconds` after its end. The result ends it. */
function repeat(clock: Clock, milliseconds: number, log: Logger, work: () => Promise<void>): () => Promise<void> {
  let ended = false
  let current: Promise<void> = Promise.resolve()
  let stopTimer: Disposer = () => undefined
  const next = (): void => {
    stopTimer = clock.after(milliseconds, () => {
      current = work()
        .catch((error: unknown) => log.error('The event subscriptions of other processes could not be read; retrying.', { error }))
        .finally(() => {
          if (!ended) next()
        })
    })
  }
  next()
  return async () => {
    ended = true
    void stopTimer()
    await current
  }
}
