import type { JsonObject } from '@agent-service/sdk'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'

/** An event with its number. */
export interface PublishedEvent {
  readonly number: number
  readonly name: string
  readonly chatId: string | undefined
  /** What it says; of a delta alone, which may be joined with the next one. */
  readonly delta: Delta | undefined
  /** Its data as JSON, made once for all who get it. */
  json(): string
  /** As it goes over the wire: the same frozen object for all who get it, so that its bytes are made once, too. */
  sent(): ServerSentEvent
  /** Roughly what it takes in memory, with its JSON and its bytes on the wire. */
  readonly bytes: number
}

/** A piece of a text that grows, with everything else that its event says. */
export type Delta = JsonObject & { readonly offset: number; readonly text: string }

/** Makes one. A delta becomes JSON when somebody gets it: most of those that are kept nobody ever does. */
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

// Each in a function of its own: what one of them holds on to, the other does not.
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

/** Tells the client to read its state again; its `id` is where the stream goes on. */
export const resetEvent = (position: number, reason: 'not_kept' | 'too_slow'): ServerSentEvent => ({
  id: String(position),
  event: 'reset',
  data: JSON.stringify({ reason }),
})
