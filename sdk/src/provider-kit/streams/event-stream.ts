import { createParser } from 'eventsource-parser'
import { isObject, parseJson } from '../common/json.js'
import { errorIn } from '../failures/error-document.js'
import { unreadable } from '../failures/unreadable.js'
import { createStrayText } from './stray-text.js'
import type { StreamDocument, StreamReader } from './stream-reader.js'

/** A single event that is larger than this, in bytes, ends the reading. */
export const eventSizeLimit = 32 * 1024 * 1024
/** A line that was cut may be the beginning of one of these. */
const fieldNames = ['data', 'event', 'id', 'retry'] as const
/** The largest document outside the events that is put together from several lines, in UTF-16 code units. */
const looseDocumentLimit = 64 * 1024
/** The lines of such a document, since each may be its last. */
const looseLinesLimit = 1_000
/** So many lines and events without a document between them are no stream; each costs more than a word of an answer. */
const strayLimit = 20_000

/**
 * Reads server-sent events whose data is JSON. One leading byte order mark is dropped, characters
 * and line ends may be split anywhere, comments and empty events are ignored, `[DONE]` ends the
 * stream. What servers write beside the events when they fail is read too: a field `error`, and
 * documents of JSON that stand between the events without a field are documents like the others;
 * any other text is `stray`. Data that begins like a document and is none ends the reading.
 */
export function createEventStreamReader(): StreamReader {
  const decoder = new TextDecoder()
  const stray = createStrayText()
  let documents: StreamDocument[] = []
  let done = false
  let postponed: Error | undefined
  /** The lines of a document outside the events that is not complete. */
  let loose: { readonly event?: string; readonly text: string; readonly lines: number } | undefined
  let hasEnded = false
  /** Lines and events since the last document. */
  let strayCount = 0

  const countStray = (): void => {
    strayCount = documents.length > 0 ? 0 : strayCount + 1
    if (strayCount > strayLimit) postponed ??= unreadable(`More than ${strayLimit} lines of the stream are no events.`, stray.text)
  }
  const endLoose = (): void => {
    if (loose) stray.add(loose.text)
    loose = undefined
  }
  /** A line outside the events. */
  const addLoose = (line: string, event: string | undefined): void => {
    if (done || (hasEnded && fieldNames.some((name) => name.startsWith(line.trim())))) return
    const text = loose ? `${loose.text}\n${line}` : line
    const name = loose?.event ?? event
    const lines = (loose?.lines ?? 0) + 1
    const begins = loose !== undefined || text.trimStart().startsWith('{')
    const parsed = begins && line.trimEnd().endsWith('}') ? parseJson(text) : undefined
    if (isObject(parsed)) {
      loose = undefined
      documents.push(name === undefined ? { data: parsed } : { event: name, data: parsed })
    } else if (begins && text.length <= looseDocumentLimit && lines <= looseLinesLimit)
      loose = name === undefined ? { text, lines } : { event: name, text, lines }
    else {
      loose = undefined
      if (event !== undefined && line.trim() !== '') documents.push({ event, data: { message: line.trim() } })
      else stray.add(text)
    }
  }
  const addEvent = (event: string | undefined, text: string): void => {
    endLoose()
    const data = text.trim()
    if (done || postponed || data === '') return
    if (data === '[DONE]' || data === '"[DONE]"') {
      done = true
      return
    }
    const parsed = parseJson(data)
    const list = Array.isArray(parsed) && parsed.length > 0 && parsed.every(isObject) ? parsed : isObject(parsed) ? [parsed] : undefined
    if (list) documents.push(...list.map((each) => (event === undefined ? { data: each } : { event, data: each })))
    else if (event === 'error') documents.push({ event, data: { message: typeof parsed === 'string' ? parsed : data } })
    else if (/^[{[]/.test(data) && (data.startsWith('{') || parsed !== undefined)) postponed = notJson(data)
    else if (!hasEnded || !'[DONE]'.startsWith(data)) {
      stray.add(data)
      countStray()
    }
  }
  const parser = createParser({
    maxBufferSize: eventSizeLimit,
    onEvent: ({ event, data }) => addEvent(event, data),
    onError(error) {
      if (error.type === 'unknown-field') countStray()
      if (error.type === 'max-buffer-size-exceeded') postponed ??= unreadable('An event of the stream is too large.', undefined, error)
      else if (error.type === 'unknown-field' && error.field === 'error' && !loose) addLoose(error.value ?? '', 'error')
      else if (error.type === 'unknown-field') addLoose(error.line ?? '', undefined)
    },
  })

  return {
    get done() {
      return done
    },
    get stray() {
      return loose ? [stray.text, loose.text].filter((text) => text !== '').join('\n') : stray.text
    },
    feed(bytes) {
      if (postponed) throw postponed
      if (documents.length > 0) strayCount = 0
      documents = []
      parser.feed(decoder.decode(bytes, { stream: true }))
      if (postponed && documents.length === 0) throw postponed
      return documents
    },
    end() {
      if (postponed) throw postponed
      documents = []
      hasEnded = true
      // An event without its end was cut, and is no document. An error or text of a server often has none.
      parser.feed('\n\n')
      return documents.filter(({ event, data }) => event === 'error' || errorIn(data) !== undefined)
    },
  }
}

const notJson = (data: string): Error =>
  unreadable(`An event of the stream is not a JSON object; it begins with “${data.slice(0, 80)}”.`, data.startsWith('{') ? undefined : data)
