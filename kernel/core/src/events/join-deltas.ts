import { type Delta, type PublishedEvent, publishedEvent } from './published-event.js'

/**
 * The longest text of joined deltas, in UTF-16 code units: a client may already have most of it.
 */
const maxTextLength = 4_096

/**
 * Joins two consecutive deltas of one text; the result has the number of the second. A client that
 * has the first gets its text twice, which is harmless. `undefined` if they do not belong together.
 */
export function joinDeltas(first: PublishedEvent, second: PublishedEvent): PublishedEvent | undefined {
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
