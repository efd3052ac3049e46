import type { JsonObject } from '@agent-service/sdk'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import { defineCollection, type StoredObject } from '@agent-service/sdk/services/database'
import type { EventName } from '@agent-service/sdk/services/events'
import { type ControlledClock, createControlledClock } from '../clock/index.js'
import { createRecordingLog, type RecordingLog } from '../scheduler/recording-log.test.support.js'
import { createFakeDatabase, createFakeDisk, type FakeDisk } from './fake-database.test.support.js'
import { type EventsDependencies, type OpenedEvents, openEvents } from './open-events.js'

/** One process over a disk that outlives it. */
export interface EventsUnderTest extends OpenedEvents {
  readonly clock: ControlledClock
  readonly log: RecordingLog
  readonly disk: FakeDisk
  /** Commits one transaction with these events, all of one user. */
  commit(userId: string, ...events: readonly (readonly [EventName, JsonObject])[]): Promise<void>
  delta(userId: string, data?: JsonObject): number
  prune(): Promise<void>
  database: ReturnType<typeof createFakeDatabase>
}

/** What the events report. */
const changes = defineCollection<StoredObject>()({ name: 'tester.changes', version: 1, indexes: {} })

/** Opens events over a fake database. */
export async function openEventsUnderTest(
  options: {
    readonly disk?: FakeDisk
    readonly clock?: ControlledClock
    readonly retentionSeconds?: number
    readonly limits?: EventsDependencies['limits']
    readonly pause?: () => Promise<void>
  } = {},
): Promise<EventsUnderTest> {
  const { disk = createFakeDisk(), clock = createControlledClock(), retentionSeconds = 60, limits, pause } = options
  const fake = createFakeDatabase(disk, pause)
  const log = createRecordingLog()
  const opened = await openEvents({ ...fake, clock, log, retentionSeconds, ...(limits ? { limits } : {}) })
  return {
    ...opened,
    clock,
    log,
    disk,
    database: fake,
    async commit(userId, ...inputs) {
      await fake.database.transaction(async (transaction) => {
        transaction.put(changes, { id: 'change' })
        for (const [name, data] of inputs) opened.events.record(transaction, { userId, name, data })
      })
    },
    delta: (userId, data = {}) => opened.events.publishDelta({ userId, name: 'text.delta', data }),
    async prune() {
      for (const job of opened.jobs) await job.run({ signal: new AbortController().signal })
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
  readonly comments: string[]
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Starts to read. */
export function readStream(open: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>): StreamReader {
  const controller = new AbortController()
  const seen: SeenEvent[] = []
  const comments: string[] = []
  const events = open(controller.signal)
  const ended = (async () => {
    for await (const event of events) {
      if ('comment' in event) comments.push(event.comment)
      else seen.push({ id: Number(event.id), name: event.event ?? '', data: JSON.parse(event.data) as JsonObject })
    }
  })()
  return {
    seen,
    comments,
    ended,
    async close() {
      controller.abort()
      await ended
    },
  }
}

/** Lets everything run that waits for nothing outside. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
