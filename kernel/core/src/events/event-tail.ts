import { type Delta, type PublishedEvent, publishedEvent } from './published-event.js'

/** How many answers may stream at the same time and still have their deltas joined. */
const joinedBeside = 8

export type EventTail = ReturnType<typeof createEventTail>

/**
 * The newest events of one user, in memory. Consecutive deltas of a text are kept as one. At first
 * it is empty and covers the events after `number`.
 */
export function createEventTail(number: number, limits: { readonly events: number; readonly bytes: number }) {
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
    /** Every event of the user with a larger number is here. */
    coveredFrom: (): number => coveredFrom,
    bytes: (): number => bytes,
    add(event: PublishedEvent): void {
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
    /** All events after this number, oldest first. */
    after: (position: number): readonly PublishedEvent[] => events.filter((event) => event.number > position),
    /** Drops everything: events up to `position` are no longer covered. */
    clear(position: number): void {
      events = []
      bytes = 0
      coveredFrom = Math.max(coveredFrom, position)
    },
  }
}

/**
 * The longest text of joined deltas, in UTF-16 code units: a client may already have most of it.
 */
const maxTextLength = 4_096

/**
 * Joins two consecutive deltas of one text; the result has the number of the second. A client that
 * has the first gets its text twice, which is harmless. `undefined` if they do not belong together.
 */
function joinDeltas(first: PublishedEvent, second: PublishedEvent): PublishedEvent | undefined {
  const { delta: start } = first
  const { delta: rest } = second
  if (!start || !rest || first.name !== second.name) return undefined
  if (start.offset + start.text.length !== rest.offset || start.text.length + rest.text.length > maxTextLength) return undefined
  if (!haveSameContext(start, rest)) return undefined
  return publishedEvent(second.number, second.name, { ...rest, offset: start.offset, text: start.text + rest.text })
}

/** Whether they differ only in offset and text. */
function haveSameContext(first: Delta, second: Delta): boolean {
  const names = Object.keys(first)
  return (
    names.length === Object.keys(second).length &&
    names.every((name) => name === 'offset' || name === 'text' || first[name] === second[name])
  )
}
