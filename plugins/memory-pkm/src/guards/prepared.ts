import type { ChatMessage } from '@agent-service/sdk/services/chats'
import { normalText } from '../common/text.js'
import { ownWords } from './own-words.js'

/** A text in the forms in which others are held against it, each made when it is first wanted. */
export interface PreparedText {
  readonly text: string
  /** {@link normalText}. */
  readonly normal: string
  /** In small letters and on one line. */
  readonly flat: string
  /** Without spacing and the marks that group digits. */
  readonly digits: string
}

export const flatText = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ')

export const groupedDigits = /[\s./-]/g

export function prepareText(text: string): PreparedText {
  let [normal, flat, digits]: (string | undefined)[] = []
  return {
    text,
    get normal() {
      normal ??= normalText(text)
      return normal
    },
    get flat() {
      flat ??= flatText(text)
      return flat
    },
    get digits() {
      digits ??= text.replaceAll(groupedDigits, '')
      return digits
    },
  }
}

/** A message of a chat without secrets. */
export interface PreparedMessage {
  readonly whole: PreparedText
  /** What its writer says in their own words. */
  readonly own: PreparedText
}

const messages = new WeakMap<ChatMessage, PreparedMessage>()

/** Prepares a message once: many claims of a window cite the same long message. */
export function prepareMessage(message: ChatMessage): PreparedMessage {
  const known = messages.get(message)
  if (known) return known
  const { text } = message
  const prepared = { whole: prepareText(text), own: prepareText(message.role === 'person' ? ownWords(text) : '') }
  messages.set(message, prepared)
  return prepared
}
