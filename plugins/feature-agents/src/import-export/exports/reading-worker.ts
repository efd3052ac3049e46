import { parentPort } from 'node:worker_threads'
import { wellFormed } from '@agent-service/sdk'
import type { Product } from '../../common/products.js'
import { type ConvertedChat, convertChat } from '../foreign/chat-tree.js'
import { ForeignChatError } from '../foreign/foreign-chat.js'
import { isFields } from '../foreign/json-values.js'
import { readChat } from '../foreign/read-chat.js'

/** What the thread gets: the JSON of a chat, or of an object with a list of them. */
export interface ReadingOrder {
  readonly json: Uint8Array
  /** For what has no time. */
  readonly now: number
}

/** A chat that was read, or why it was not. */
export type ReadChat =
  | (ConvertedChat & {
      readonly product: Product
      readonly id: string
      readonly title: string | null
      readonly updatedAt: number | undefined
    })
  | {
      readonly title: string | null
      readonly problem: string
      /** Of a fault of the service, for its log. */
      readonly fault?: string
    }

export type ReadingAnswer = { readonly chats: readonly ReadChat[] } | { readonly failure: string }

function answerTo({ json, now }: ReadingOrder): ReadingAnswer {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(json))
  } catch (error) {
    return { chats: [{ title: null, problem: `it is not valid JSON (${error instanceof Error ? error.message : 'unreadable'})` }] }
  }
  const wrapped = isFields(value) && Array.isArray(value['conversations']) ? value['conversations'] : undefined
  return { chats: (wrapped ?? [value]).map((each) => readOne(each, now)) }
}

function readOne(value: unknown, now: number): ReadChat {
  try {
    const chat = readChat(value)
    const converted = convertChat(chat, now)
    const { title } = converted.document.chat
    return { ...converted, product: chat.product, id: chat.id, title, updatedAt: chat.updatedAt }
  } catch (error) {
    const title = titleIn(value)
    if (error instanceof ForeignChatError) return { title, problem: error.message }
    // One chat that this cannot read keeps none of the others from coming.
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { title, problem: 'it could not be read, by a fault of the service; its log has the cause', fault }
  }
}

/** The title of what cannot be read as a chat. */
function titleIn(value: unknown): string | null {
  if (!isFields(value)) return null
  const title = [value['title'], value['name']].find((each) => typeof each === 'string' && each !== '')
  return typeof title === 'string' ? wellFormed(title.slice(0, 200)) : null
}

parentPort?.on('message', (order: ReadingOrder) => {
  let answer: ReadingAnswer
  try {
    answer = answerTo(order)
  } catch (error) {
    answer = { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort?.postMessage(answer satisfies ReadingAnswer)
})
