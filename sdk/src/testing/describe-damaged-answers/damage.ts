import type { JsonValue } from '../../core/json.js'
import { cutRandomly } from '../replay/random-cuts.js'
import type { Recording } from '../replay/recordings.js'
import { bytesOf, type Replay } from '../replay/replay-server.js'

/** A recorded answer as gateways and broken connections leave it. */
export interface Damage {
  /** What was done to it. */
  readonly name: string
  readonly replay: Replay
  /** How many documents arrive whole; `undefined` for all of them. */
  readonly complete?: number
  /** The words of an error that stands after them. */
  readonly words?: string
  /** The index of a document that arrives after the next one; all arrive. */
  readonly swapped?: number
}

type Encode = (document: JsonValue) => string

/** The framings into which a stream of documents is put. */
const framings: Readonly<Record<string, Encode>> = {
  events: (document) => `data: ${JSON.stringify(document)}\n\n`,
  'events with CRLF': (document) => `data: ${JSON.stringify(document)}\r\n\r\n`,
  'events between comments': (document) => `: keep-alive\n\nid: 7\ndata: ${JSON.stringify(document)}\n\n\n`,
  lines: (document) => `${JSON.stringify(document)}\n`,
  'documents in many lines': (document) => `${JSON.stringify(document, null, 2)}\n`,
}

const types = ['text/event-stream', 'application/json', 'application/x-ndjson', 'text/plain', 'application/octet-stream', '']

/** Errors in the middle of an answer, in forms of servers and gateways; the first four only among events. */
const errors: readonly ((words: string) => string)[] = [
  (words) => `error: {"code":500,"message":${JSON.stringify(words)}}\n\n`,
  (words) => `event: error\ndata: ${words}\n\n`,
  (words) => `data: {"error":{"message":${JSON.stringify(words)}}}\n\ndata: [DONE]\n\n`,
  (words) => `data: ${words}\n\n`,
  (words) => `{"error":${JSON.stringify(words)}}\n`,
  (words) => `{"detail":${JSON.stringify(words)}}\n`,
  (words) => `{"message":${JSON.stringify(words)},"code":"x"}`,
  (words) => `${words}\n`,
  (words) => `<html><body><h1>${words}</h1></body></html>`,
]

/** The ends of an answer that is cut: clean, a reset, or silence on an open connection. */
const ends: readonly Pick<Replay, 'end'>[] = [{}, {}, { end: 'destroy' }, { end: 'destroy' }, { end: 'hold' }]

/** Pauses between pieces, in milliseconds; the first one is a turn of the event loop. */
const pauses: readonly Pick<Replay, 'pauseMs'>[] = [{}, {}, {}, { pauseMs: 1 }, { pauseMs: 7 }]

/**
 * Damages a recording at random: its type, framing, pieces and pauses; and some are cut, have an error
 * in them, or two documents in the wrong order.
 */
export function damageOf(recording: Recording, random: () => number): Damage {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const type = pick(types)
  const isText = recording.documents.length > 0
  const [framing, encode] = pick(Object.entries(framings))
  const pieces = isText ? recording.documents.map((document) => bytesOf(encode(document))) : [recording.bytes]
  const name = `${isText ? framing : recording.kind} under “${type}”`
  const replayOf = (bytes: Uint8Array, more: Partial<Replay> = {}): Replay => ({
    headers: { 'content-type': type },
    ...(random() < 0.1
      ? { pieces: Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)) }
      : { pieces: cutRandomly(bytes, random), ...pick(pauses) }),
    ...more,
  })
  const kind = random()
  if (!isText) return { name, replay: replayOf(recording.bytes) }
  if (kind < 0.4) return { name, replay: replayOf(Buffer.concat([bytesOf(random() < 0.2 ? '\uFEFF\n' : ''), ...pieces])) }
  if (kind < 0.5 && pieces.length > 1) {
    const swapped = Math.floor(random() * (pieces.length - 1))
    return {
      name: `${name}, document ${swapped} after the next one`,
      replay: replayOf(Buffer.concat(inOtherOrder(pieces, swapped))),
      complete: swapped,
      swapped,
    }
  }
  if (kind < 0.7) {
    const whole = Buffer.concat(pieces)
    const offset = Math.floor(random() * whole.length)
    const end = pick(ends)
    return {
      name: `${name}, cut at byte ${offset} ${end.end ?? 'cleanly'}`,
      replay: replayOf(whole.subarray(0, offset), end),
      complete: completeAt(pieces, offset),
    }
  }
  const complete = Math.floor(random() * pieces.length)
  const words = `insufficient balance ${Math.floor(random() * 1e6)}`
  const form = pick(framing.startsWith('events') ? errors : errors.slice(4))(words)
  return {
    name: `${name}, after ${complete} documents ${JSON.stringify(form)}`,
    replay: replayOf(Buffer.concat([...pieces.slice(0, complete), bytesOf(form)])),
    complete,
    words,
  }
}

/** The list with the item at the index after the next one. */
export const inOtherOrder = <T>(items: readonly T[], index: number): readonly T[] => [
  ...items.slice(0, index),
  ...items.slice(index, index + 2).reverse(),
  ...items.slice(index + 2),
]

function completeAt(pieces: readonly Uint8Array[], offset: number): number {
  let end = 0
  const first = pieces.findIndex((piece) => {
    end += piece.length
    return end > offset
  })
  return first < 0 ? pieces.length : first
}
