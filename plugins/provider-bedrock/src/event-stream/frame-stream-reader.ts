import { callFailure, isObject, parseJson, type StreamDocument, type StreamReader } from '@agent-service/sdk/provider-kit'
import { type Frame, frameLength, preludeLength, readFrame } from './frame.js'

/** The content type of answers in frames. */
export const eventStreamType = 'application/vnd.amazon.eventstream'

/**
 * Reads binary frames whose payload is a JSON object. The document's event is the frame's
 * `:event-type`; an exception comes as the event `exception` with `{type, …}`, an error of the
 * framing as `error` with `{code, message}`. A damaged frame ends the reading.
 */
export function createFrameStreamReader(): StreamReader {
  let pieces: Uint8Array[] = []
  let size = 0
  /**
   * How many bytes are needed before anything can be read: of the prelude first, then of the whole
   * frame.
   */
  let needed = preludeLength
  let postponed: Error | undefined

  const joined = (): Uint8Array => {
    const [only] = pieces
    const bytes = pieces.length === 1 && only ? only : Buffer.concat(pieces)
    pieces = [bytes]
    return bytes
  }
  const dropFirst = (length: number): void => {
    const rest = joined().subarray(length)
    pieces = rest.byteLength === 0 ? [] : [rest]
    size -= length
  }
  /** The next whole frame, or nothing while it is incomplete. */
  const nextFrame = (): Frame | undefined => {
    if (size < needed) return undefined
    needed = frameLength(joined())
    if (size < needed) return undefined
    const frame = readFrame(joined().subarray(0, needed))
    dropFirst(needed)
    needed = preludeLength
    return frame
  }

  return {
    done: false,
    feed(bytes) {
      if (postponed) throw postponed
      if (bytes.byteLength > 0) pieces.push(bytes)
      size += bytes.byteLength
      const documents: StreamDocument[] = []
      try {
        for (let frame = nextFrame(); frame; frame = nextFrame()) documents.push(documentOf(frame))
      } catch (error) {
        postponed = error instanceof RangeError ? damaged(error) : (error as Error)
        if (documents.length === 0) throw postponed
      }
      return documents
    },
    end() {
      if (postponed) throw postponed
      // An incomplete frame was cut.
      return []
    },
  }
}

function documentOf({ headers, payload }: Frame): StreamDocument {
  const header = (name: string): string | undefined => {
    const found = headers.get(name)
    return found?.type === 'string' ? found.value : undefined
  }
  const messageType = header(':message-type')
  if (messageType === 'error') {
    return { event: 'error', data: { code: header(':error-code') ?? 'error', message: header(':error-message') ?? 'The stream failed.' } }
  }
  const text = new TextDecoder().decode(payload)
  const data = text === '' ? {} : parseJson(text)
  if (messageType === 'exception') {
    const type = header(':exception-type') ?? 'exception'
    return { event: 'exception', data: { ...(isObject(data) ? data : { message: text }), type } }
  }
  if (!isObject(data)) throw invalid(`A frame of the stream is not a JSON object; it begins with “${text.slice(0, 80)}”.`)
  const event = header(':event-type')
  return event === undefined ? { data } : { event, data }
}

const damaged = (error: RangeError): Error => invalid(`A frame of the stream is damaged: ${error.message}.`, error)

const invalid = (reason: string, cause?: unknown): Error => callFailure({ failure: 'invalid_response', retryable: true, reason }, cause)
