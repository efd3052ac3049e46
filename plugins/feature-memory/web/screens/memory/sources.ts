import type { Schemas } from '../../api/index.js'

/** Where a source is: its chat, and in it the message. */
export function sourceHref({ chat_id, message_id }: Schemas['MemoryEvidence']): string {
  const chat = `/chats/${encodeURIComponent(chat_id)}`
  return message_id === null ? chat : `${chat}?${new URLSearchParams({ message: message_id })}`
}
