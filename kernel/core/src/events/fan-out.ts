import type { EventConnection } from './event-connection.js'
import type { PublishedEvent } from './published-event.js'

/** How many connections get an event in one turn of the event loop: this takes well under 20 ms. */
const connectionsPerTurn = 32
/**
 * How many deliveries may wait. Beyond that the oldest is made at once, so that memory stays
 * bounded.
 */
const maxWaiting = 4_096

interface Delivery {
  readonly connections: readonly EventConnection[]
  readonly event: PublishedEvent
  next: number
}

/**
 * Delivers events to connections of all users, in order, a bounded number in one turn of the event
 * loop.
 */
export function createFanOut(perTurn: number = connectionsPerTurn) {
  const waiting: Delivery[] = []
  let left = perTurn
  let scheduled: NodeJS.Immediate | undefined

  const deliver = (delivery: Delivery, most: number): void => {
    const end = Math.min(delivery.connections.length, delivery.next + most)
    for (; delivery.next < end; delivery.next += 1) delivery.connections[delivery.next]?.push(delivery.event)
  }
  const deliverFirst = (most: number): void => {
    const [first] = waiting
    if (!first) return
    const from = first.next
    deliver(first, most)
    left -= first.next - from
    if (first.next >= first.connections.length) waiting.shift()
  }
  const nextTurn = (): void => {
    scheduled ??= setImmediate(() => {
      scheduled = undefined
      left = perTurn
      while (left > 0 && waiting.length > 0) deliverFirst(left)
      if (waiting.length > 0) nextTurn()
    })
  }

  return {
    send(connections: Iterable<EventConnection>, event: PublishedEvent): void {
      const all = [...connections]
      if (all.length === 0) return
      waiting.push({ connections: all, event, next: 0 })
      if (waiting.length > maxWaiting) deliverFirst(Number.POSITIVE_INFINITY)
      else if (waiting.length === 1 && left > 0) deliverFirst(left)
      nextTurn()
    },
    /** Drops waiting deliveries. */
    close(): void {
      waiting.length = 0
      clearImmediate(scheduled)
      scheduled = undefined
    },
  }
}
