import type { Schemas } from '../api/index.js'

/** Where a hit of the search is: its chat, and the message with the branch that it was written in. */
export function hitAddress({ chat_id, message_id, branch_id, sequence }: Schemas['SearchHit']): string {
  if (message_id === undefined) return `/chats/${chat_id}`
  const place = new URLSearchParams({
    message: message_id,
    ...(branch_id !== undefined && { branch: branch_id }),
    ...(sequence !== undefined && { at: String(sequence) }),
  })
  return `/chats/${chat_id}?${place.toString()}`
}
