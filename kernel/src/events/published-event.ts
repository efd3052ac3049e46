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
  /** Roughly what it takes in memory. */
  readonly bytes: number
}

/** A piece of a text that grows, with everything else that its event says. */
export type Delta = JsonObject & { readonly offset: number; readonly text: string }

/** Makes one. A delta becomes JSON when somebody gets it: most of those that are kept nobody ever does. */
export function publishedEvent(number: number, name: string, data: JsonObject): PublishedEvent {
  const { chat_id } = data
  const chatId = typeof chat_id === 'string' ? chat_id : undefined
  if (isDelta(name, data)) return { number, name, chatId, delta: data, json: madeOnce(data), bytes: data.text.length * 2 + 600 }
  const text = JSON.stringify(data)
  return { number, name, chatId, delta: undefined, json: always(text), bytes: text.length * 2 + 300 }
}

// Each in a function of its own: what one of them holds on to, the other does not.
const always = (text: string) => (): string => text

function madeOnce(data: JsonObject): () => string {
  let text: string | undefined
  return () => {
    text ??= JSON.stringify(data)
    return text
  }
}

const isDelta = (name: string, data: JsonObject): data is Delta =>
  name.endsWith('.delta') && typeof data['offset'] === 'number' && typeof data['text'] === 'string'

/** As it goes over the wire. */
export const toServerSentEvent = (event: PublishedEvent): ServerSentEvent => ({
  id: String(event.number),
  event: event.name,
  data: event.json(),
})

/** Tells the client to read its state again; its `id` is where the stream goes on. */
export const resetEvent = (position: number, reason: 'not_kept' | 'too_slow'): ServerSentEvent => ({
  id: String(position),
  event: 'reset',
  data: JSON.stringify({ reason }),
})
