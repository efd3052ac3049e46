import type { Logger } from '@agent-service/sdk'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { EventInput, Events, PluginEvents } from '@agent-service/sdk/services/events'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import { type Configuration, configurationToken } from '../config/index.js'
import { createUnexportedData } from '../database/collections/unexported-data.js'
import { databaseToken, type KernelDatabase, ownDatabaseToken } from '../database/open/kernel-database.js'
import type { MetricSource } from '../metrics/metric-source.js'
import { clockToken, loggerToken } from '../process/tokens.js'
import { type BootedEvents, bootedEventsToken } from './boot-events.js'
import { eventMisnamedError, tooManyEventsError } from './errors.js'
import { createEventConnection, type EventConnection, type EventQueueLimits } from './event-connection.js'
import { createEventCounts } from './event-counts.js'
import { createEventHubs, type EventHubLimits, type EventHubs } from './event-hubs.js'
import { createEventNumbers, type EventNumbers, numbersPerRevision } from './event-numbers.js'
import { eventFloors, eventState, storedEvents } from './event-records.js'
import { createEventStore, type EventStore } from './event-store.js'
import { isDeltaName } from './event-types.js'
import { type PublishedEvent, publishedEvent } from './published-event.js'

/** Limits of the events in memory. */
export type EventLimits = EventHubLimits & { readonly queueEvents: number; readonly queueBytes: number }

export const eventLimitsToken: InjectionToken<EventLimits> = Symbol('event-limits')

/** Older events are read from the store. */
export const defaultEventLimits: EventLimits = {
  ...{ tailEvents: 128, tailBytes: 2 ** 20, totalBytes: 16 * 2 ** 20 },
  ...{ queueEvents: 4096, queueBytes: 8 * 2 ** 20 },
}

/** How many users get an announcement with one commit. */
const usersPerCommit = 200

/** The publishing side, for all plugins. */
export type EventPublisher = Pick<Events, 'record' | 'publishDelta' | 'position'> & Pick<PluginEvents, 'announce'>

export const eventsToken: InjectionToken<EventPublisher> = Symbol('events')

/** The reading side of the users' streams. */
export interface EventStreams {
  /**
   * One connection's events: first the events after `after`, or `event: reset` if they are not
   * complete, then live events. Ends when the signal is aborted. A reader
   * that falls too far behind gets `reset` and the end.
   */
  open(
    userId: string,
    options: { readonly after?: number; readonly chatId?: string; readonly signal: AbortSignal },
  ): AsyncIterable<ServerSentEvent>
}

/** Keeps state events for subscriptions, independent of the streams. */
export interface EventOutbox {
  /**
   * Called while the transaction runs, with the event's index in its commit. Kept events are
   * written with the transaction. Never waits.
   */
  keep(transaction: Transaction, event: EventInput, position: number): void
  /** Called after the commit, in commit order. Never waits, never throws. */
  committed(events: readonly EventInput[]): void
}

export const eventOutboxToken: InjectionToken<EventOutbox> = Symbol('event-outbox')

/** The users' streams, both sides. */
@injectable()
export class UserEvents implements EventPublisher, EventStreams {
  readonly jobs: readonly SchedulerJob[]
  readonly userData: readonly UserData[]
  readonly #log: Logger
  readonly #retentionSeconds: number
  readonly #queueLimits: EventQueueLimits
  readonly #bootedAt: number
  readonly #numbers: EventNumbers
  readonly #store: EventStore
  readonly #hubs: EventHubs
  readonly #counts = createEventCounts()
  readonly metrics: readonly MetricSource[] = this.#counts.metrics
  readonly #recorded = new WeakMap<Transaction, EventInput[]>()

  constructor(
    @inject(ownDatabaseToken) private readonly database: Database,
    @inject(databaseToken) private readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>,
    @inject(clockToken) private readonly clock: Clock,
    @inject(loggerToken) log: Logger,
    @inject(configurationToken) { server }: { readonly server: Pick<Configuration['server'], 'sse_pending_events_secs'> },
    @inject(bootedEventsToken) { revision, floor }: BootedEvents,
    @inject(eventOutboxToken) private readonly outbox: EventOutbox,
    @inject(eventLimitsToken) limits: EventLimits,
  ) {
    const seconds = server.sse_pending_events_secs
    this.#log = log.child({ module: 'events' })
    this.#retentionSeconds = seconds
    this.#queueLimits = { events: limits.queueEvents, bytes: limits.queueBytes }
    this.#bootedAt = clock.now()
    this.#numbers = createEventNumbers({ revision, reserve: () => this.#reserve() })
    this.#store = createEventStore({ database, clock, floor })
    this.#hubs = createEventHubs({ clock, position: this.#numbers.last, idleMs: seconds * 1000, limits })
    const stored = createUnexportedData(database, 'kernel-events', [storedEvents])
    this.userData = [
      {
        ...stored,
        collections: [storedEvents.name, eventFloors.name],
        erase: async (userId, options) => {
          await stored.erase(userId, options)
          await database.collection(eventFloors).delete(userId)
          this.#hubs.forget(userId)
        },
      },
    ]
    this.jobs = [
      {
        specVersion: 1,
        id: 'kernel.prune-events',
        title: 'Delete events that no client can resume from',
        everySeconds: Math.max(10, Math.min(60, seconds)),
        run: ({ signal }) => this.#store.prune({ keptSince: (userId) => this.#keptSince(userId), signal }),
      },
    ]
  }

  record(transaction: Transaction, event: EventInput): void {
    if (isDeltaName(event.name)) throw eventMisnamedError.create({ name: event.name, kind: 'state' })
    const view = this.kernelDatabase.kernelView(transaction)
    let inputs = this.#recorded.get(transaction)
    if (!inputs) {
      const first: EventInput[] = []
      inputs = first
      this.#recorded.set(transaction, first)
      view.afterCommit((committed) => this.#publishCommitted(committed, first))
    }
    if (inputs.length >= numbersPerRevision / 2) throw tooManyEventsError.create({ limit: numbersPerRevision / 2 })
    if (this.#retentionSeconds > 0) this.#store.insert(view, event, inputs.length)
    // Even if no events are kept, the commit must write something to get a revision of its own.
    else view.put(eventState, { id: 'reservation', reserved_at: this.#timestamp() })
    this.outbox.keep(view, event, inputs.length)
    inputs.push(event)
  }

  publishDelta(event: EventInput): number {
    if (!isDeltaName(event.name)) throw eventMisnamedError.create({ name: event.name, kind: 'delta' })
    const number = this.#numbers.nextForDelta()
    if (number === undefined) return this.#numbers.last()
    this.#counts.published(event.name)
    this.#hubs.publish(event.userId, publishedEvent(number, event.name, event.data))
    return number
  }

  async announce({ name, data }: Omit<EventInput, 'userId'>): Promise<void> {
    const users = this.#hubs.users()
    for (let from = 0; from < users.length; from += usersPerCommit) {
      const some = users.slice(from, from + usersPerCommit)
      await this.database.transaction(async (transaction) => {
        for (const userId of some) this.record(transaction, { userId, name, data })
      })
    }
  }

  position(_userId?: string): number {
    return this.#numbers.last()
  }

  open(userId: string, { after, chatId, signal }: Parameters<EventStreams['open']>[1]): AsyncIterable<ServerSentEvent> {
    if (signal.aborted) return noEvents()
    const joint = this.#numbers.last()
    const tail = this.#hubs.tail(userId)
    const covered = Math.min(tail.coveredFrom(), joint)
    const newest = after === undefined ? [] : tail.after(Math.max(after, covered))
    const ended = this.#counts.opened()
    const connection: EventConnection = createEventConnection({
      signal,
      limits: this.#queueLimits,
      chatId,
      opening: this.#opening({ userId, after, joint, covered, newest }),
      openingPosition: joint,
      position: this.#numbers.last,
      onReset: (reason) => this.#counts.reset(reason),
      onEnd: () => {
        ended()
        this.#hubs.detach(userId, connection)
      },
    })
    this.#hubs.attach(userId, connection)
    return connection.events
  }

  /** How many users take memory at the moment. */
  activeUsers(): number {
    return this.#hubs.size()
  }

  /** Stops every timer. Open connections end with their own signals. */
  close(): void {
    this.#hubs.close()
  }

  #timestamp(): string {
    return new Date(this.clock.now()).toISOString()
  }

  async #reserve(): Promise<void> {
    try {
      await this.database.transaction(async (transaction) => {
        transaction.put(eventState, { id: 'reservation', reserved_at: this.#timestamp() })
        this.kernelDatabase.kernelView(transaction).afterCommit((reserved) => this.#numbers.advance(reserved))
      })
    } catch (error) {
      this.#log.error('A block of event numbers could not be reserved. Deltas are dropped once the current one is used up.', { error })
    }
  }

  #publishCommitted(revision: number, inputs: readonly EventInput[]): void {
    for (const [position, { name, userId, data }] of inputs.entries()) {
      this.#counts.published(name)
      const { number, inOrder } = this.#numbers.ofCommitted(revision, position)
      if (inOrder) this.#hubs.publish(userId, publishedEvent(number, name, data))
      else {
        const last = this.#numbers.last()
        this.#log.error('An event was committed out of order; its readers get a reset.', { name, number, last })
        this.#hubs.resetReaders(userId)
      }
    }
    this.outbox.committed(inputs)
  }

  async *#opening(options: {
    readonly userId: string
    readonly after: number | undefined
    readonly joint: number
    readonly covered: number
    readonly newest: readonly PublishedEvent[]
  }): AsyncIterable<PublishedEvent | 'reset'> {
    const { userId, after, joint, covered, newest } = options
    if (after === undefined) return
    if (this.#retentionSeconds === 0 || after > joint) {
      yield 'reset'
      return
    }
    for await (const event of this.#store.read(userId, { after, until: covered })) {
      yield event
      if (event === 'reset') return
    }
    yield* newest
  }

  /**
   * The time since which a user's events are kept: the retention before now, or before the end of a
   * recent last connection.
   */
  #keptSince(userId: string): number {
    const retentionMs = this.#retentionSeconds * 1000
    const now = this.clock.now()
    const { connected, endedAt = this.#bootedAt } = this.#hubs.presence(userId)
    const away = !connected && now < endedAt + retentionMs
    return (away ? Math.min(endedAt, now) : now) - retentionMs
  }
}

async function* noEvents(): AsyncGenerator<ServerSentEvent> {
  yield* []
}
