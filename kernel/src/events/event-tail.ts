import type { PublishedEvent } from './published-event.js'

/** The newest events of one user, in memory. */
export interface EventTail {
  /** Every event of the user with a larger number is here. */
  coveredFrom(): number
  bytes(): number
  add(event: PublishedEvent): void
  /** All events behind this number, oldest first. */
  after(number: number): readonly PublishedEvent[]
  /** Forgets everything: nothing up to `number` is covered any more. */
  clear(number: number): void
}

/** Bounds of a tail. */
export interface EventTailLimits {
  readonly events: number
  readonly bytes: number
}

/** Makes an empty tail that covers what comes after `number`. */
export function createEventTail(number: number, limits: EventTailLimits): EventTail {
  let events: PublishedEvent[] = []
  let bytes = 0
  let coveredFrom = number
  return {
    coveredFrom: () => coveredFrom,
    bytes: () => bytes,
    add(event) {
      events.push(event)
      bytes += event.bytes
      while (events.length > limits.events || bytes > limits.bytes) {
        const oldest = events.shift()
        if (!oldest) break
        bytes -= oldest.bytes
        coveredFrom = oldest.number
      }
    },
    after: (position) => events.filter((event) => event.number > position),
    clear(position) {
      events = []
      bytes = 0
      coveredFrom = Math.max(coveredFrom, position)
    },
  }
}
