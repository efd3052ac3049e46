import type { LeanHttp } from './lean-http.js'
import type { ServiceAccount } from './service-account.js'

interface ExportedPart {
  readonly type: string
  readonly text?: string
  readonly call_id?: string
  readonly name?: string
  readonly arguments?: object
  readonly content?: readonly { readonly text?: string }[]
}

/** A message of an exported chat, as far as it is looked at here. */
interface ExportedMessage {
  readonly role: string
  readonly content: readonly ExportedPart[]
}

/** An exported chat. */
export interface ChatDocument {
  readonly messages: readonly ExportedMessage[]
}

/** Where chats are exported from and imported to. */
export interface ExchangePlace {
  readonly http: LeanHttp
  readonly url: string
  readonly account: ServiceAccount
}

/** @throws where the answer has another status. */
export async function exportChat({ http, url, account }: ExchangePlace, chatId: string): Promise<ChatDocument> {
  const { status, text } = await http.send('GET', `${url}/api/chats/${chatId}/export`, { token: account.token })
  if (status !== 200) throw new Error(`The export of a chat answered ${status}: ${text}`)
  return JSON.parse(text) as ChatDocument
}

/**
 * Gives the id of the chat. @throws where it was not taken, or has another number of messages than
 * the document.
 */
export async function importChat({ http, url, account }: ExchangePlace, document: ChatDocument): Promise<string> {
  const { status, text } = await http.send('POST', `${url}/api/chats/import`, { token: account.token, body: document })
  if (status !== 201) throw new Error(`The import of a chat answered ${status}: ${text}`)
  const { id, message_count } = JSON.parse(text) as { readonly id: string; readonly message_count: number }
  if (message_count !== document.messages.length)
    throw new Error(`The chat has ${message_count} messages, not ${document.messages.length}.`)
  return id
}

/**
 * A chat that repeats the only turn of this one until it has `turns` of them, each a run of its own
 * with calls of its own. The answer of each turn is a text of `answer` characters.
 */
export function repeatTurn(document: ChatDocument, { turns, answer }: { readonly turns: number; readonly answer: number }): ChatDocument {
  const turn = document.messages.map((message, index) => {
    if (index < document.messages.length - 1) return message
    return { ...message, content: [{ type: 'text', text: textOf(answer) }] }
  })
  const messages = Array.from({ length: turns }, (_, run) =>
    turn.map((message, index) => ({
      ...message,
      run: run + 1,
      sequence: run * turn.length + index,
      content: message.content.map((part) => (part.call_id === undefined ? part : { ...part, call_id: `${part.call_id}-${run}` })),
    })),
  )
  return { ...document, messages: messages.flat() }
}

/**
 * About what a message takes of a prompt beside its text, and the line that says when a person
 * wrote it, in characters.
 */
const frameLength = 16
const timeLength = 80

/**
 * About what these messages take of a prompt, in characters: texts, names and arguments of calls,
 * texts of results.
 */
export const lengthOf = (messages: readonly ExportedMessage[]): number =>
  messages.reduce(
    (sum, { role, content }) =>
      content.reduce((length, part) => length + lengthOfPart(part), sum + frameLength + (role === 'user' ? timeLength : 0)),
    0,
  )

function lengthOfPart({ type, text = '', name = '', arguments: input, content = [] }: ExportedPart): number {
  if (type === 'tool_call') return name.length + JSON.stringify(input).length
  return text.length + content.reduce((sum, item) => sum + (item.text ?? '').length, 0)
}

const words = 'some more common words of a longer answer '
const textOf = (length: number): string => words.repeat(Math.ceil(length / words.length)).slice(0, length)
