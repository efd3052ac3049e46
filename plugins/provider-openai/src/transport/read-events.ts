import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** Turns the bytes of an event stream into its events. */
export interface EventReader {
  /** The events that these bytes complete. An event that the end of the stream leaves open is never one. */
  feed(bytes: Uint8Array): readonly EventSourceMessage[]
}

/** A single event was larger than this; the stream is given up. */
export const eventSizeLimit = 32 * 1024 * 1024

/** Makes a reader: one leading byte order mark is dropped, characters and line ends may be split anywhere. @throws on an event over the limit. */
export function createEventReader(): EventReader {
  const decoder = new TextDecoder()
  let events: EventSourceMessage[] = []
  let failure: Error | undefined
  const parser = createParser({
    maxBufferSize: eventSizeLimit,
    onEvent: (event) => events.push(event),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') failure = error
    },
  })
  return {
    feed(bytes) {
      events = []
      parser.feed(decoder.decode(bytes, { stream: true }))
      if (failure) throw failure
      return events
    },
  }
}
