import { parseJson } from '../common/json.js'
import { unreadable } from '../failures/unreadable.js'
import { createEventStreamReader } from './event-stream.js'
import { createJsonDocumentsReader, type JsonDocumentsReader } from './json-documents.js'
import { createJsonLinesReader } from './json-lines.js'
import type { StreamDocument, StreamReader } from './stream-reader.js'

/** Reads the bytes of an answer in whichever framing they are. */
export interface AnswerReader extends StreamReader {
  /**
   * Documents without a framing: one that is alone may be an answer in one piece. Known with the
   * first document.
   */
  readonly isUnframed: boolean
  /** The text of an answer that is a text in quotes and nothing more; at its end. */
  readonly bareText: string | undefined
}

/** The type of binary frames; no text begins with their first byte. */
const framesType = 'application/vnd.amazon.eventstream'
const lineEnd = 0x0a
const lineTypes: ReadonlySet<string> = new Set(['application/x-ndjson', 'application/jsonl'])
/** Of a page, in UTF-16 code units; of a text, see below. */
const pageLimit = 64 * 1024
const textLimit = 64 * 1024 * 1024

/**
 * Makes a reader that recognises an answer by its first bytes. The content type decides only where
 * they could be several framings: gateways label streams as JSON, and JSON as a stream. JSON cannot
 * begin as an event, nor an event as JSON (WHATWG HTML 9.2, RFC 8259), so one byte is enough. A type
 * of `streams`, the family's own framings, is believed; binary frames are also found by their first
 * byte.
 */
export function createAnswerReader(contentType: string | null, streams: Readonly<Record<string, () => StreamReader>> = {}): AnswerReader {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  const own = type !== framesType && Object.hasOwn(streams, type) ? streams[type] : undefined
  let reader: StreamReader | undefined = own?.()
  let early: Uint8Array[] = []
  let earlySize = 0
  let hasBegun = false

  return {
    get isUnframed() {
      return reader !== undefined && 'isList' in reader && !(reader as JsonDocumentsReader).isList
    },
    get bareText() {
      return reader && 'text' in reader ? (reader as TextReader).text : undefined
    },
    get done() {
      return reader?.done ?? false
    },
    get stray() {
      return reader?.stray ?? ''
    },
    feed(bytes) {
      if (reader) return reader.feed(bytes)
      // Nothing but the end of the first line is missing.
      const isMiddle = hasBegun && lineTypes.has(type) && earlySize < pageLimit && !bytes.includes(lineEnd)
      early.push(bytes)
      earlySize += bytes.byteLength
      if (isMiddle) return []
      // A blank before the name of a field would make it another one; and there may be many.
      const begun = withoutBlanks(early.length === 1 ? bytes : Buffer.concat(early))
      hasBegun = begun.byteLength > 2 || (begun.byteLength > 0 && begun[0] !== byteOrderMark[0])
      if (hasBegun) reader = recognise(begun, type, streams)
      early = reader ? [] : [begun]
      earlySize = begun.byteLength
      return reader?.feed(begun) ?? []
    },
    end() {
      if (reader) return reader.end()
      // One line without its end, or nothing but blanks.
      reader = hasBegun ? createJsonDocumentsReader() : createEventStreamReader()
      const documents = reader.feed(Buffer.concat(early))
      // The first line of a stream of lines was cut.
      return hasBegun && documents.length === 0 ? [] : [...documents, ...reader.end()]
    },
  }
}

/** The reader for a body that begins so, without blanks before it; nothing as long as more of it is needed. */
function recognise(bytes: Uint8Array, type: string, streams: Readonly<Record<string, () => StreamReader>>): StreamReader | undefined {
  switch (String.fromCharCode(bytes[0] ?? 0)) {
    case '\0':
      return streams[framesType]?.() ?? createEventStreamReader()
    case '[':
      return createJsonDocumentsReader()
    case '{':
      if (!lineTypes.has(type)) return createJsonDocumentsReader()
      return readerOfLines(bytes)
    case '<':
    case '"':
      return createTextReader()
    default:
      // Events, and text that is neither: an event stream's reader keeps it.
      return createEventStreamReader()
  }
}

const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const byteOrderMark = [0xef, 0xbb, 0xbf] as const

/** What follows the blanks and byte order marks at the beginning. */
function withoutBlanks(bytes: Uint8Array): Uint8Array {
  let at = 0
  for (;;) {
    if (blanks.has(bytes[at] ?? 0)) at += 1
    else if (byteOrderMark.every((byte, index) => bytes[at + index] === byte)) at += byteOrderMark.length
    else return bytes.subarray(at)
  }
}

/** Labelled as lines: the first one tells whether the documents are lines. */
function readerOfLines(bytes: Uint8Array): StreamReader | undefined {
  const end = bytes.indexOf(lineEnd)
  if (end < 0) return bytes.byteLength > pageLimit ? createJsonLinesReader() : undefined
  return parseJson(new TextDecoder().decode(bytes.subarray(0, end))) === undefined ? createJsonDocumentsReader() : createJsonLinesReader()
}

/** Reads a body that is text: a page of which the beginning is enough, or a JSON text. */
interface TextReader extends StreamReader {
  readonly text: string | undefined
}

function createTextReader(): TextReader {
  const decoder = new TextDecoder()
  let all = ''
  let text: string | undefined
  let isPage = false
  const none: readonly StreamDocument[] = []
  return {
    get text() {
      return text
    },
    get done() {
      return isPage && all.length > pageLimit
    },
    get stray() {
      return text === undefined ? all : ''
    },
    feed(bytes) {
      if (all === '') isPage = bytes[0] === 0x3c
      all += decoder.decode(bytes, { stream: true })
      if (all.length > textLimit) throw unreadable(`The answer is larger than ${textLimit} characters.`)
      return none
    },
    end() {
      const parsed = parseJson(all)
      if (typeof parsed === 'string') text = parsed
      return none
    },
  }
}
