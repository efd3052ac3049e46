import type { Disposer, Logger } from '@agent-service/sdk'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { DisposableScope } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { EventSubscription } from '@agent-service/sdk/services/events'
import type { EventOutbox } from '../events/index.js'
import type { MetricSource } from '../http/metric-source.js'
import type { ProcessLeases } from '../leases/index.js'
import type { DeliveryDependencies } from './deliver-event.js'
import { subscriptionInvalidError } from './errors.js'
import { createKeptEvents } from './kept-events.js'
import { pruneKeptEvents } from './prune-kept-events.js'
import { openRegistrations } from './registrations.js'
import { createSubscriptionCounts } from './subscription-counts.js'
import { subscriptionOptions } from './subscription-options.js'
import { createSubscriptionUserData } from './subscription-user-data.js'
import { type TakenUp, takeUp } from './take-up.js'

/** A plugin that subscribes. */
export interface Subscriber {
  readonly pluginId: string
  /** The subscriptions end with it. */
  readonly scope: DisposableScope
  readonly runAsPlugin: DeliveryDependencies['runAsPlugin']
}

/** The durable subscriptions of a deployment. */
export interface EventSubscriptions {
  /** Where events are kept for them. */
  readonly outbox: EventOutbox
  subscribe(subscriber: Subscriber, subscription: EventSubscription): Promise<Disposer>
  unsubscribe(pluginId: string, id: string): Promise<void>
  readonly jobs: readonly SchedulerJob[]
  readonly userData: readonly UserData[]
  readonly metrics: readonly MetricSource[]
  /** Ends all of them. May be called again. */
  close(): Promise<void>
}

/** How soon other processes of a deployment know of a new subscription, in milliseconds. */
const refreshMs = 5_000

/** Opens them. From then on events are kept, also for plugins that do not run yet. */
export async function openEventSubscriptions(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  readonly leases: ProcessLeases
  /** Of the newest commit that this process knows of. */
  readonly revision: () => number
}): Promise<EventSubscriptions> {
  const { database, clock, log, leases } = dependencies
  const registrations = await openRegistrations({ database, clock })
  const kept = createKeptEvents(dependencies)
  const counts = createSubscriptionCounts()
  const takenUp = new Map<string, TakenUp>()
  const refreshing = database.shared ? repeat(clock, refreshMs, log, () => registrations.refresh()) : () => Promise.resolve()

  const stop = async (name: string, subscription: TakenUp): Promise<void> => {
    await subscription.stop()
    if (takenUp.get(name) === subscription) takenUp.delete(name)
  }

  return {
    outbox: {
      keep(transaction, event, position) {
        const subscriptions = registrations.wanting(event.name)
        if (subscriptions.length > 0) kept.insert(transaction, event, position, subscriptions)
      },
      committed(events) {
        if (takenUp.size === 0) return
        for (const { name, userId } of events) {
          for (const subscription of registrations.wanting(name)) takenUp.get(subscription)?.wake(userId)
        }
      },
    },
    async subscribe({ pluginId, scope, runAsPlugin }, given) {
      const options = subscriptionOptions(given)
      const name = `${pluginId}/${options.id}`
      if (takenUp.has(name)) throw subscriptionInvalidError.create({ id: options.id, reason: 'the plugin has taken it up already' })
      await registrations.register(name, options)
      scope.signal.throwIfAborted()
      const subscription = takeUp({
        ...{ subscription: name, options, kept, clock, leases, counts, registrations, runAsPlugin },
        log: log.child({ plugin: pluginId, subscription: options.id }),
        shared: database.shared,
      })
      takenUp.set(name, subscription)
      const own = scope.child(`event subscription ${options.id}`)
      own.add('delivery', () => stop(name, subscription))
      return async () => {
        await own.dispose()
      }
    },
    async unsubscribe(pluginId, id) {
      const name = `${pluginId}/${id}`
      const subscription = takenUp.get(name)
      if (subscription) await stop(name, subscription)
      await registrations.remove(name)
    },
    jobs: [
      {
        specVersion: 1,
        id: 'kernel.prune-kept-events',
        title: 'Hold event subscriptions to their bounds',
        everySeconds: 60,
        timeoutSeconds: 300,
        async run({ signal }) {
          for (const name of takenUp.keys()) await registrations.touch(name)
          await pruneKeptEvents({ database, clock, kept, registrations, counts }, signal)
        },
      },
    ],
    userData: [createSubscriptionUserData({ database })],
    metrics: counts.metrics,
    async close() {
      await refreshing()
      for (const [name, subscription] of [...takenUp]) await stop(name, subscription)
    },
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
        .catch((error: unknown) => log.error('The event subscriptions of other processes could not be read.', { error }))
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
