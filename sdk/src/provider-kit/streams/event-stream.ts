import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { isObject, parseJson } from '../common/json.js'
import { callFailure } from '../failures/call-failure.js'
import type { StreamDocument, StreamReader } from './stream-reader.js'

/** A single event that is larger than this, in bytes, ends the reading. */
export const eventSizeLimit = 32 * 1024 * 1024

/**
 * Reads server-sent events whose data is JSON. One leading byte order mark is dropped, characters
 * and line ends may be split anywhere, comments and empty events are ignored, `[DONE]` ends the
 * stream.
 */
export function createEventStreamReader(): StreamReader {
  const decoder = new TextDecoder()
  let events: EventSourceMessage[] = []
  let tooLarge: Error | undefined
  let done = false
  let postponed: Error | undefined
  const parser = createParser({
    maxBufferSize: eventSizeLimit,
    onEvent: (event) => events.push(event),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') tooLarge = error
    },
  })
  return {
    get done() {
      return done
    },
    feed(bytes) {
      if (postponed) throw postponed
      events = []
      parser.feed(decoder.decode(bytes, { stream: true }))
      const documents: StreamDocument[] = []
      for (const { event, data: text } of events) {
        const data = text.trim()
        if (done || data === '') continue
        if (data === '[DONE]') {
          done = true
          continue
        }
        const parsed = parseJson(data)
        if (isObject(parsed)) documents.push(event === undefined ? { data: parsed } : { event, data: parsed })
        else {
          postponed = invalid(`An event of the stream is not a JSON object; it begins with “${data.slice(0, 80)}”.`)
          break
        }
      }
      if (tooLarge) postponed ??= invalid('An event of the stream is too large.', tooLarge)
      if (postponed && documents.length === 0) throw postponed
      return documents
    },
    end() {
      // An unterminated event was cut.
      if (postponed) throw postponed
      return []
    },
  }
}

const invalid = (reason: string, cause?: unknown): Error => callFailure({ failure: 'invalid_response', retryable: true, reason }, cause)
