import type { JsonObject } from '@agent-service/sdk'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'

/** An event with its number, made into text once for all who get it. */
export interface PublishedEvent {
  readonly number: number
  readonly name: string
  readonly chatId: string | undefined
  readonly json: string
  /** Roughly what it takes in memory. */
  readonly bytes: number
}

/** Makes one. */
export function publishedEvent(number: number, name: string, data: JsonObject): PublishedEvent {
  const json = JSON.stringify(data)
  const chatId = data['chat_id']
  return { number, name, chatId: typeof chatId === 'string' ? chatId : undefined, json, bytes: json.length * 2 + 200 }
}

/** As it goes over the wire. */
export const toServerSentEvent = (event: PublishedEvent): ServerSentEvent => ({
  id: String(event.number),
  event: event.name,
  data: event.json,
})

/** Tells the client to read its state again; its `id` is where the stream goes on. */
export const resetEvent = (position: number, reason: 'not_kept' | 'too_slow'): ServerSentEvent => ({
  id: String(position),
  event: 'reset',
  data: JSON.stringify({ reason }),
})
