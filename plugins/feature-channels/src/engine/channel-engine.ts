import type { EventSubscription } from '@agent-service/sdk/services/events'
import { createLaneWorker, type LaneWorker } from '../common/lane-worker.js'
import { maxConcurrentSends } from '../common/limits.js'
import { drainInbox } from '../inbox/process-message.js'
import { createHostFactory } from '../inbox/receive.js'
import { drainOutbox } from '../outbox/send-deliveries.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { createRunSubscription } from '../runs/run-events.js'
import type { OpenSession } from '../sessions/open-session.js'
import { createSessionManager } from '../sessions/session-manager.js'
import { createTyping } from '../sessions/typing.js'
import { deliveryCollection } from '../store/delivery.js'
import { inboxCollection } from '../store/inbox.js'
import { linesOf } from '../store/lines.js'

/**
 * What moves messages in this process: sessions, and for each connection that is looked after here the
 * workers of what came and of what goes out. All of its state is in the store.
 */
export interface ChannelEngine {
  /** Begins, with what an earlier process left, once the plugins have started. */
  begin(): void
  /** A connection or its people have changed. */
  refresh(connectionId: string): Promise<void>
  /** A line of a connection has something to send. */
  onDelivery(connectionId: string, line: string): void
  session(connectionId: string): OpenSession | undefined
  /** Follows the runs of conversations. */
  readonly subscription: EventSubscription
  counts(): Readonly<Record<string, number>>
  /** Begins nothing more, closes every session, and leaves what is open to the next process. */
  end(): Promise<void>
}

interface Workers {
  readonly inbox: LaneWorker
  readonly outbox: LaneWorker
}

export function createChannelEngine(parts: ChannelParts, pollMs: number): ChannelEngine {
  const { database, clock, log } = parts
  const workers = new Map<string, Workers>()
  const session = (id: string): OpenSession | undefined => manager.find(id)
  const typing = createTyping({ parts, session })
  const onDelivery = (connectionId: string, line: string): void => workers.get(connectionId)?.outbox.wake(line)
  const processing = { parts, typing, session, onDelivery }

  const workersOf = (id: string): Workers => {
    const known = workers.get(id)
    if (known) return known
    const base = { maxConcurrent: maxConcurrentSends, clock, log }
    const made: Workers = {
      inbox: createLaneWorker({
        ...base,
        lines: () => linesOf(database, inboxCollection, id),
        drain: (line, signal) => drainInbox(processing, line, signal),
      }),
      outbox: createLaneWorker({
        ...base,
        lines: () => linesOf(database, deliveryCollection, id),
        drain: (line, signal) => drainOutbox({ parts, session }, line, signal),
      }),
    }
    workers.set(id, made)
    return made
  }
  const manager = createSessionManager({
    ...{ parts, pollMs },
    hostOf: createHostFactory(parts, (id, lines) => {
      for (const line of lines) workers.get(id)?.inbox.wake(line)
      // A code for a person who asks to be let in.
      workers.get(id)?.outbox.wake()
    }),
    onWork(id) {
      const { inbox, outbox } = workersOf(id)
      inbox.wake()
      outbox.wake()
    },
    async onGone(id) {
      const gone = workers.get(id)
      workers.delete(id)
      await Promise.all([gone?.inbox.end(), gone?.outbox.end()])
    },
  })
  return {
    begin() {
      manager
        .begin()
        .catch((error: unknown) => log.error('Connections to channels could not be taken up; the next poll tries again.', { error }))
    },
    refresh: (id) => manager.refresh(id),
    onDelivery,
    session,
    subscription: createRunSubscription({ parts, typing, onDelivery }),
    counts: () => manager.counts(),
    async end() {
      typing.end()
      await manager.end()
    },
  }
}
