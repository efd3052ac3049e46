import { joinDeltas } from './join-deltas.js'
import type { PublishedEvent } from './published-event.js'

/** How many answers may stream at the same time and still have their deltas joined. */
const joinedBeside = 8

/** The newest events of one user, in memory. Consecutive deltas of a text are kept as one. */
export interface EventTail {
  /** Every event of the user with a larger number is here. */
  coveredFrom(): number
  bytes(): number
  add(event: PublishedEvent): void
  /** All events after this number, oldest first. */
  after(number: number): readonly PublishedEvent[]
  /** Drops everything: events up to `number` are no longer covered. */
  clear(number: number): void
}

/** Limits of a tail. */
export interface EventTailLimits {
  readonly events: number
  readonly bytes: number
}

/** Makes an empty tail that covers the events after `number`. */
export function createEventTail(number: number, limits: EventTailLimits): EventTail {
  let events: PublishedEvent[] = []
  let bytes = 0
  let coveredFrom = number

  /**
   * The event joined with the delta that it continues, which is removed. No delta moves past an
   * event of another kind.
   */
  const takeJoined = (event: PublishedEvent): PublishedEvent => {
    const oldest = Math.max(0, events.length - joinedBeside)
    for (let index = events.length - 1; index >= oldest && event.delta; index -= 1) {
      const before = events[index]
      if (!before?.delta) break
      const joined = joinDeltas(before, event)
      if (!joined) continue
      events.splice(index, 1)
      bytes -= before.bytes
      return joined
    }
    return event
  }

  return {
    coveredFrom: () => coveredFrom,
    bytes: () => bytes,
    add(event) {
      const joined = takeJoined(event)
      events.push(joined)
      bytes += joined.bytes
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
