import { type ControlledClock, createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { openTestDatabase, type TestDatabase } from '@agent-service/kernel-core/database/testing'
import { bootEvents, defaultEventLimits, eventCollections, UserEvents } from '@agent-service/kernel-core/events'
import { createRecordingLog, type RecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import { createDisposableScope, type DisposableScope } from '@agent-service/sdk/host'
import type { Database } from '@agent-service/sdk/services/database'
import type { DeliveredEvent, EventGap, EventSubscription } from '@agent-service/sdk/services/events'
import { leaseCollections, openProcessLeases } from '../../leases/index.js'
import { type EventSubscriptions, KernelEventSubscriptions } from '../kernel-event-subscriptions.js'
import { openRegistrations } from '../registrations.js'
import { subscriptionCollections } from '../subscription-records.js'

/** A store that outlives the processes that use it. */
export interface StoreUnderTest {
  readonly test: TestDatabase
  readonly database: Database
}

export async function openStoreUnderTest(): Promise<StoreUnderTest> {
  const test = await openTestDatabase({ cache: { ttlSeconds: 1, maxEntries: 0 } })
  return { test, database: await test.database.openFor('kernel', [...leaseCollections, ...eventCollections, ...subscriptionCollections]) }
}

/** One process with events and subscriptions. */
export interface ProcessUnderTest {
  readonly clock: ControlledClock
  readonly log: RecordingLog
  readonly events: UserEvents
  readonly subscriptions: EventSubscriptions
  /** Commits one transaction for each text, in this order. */
  record(userId: string, ...texts: readonly string[]): Promise<void>
  subscribe(
    subscription: Omit<EventSubscription, 'names'> & { readonly names?: readonly string[] },
    plugin?: string,
  ): Promise<DisposableScope>
  prune(): Promise<void>
  /** Stops everything in order. */
  end(): Promise<void>
}

/** Starts a process. `shared`: the store reports that other processes may use it too. */
export async function startProcessUnderTest(
  store: StoreUnderTest,
  options: { readonly shared?: boolean; readonly clock?: ControlledClock; readonly retentionSeconds?: number } = {},
): Promise<ProcessUnderTest> {
  const { shared = false, clock = createControlledClock(), retentionSeconds = 60 } = options
  const kernelDatabase = store.test.database
  const database: Database = { ...store.database, shared }
  const log = createRecordingLog()
  const leases = await openProcessLeases({ database, clock, log, plugins: () => ({}) })
  const registrations = await openRegistrations({ database, clock })
  const subscriptions = new KernelEventSubscriptions(database, kernelDatabase, clock, log, leases, registrations)
  const booted = await bootEvents({ database, kernelDatabase, clock, retentionSeconds })
  const settings = { server: { sse_pending_events_secs: retentionSeconds } }
  const events = new UserEvents(database, kernelDatabase, clock, log, settings, booted, subscriptions, defaultEventLimits)
  const scopes: DisposableScope[] = []
  return {
    ...{ clock, log, events, subscriptions },
    async record(userId, ...texts) {
      for (const text of texts)
        await database.transaction(async (transaction) => events.record(transaction, { userId, name: 'note.written', data: { text } }))
    },
    async subscribe(subscription, pluginId = 'notes') {
      const scope = createDisposableScope({ name: pluginId })
      scopes.push(scope)
      await subscriptions.subscribe({ pluginId, scope, runAsPlugin: (work) => work() }, { names: ['note.written'], ...subscription })
      return scope
    },
    async prune() {
      for (const job of subscriptions.jobs) await job.run({ signal: new AbortController().signal, epoch: 1 })
    },
    async end() {
      for (const scope of scopes) await scope.dispose()
      await subscriptions.close()
      events.close()
      await leases.close()
    },
  }
}

/** A handler that records its events, and lets a test wait for them. */
export interface RecordingHandler {
  readonly seen: (DeliveredEvent | EventGap)[]
  /** Texts of the events, and `gap` with the number of lost events. */
  texts(userId?: string): readonly string[]
  /** Resolves after this many events. */
  got(count: number): Promise<void>
  readonly handle: EventSubscription['handle']
}

export function createRecordingHandler(
  react: (event: DeliveredEvent | EventGap, signal: AbortSignal) => Promise<void> | void = () => undefined,
): RecordingHandler {
  const seen: (DeliveredEvent | EventGap)[] = []
  let waiting: { readonly count: number; readonly resolve: () => void }[] = []
  return {
    seen,
    texts: (userId) =>
      seen
        .filter((event) => userId === undefined || event.userId === userId)
        .map((event) => (event.kind === 'gap' ? `gap ${event.lost}` : String(event.data['text']))),
    got: (count) =>
      new Promise((resolve) => {
        if (seen.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    async handle(event, { signal }) {
      seen.push(event)
      for (const { count, resolve } of waiting) if (seen.length >= count) resolve()
      waiting = waiting.filter(({ count }) => seen.length < count)
      await react(event, signal)
    },
  }
}

/** Runs all work that does not wait for something outside. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
