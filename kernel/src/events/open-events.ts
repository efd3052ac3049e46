import type { Logger } from '@agent-service/sdk'
import type { HttpRoute, ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { EventInput, Events } from '@agent-service/sdk/services/events'
import type { KernelDatabase } from '../database/open/kernel-database.js'
import { eventMisnamedError, tooManyEventsError } from './errors.js'
import { createEventConnection, type EventConnection, type EventQueueLimits } from './event-connection.js'
import { createEventHubs, type EventHubLimits } from './event-hubs.js'
import { createEventNumbers, eventNumber, numbersPerRevision } from './event-numbers.js'
import type { EventOutbox } from './event-outbox.js'
import { eventState } from './event-records.js'
import { createEventRoutes } from './event-routes.js'
import { createEventStore } from './event-store.js'
import type { EventStreams } from './event-streams.js'
import { type EventTypes, isDeltaName } from './event-types.js'
import { createEventUserData } from './event-user-data.js'
import { type PublishedEvent, publishedEvent } from './published-event.js'

/** What events are made of. */
export interface EventsDependencies {
  /** The kernel's own view, opened with `eventCollections` among the rest. */
  readonly database: Database
  readonly kernelDatabase: Pick<KernelDatabase, 'kernelView'>
  readonly clock: Clock
  readonly log: Logger
  readonly types: EventTypes
  /** Default: none. */
  readonly outbox?: EventOutbox
  /** `server.sse_pending_events_secs`. */
  readonly retentionSeconds: number
  readonly limits?: Partial<EventHubLimits & { readonly queueEvents: number; readonly queueBytes: number }>
}

/** The publishing side, for all plugins. */
export type EventPublisher = Pick<Events, 'record' | 'publishDelta' | 'position'>

/** The users' streams, both sides. */
export interface OpenedEvents {
  readonly events: EventPublisher
  readonly streams: EventStreams
  readonly routes: readonly HttpRoute[]
  readonly jobs: readonly SchedulerJob[]
  readonly userData: readonly UserData[]
  /** How many users take memory at the moment. */
  activeUsers(): number
  /** Stops every timer. Open connections end with their own signals. */
  close(): void
}

/** What is older is read from the store, where somebody wants it. */
const defaultHubLimits: EventHubLimits = { tailEvents: 128, tailBytes: 2 ** 20, totalBytes: 16 * 2 ** 20 }
const defaultQueueLimits: EventQueueLimits = { events: 4096, bytes: 8 * 2 ** 20 }

/** Opens the streams. Makes one commit, so that every number from now on is above all that were given out before. */
export async function openEvents(dependencies: EventsDependencies): Promise<OpenedEvents> {
  const { database, kernelDatabase, clock, log, retentionSeconds, outbox } = dependencies
  const limits = { ...defaultHubLimits, ...dependencies.limits }
  const queueLimits: EventQueueLimits = {
    events: dependencies.limits?.queueEvents ?? defaultQueueLimits.events,
    bytes: dependencies.limits?.queueBytes ?? defaultQueueLimits.bytes,
  }
  const retentionMs = retentionSeconds * 1000
  const bootedAt = clock.now()
  const { revision, floor } = await recordBoot(dependencies)
  const numbers = createEventNumbers({ revision, reserve })
  const store = createEventStore({ database, clock, floor })
  const hubs = createEventHubs({ clock, position: numbers.last, idleMs: retentionMs, limits })
  const recorded = new WeakMap<Transaction, EventInput[]>()

  async function reserve(): Promise<void> {
    try {
      await database.transaction(async (transaction) => {
        transaction.put(eventState, { id: 'reservation', reserved_at: new Date(clock.now()).toISOString() })
        kernelDatabase.kernelView(transaction).afterCommit((reserved) => numbers.advance(reserved))
      })
    } catch (error) {
      log.error('A block of event numbers could not be reserved. Deltas are dropped once the present one is used up.', { error })
    }
  }

  const publishCommitted = (revisionOfCommit: number, inputs: readonly EventInput[]): void => {
    inputs.forEach((input, position) => {
      const { number, inOrder } = numbers.ofCommitted(revisionOfCommit, position)
      if (inOrder) hubs.publish(input.userId, publishedEvent(number, input.name, input.data))
      else {
        log.error('An event was committed out of order; its readers are told to read again.', {
          name: input.name,
          number,
          last: numbers.last(),
        })
        hubs.distrust(input.userId)
      }
    })
    outbox?.committed(inputs)
  }

  const events: EventPublisher = {
    record(transaction, event) {
      if (isDeltaName(event.name)) throw eventMisnamedError.create({ name: event.name, kind: 'state' })
      const view = kernelDatabase.kernelView(transaction)
      let inputs = recorded.get(transaction)
      if (!inputs) {
        const first: EventInput[] = []
        inputs = first
        recorded.set(transaction, first)
        view.afterCommit((committed) => publishCommitted(committed, first))
      }
      if (inputs.length >= numbersPerRevision / 2) throw tooManyEventsError.create({ limit: numbersPerRevision / 2 })
      if (retentionSeconds > 0) store.insert(view, event, inputs.length)
      // Where nothing is kept, the commit still needs something to write, so that it has a revision of its own.
      else view.put(eventState, { id: 'reservation', reserved_at: new Date(clock.now()).toISOString() })
      outbox?.keep(view, event, inputs.length)
      inputs.push(event)
    },
    publishDelta(event) {
      if (!isDeltaName(event.name)) throw eventMisnamedError.create({ name: event.name, kind: 'delta' })
      const number = numbers.nextForDelta()
      if (number === undefined) return numbers.last()
      hubs.publish(event.userId, publishedEvent(number, event.name, event.data))
      return number
    },
    position: () => numbers.last(),
  }

  const streams: EventStreams = {
    open(userId, { after, chatId, signal }) {
      if (signal.aborted) return noEvents()
      const joint = numbers.last()
      const tail = hubs.tail(userId)
      const covered = Math.min(tail.coveredFrom(), joint)
      const newest = after === undefined ? [] : tail.after(Math.max(after, covered))
      const connection: EventConnection = createEventConnection({
        clock,
        signal,
        limits: queueLimits,
        chatId,
        opening: opening({ userId, after, joint, covered, newest }),
        openingPosition: joint,
        position: numbers.last,
        onEnd: () => hubs.detach(userId, connection),
      })
      hubs.attach(userId, connection)
      return connection.events
    },
  }

  async function* opening(options: {
    readonly userId: string
    readonly after: number | undefined
    readonly joint: number
    readonly covered: number
    readonly newest: readonly PublishedEvent[]
  }): AsyncIterable<PublishedEvent | 'reset'> {
    const { userId, after, joint, covered, newest } = options
    if (after === undefined) return
    if (retentionSeconds === 0 || after > joint) {
      yield 'reset'
      return
    }
    for await (const event of store.read(userId, { after, until: covered })) {
      yield event
      if (event === 'reset') return
    }
    yield* newest
  }

  /** From when on a user's events are wanted: some time before now, or before the last connection ended while that is not long ago. */
  const keptSince = (userId: string): number => {
    const now = clock.now()
    const { connected, endedAt = bootedAt } = hubs.presence(userId)
    const away = !connected && now < endedAt + retentionMs
    return (away ? Math.min(endedAt, now) : now) - retentionMs
  }

  return {
    events,
    streams,
    routes: createEventRoutes({ streams, types: dependencies.types }),
    jobs: [
      {
        specVersion: 1,
        id: 'kernel.prune-events',
        title: 'Delete events that nobody can resume from any more',
        everySeconds: Math.max(10, Math.min(60, retentionSeconds)),
        run: ({ signal }) => store.prune({ keptSince, signal }),
      },
    ],
    userData: [createEventUserData({ database })],
    activeUsers: () => hubs.size(),
    close: () => hubs.close(),
  }
}

async function* noEvents(): AsyncGenerator<ServerSentEvent> {
  yield* []
}

/** The boot's commit. What a process published without storing cannot be resumed by the next one, which keeps events again. */
async function recordBoot(dependencies: EventsDependencies): Promise<{ readonly revision: number; readonly floor: number }> {
  const { clock, retentionSeconds } = dependencies
  const booted_at = new Date(clock.now()).toISOString()
  const first = await commitState(dependencies, (before) => ({
    id: 'boot',
    booted_at,
    retention_seconds: before?.retention_seconds === 0 ? 0 : retentionSeconds,
    floor: before?.floor ?? 0,
  }))
  if (first.state.retention_seconds === retentionSeconds) return { revision: first.revision, floor: first.state.floor }
  const floor = eventNumber(first.revision, 0)
  const second = await commitState(dependencies, () => ({ id: 'boot', booted_at, retention_seconds: retentionSeconds, floor }))
  return { revision: second.revision, floor }
}

interface BootState {
  readonly id: 'boot'
  readonly booted_at: string
  readonly retention_seconds: number
  readonly floor: number
}

async function commitState(
  { database, kernelDatabase }: EventsDependencies,
  change: (before: BootState | undefined) => BootState,
): Promise<{ readonly revision: number; readonly state: BootState }> {
  let revision = 0
  const state = await database.transaction(async (transaction) => {
    const before = await transaction.get(eventState, 'boot')
    const next = change(before?.id === 'boot' ? before : undefined)
    transaction.put(eventState, next)
    kernelDatabase.kernelView(transaction).afterCommit((committed) => {
      revision = committed
    })
    return next
  })
  return { revision, state }
}
