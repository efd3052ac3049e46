import type { Disposer } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { EventConnection } from './event-connection.js'
import { createEventTail, type EventTail } from './event-tail.js'
import { createFanOut } from './fan-out.js'
import type { PublishedEvent } from './published-event.js'

/** Limits of the events in memory. */
export interface EventHubLimits {
  /** The newest events of one user. */
  readonly tailEvents: number
  readonly tailBytes: number
  /** Of all tails together. */
  readonly totalBytes: number
}

export type EventHubs = ReturnType<typeof createEventHubs>

interface Hub {
  readonly tail: EventTail
  readonly connections: Set<EventConnection>
  endedAt: number | undefined
  activeAt: number
  stopIdleTimer: Disposer | undefined
}

/**
 * The users who are connected or got an event recently. Others take no memory. `position` is the
 * newest number; a hub is dropped `idleMs` after its last event and connection.
 */
export function createEventHubs(options: {
  readonly clock: Clock
  readonly position: () => number
  readonly idleMs: number
  readonly limits: EventHubLimits
}) {
  const { clock, position, idleMs, limits } = options
  // In order of the last publication, so that the oldest tails are dropped first.
  const hubs = new Map<string, Hub>()
  const fanOut = createFanOut()
  let totalBytes = 0

  const drop = (userId: string, hub: Hub): void => {
    void hub.stopIdleTimer?.()
    totalBytes -= hub.tail.bytes()
    hubs.delete(userId)
  }

  const watchIdle = (userId: string, hub: Hub): void => {
    if (hub.connections.size > 0 || hub.stopIdleTimer) return
    const left = hub.activeAt + idleMs - clock.monotonic()
    if (left <= 0) {
      drop(userId, hub)
      return
    }
    hub.stopIdleTimer = clock.after(left, () => {
      hub.stopIdleTimer = undefined
      watchIdle(userId, hub)
    })
  }

  const hubOf = (userId: string): Hub => {
    const known = hubs.get(userId)
    if (known) return known
    const hub: Hub = {
      tail: createEventTail(position(), { events: limits.tailEvents, bytes: limits.tailBytes }),
      connections: new Set(),
      endedAt: undefined,
      activeAt: clock.monotonic(),
      stopIdleTimer: undefined,
    }
    hubs.set(userId, hub)
    return hub
  }

  const keep = (userId: string, hub: Hub, event: PublishedEvent): void => {
    totalBytes -= hub.tail.bytes()
    hub.tail.add(event)
    totalBytes += hub.tail.bytes()
    hubs.delete(userId)
    hubs.set(userId, hub)
    if (totalBytes <= limits.totalBytes) return
    for (const other of hubs.values()) {
      totalBytes -= other.tail.bytes()
      other.tail.clear(position())
      if (totalBytes <= limits.totalBytes) return
    }
  }

  return {
    publish(userId: string, event: PublishedEvent): void {
      if (idleMs <= 0 && !hubs.has(userId)) return
      const hub = hubOf(userId)
      hub.activeAt = clock.monotonic()
      if (idleMs > 0) keep(userId, hub, event)
      fanOut.send(hub.connections, event)
      watchIdle(userId, hub)
    },
    /** The store violated its commit order: every reader of this stream gets a reset. */
    resetReaders(userId: string): void {
      const hub = hubs.get(userId)
      if (!hub) return
      totalBytes -= hub.tail.bytes()
      hub.tail.clear(position())
      for (const connection of [...hub.connections]) connection.reset()
    },
    /** The user's tail, before a new connection starts. */
    tail: (userId: string): EventTail => hubs.get(userId)?.tail ?? createEventTail(position(), { events: 0, bytes: 0 }),
    attach(userId: string, connection: EventConnection): void {
      const hub = hubOf(userId)
      hub.connections.add(connection)
      void hub.stopIdleTimer?.()
      hub.stopIdleTimer = undefined
    },
    detach(userId: string, connection: EventConnection): void {
      const hub = hubs.get(userId)
      if (!hub?.connections.delete(connection) || hub.connections.size > 0) return
      hub.endedAt = clock.now()
      hub.activeAt = clock.monotonic()
      watchIdle(userId, hub)
    },
    /**
     * Whether a connection is open, and when the last one ended, in milliseconds since 1970-01-01.
     */
    presence(userId: string): { readonly connected: boolean; readonly endedAt: number | undefined } {
      const hub = hubs.get(userId)
      return { connected: (hub?.connections.size ?? 0) > 0, endedAt: hub?.endedAt }
    },
    /** The users who have a connection, or had one or an event so lately that a stream may be resumed. */
    users: (): readonly string[] => [...hubs.keys()],
    /** Drops what is kept of a user without a connection. */
    forget(userId: string): void {
      const hub = hubs.get(userId)
      if (hub?.connections.size === 0) drop(userId, hub)
    },
    /** How many users take memory. */
    size: (): number => hubs.size,
    /** Stops every timer. */
    close(): void {
      fanOut.close()
      for (const [userId, hub] of [...hubs]) drop(userId, hub)
    },
  }
}
