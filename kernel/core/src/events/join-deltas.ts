import { type Delta, type PublishedEvent, publishedEvent } from './published-event.js'

/** The most text that joined deltas have, in UTF-16 code units: a client may have most of it already. */
const maxTextLength = 4_096

/**
 * Two deltas of one text, the second directly behind the first, as one with the number of the second: whoever has the first gets its text a second time,
 * which is harmless. `undefined` where they do not belong together.
 */
export function joinDeltas(first: PublishedEvent, second: PublishedEvent): PublishedEvent | undefined {
  const { delta: start } = first
  const { delta: rest } = second
  if (!start || !rest || first.name !== second.name) return undefined
  if (start.offset + start.text.length !== rest.offset || start.text.length + rest.text.length > maxTextLength) return undefined
  if (!haveSameContext(start, rest)) return undefined
  return publishedEvent(second.number, second.name, { ...rest, offset: start.offset, text: start.text + rest.text })
}

/** Whether they differ in nothing but where their texts stand. */
function haveSameContext(first: Delta, second: Delta): boolean {
  const names = Object.keys(first)
  return (
    names.length === Object.keys(second).length &&
    names.every((name) => name === 'offset' || name === 'text' || first[name] === second[name])
  )
}
