import type { Message } from '../live-chat/chat-state.js'

/** The text of a message as it can be copied and edited. */
export const plainText = (message: Message): string =>
  message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
