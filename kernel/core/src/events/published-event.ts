import type { JsonObject } from '@agent-service/sdk'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'

/** An event with its number. */
export interface PublishedEvent {
  readonly number: number
  readonly name: string
  readonly chatId: string | undefined
  /** The data of a delta, which may be joined with the next one. */
  readonly delta: Delta | undefined
  /** Its data as JSON, made once for all readers. */
  json(): string
  /**
   * The server-sent event: the same frozen object for all readers, so that its bytes are made once,
   * too.
   */
  sent(): ServerSentEvent
  /** Its approximate size in memory, with its JSON and its bytes on the wire. */
  readonly bytes: number
}

/** A piece of a growing text, with the other data of its event. */
export type Delta = JsonObject & { readonly offset: number; readonly text: string }

/** Makes one. A delta becomes JSON only when it is sent: most kept deltas never are. */
export function publishedEvent(number: number, name: string, data: JsonObject): PublishedEvent {
  const { chat_id } = data
  const chatId = typeof chat_id === 'string' ? chat_id : undefined
  if (isDelta(name, data)) {
    const json = once(() => JSON.stringify(data))
    return { number, name, chatId, delta: data, json, sent: sentOnce(number, name, json), bytes: data.text.length * 5 + 1_000 }
  }
  const text = JSON.stringify(data)
  const json = always(text)
  return { number, name, chatId, delta: undefined, json, sent: sentOnce(number, name, json), bytes: text.length * 4 + 600 }
}

// Separate functions, so that neither closure retains the other's data.
const always = (text: string) => (): string => text

const sentOnce = (number: number, name: string, json: () => string): (() => ServerSentEvent) =>
  once(() => Object.freeze({ id: String(number), event: name, data: json() }))

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const isDelta = (name: string, data: JsonObject): data is Delta =>
  name.endsWith('.delta') && typeof data['offset'] === 'number' && typeof data['text'] === 'string'

/**
 * The event that requires the client to read its state again; the stream continues after its `id`.
 */
export const resetEvent = (position: number, reason: 'not_kept' | 'too_slow'): ServerSentEvent => ({
  id: String(position),
  event: 'reset',
  data: JSON.stringify({ reason }),
})
