import type { JsonObject } from '@agent-service/sdk'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { EventName } from '@agent-service/sdk/services/events'
import { type ControlledClock, createControlledClock } from '../../clock/testing/index.js'
import type { KernelDatabase } from '../../database/open/kernel-database.js'
import { createRecordingLog, type RecordingLog } from '../../scheduler/testing/recording-log.js'
import { bootEvents } from '../boot-events.js'
import { defaultEventLimits, type EventLimits, type EventOutbox, UserEvents } from '../user-events.js'
import { openTestStore, type TestStore, testChanges } from './test-store.js'

/** One process over a store that outlives it. */
export interface EventsUnderTest {
  readonly events: UserEvents
  readonly streams: UserEvents
  readonly userData: readonly UserData[]
  activeUsers(): number
  close(): void
  readonly clock: ControlledClock
  readonly log: RecordingLog
  readonly store: TestStore
  /** Commits one transaction with these events, all of one user. */
  commit(userId: string, ...events: readonly (readonly [EventName, JsonObject])[]): Promise<void>
  delta(userId: string, data?: JsonObject): number
  prune(): Promise<void>
}

const noOutbox = { keep: () => undefined, committed: () => undefined }

/** Opens events, over a new or a given store. */
export async function openEventsUnderTest(
  options: {
    readonly store?: TestStore
    readonly clock?: ControlledClock
    readonly retentionSeconds?: number
    readonly limits?: Partial<EventLimits>
    readonly kernelDatabase?: Pick<KernelDatabase, 'kernelView'>
    readonly outbox?: EventOutbox
  } = {},
): Promise<EventsUnderTest> {
  const { store = await openTestStore(), clock = createControlledClock(), retentionSeconds = 60, limits } = options
  const { database, kernelDatabase } = { ...store, ...options }
  const log = createRecordingLog()
  const booted = await bootEvents({ database, kernelDatabase, clock, retentionSeconds })
  const settings = { server: { sse_pending_events_secs: retentionSeconds } }
  const allLimits = { ...defaultEventLimits, ...limits }
  const events = new UserEvents(database, kernelDatabase, clock, log, settings, booted, options.outbox ?? noOutbox, allLimits)
  return {
    ...{ events, streams: events, userData: events.userData },
    activeUsers: () => events.activeUsers(),
    close: () => events.close(),
    clock,
    log,
    store,
    async commit(userId, ...inputs) {
      await database.transaction(async (transaction) => {
        transaction.put(testChanges, { id: 'change' })
        for (const [name, data] of inputs) events.record(transaction, { userId, name, data })
      })
    },
    delta: (userId, data = {}) => events.publishDelta({ userId, name: 'text.delta', data }),
    async prune() {
      for (const job of events.jobs) await job.run({ signal: new AbortController().signal, epoch: 1 })
    },
  }
}

/** An event as a client sees it. */
export interface SeenEvent {
  readonly id: number
  readonly name: string
  readonly data: JsonObject
}

/** Reads a stream in the background, as a client that is never slow. */
export interface StreamReader {
  readonly seen: SeenEvent[]
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Starts to read. */
export function readStream(open: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>): StreamReader {
  const controller = new AbortController()
  const seen: SeenEvent[] = []
  const events = open(controller.signal)
  const ended = (async () => {
    for await (const event of events) {
      if (!('comment' in event)) seen.push({ id: Number(event.id), name: event.event ?? '', data: JSON.parse(event.data) as JsonObject })
    }
  })()
  return {
    seen,
    ended,
    async close() {
      controller.abort()
      await ended
    },
  }
}

/** Runs all work that does not wait for something outside. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
