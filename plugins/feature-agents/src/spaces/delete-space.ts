import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { ownDocument } from '../common/own-document.js'
import { type Chat, chatCollection, presentChat } from '../store/chats/chat.js'
import { spaceCollection } from '../store/chats/space.js'
import { storeTags } from '../store/tags/store-tags.js'

/** How many chats one transaction removes from a space. */
const pieceSize = 50

/**
 * Deletes a space; its chats stay, without a space. The space is marked first, so that no chat is
 * added, and removed last, so that an interrupted deletion can be repeated. @throws `not_found`,
 * the signal's reason.
 */
export async function deleteSpace(
  dependencies: { readonly database: Database; readonly events: Events },
  request: { readonly spaceId: string; readonly userId: string; readonly signal: AbortSignal },
): Promise<void> {
  const { database, events } = dependencies
  const { spaceId, userId, signal } = request
  await database.transaction(async (transaction) => {
    const space = ownDocument('space', await transaction.get(spaceCollection, spaceId), userId)
    if (!space.deleting) transaction.put(spaceCollection, { ...space, deleting: true })
  })
  const chats = database.collection(chatCollection)
  for (;;) {
    signal.throwIfAborted()
    const page = await chats.query({ index: 'by_space', equals: [spaceId], limit: pieceSize })
    if (page.items.length === 0) break
    await database.transaction(async (transaction) => {
      for (const { id } of page.items) {
        const chat = await transaction.get(chatCollection, id)
        if (chat?.space_id !== spaceId) continue
        const changed: Chat = { ...chat, space_id: null }
        transaction.put(chatCollection, changed)
        // A deleted one comes back without a space.
        if (chat.deleting) continue
        await storeTags(transaction, chat, changed)
        events.record(transaction, { userId, name: 'chat.updated', data: { chat_id: id, chat: presentChat(changed) } })
      }
    })
  }
  await database.transaction(async (transaction) => {
    transaction.delete(spaceCollection, spaceId)
    events.record(transaction, { userId, name: 'space.deleted', data: { space_id: spaceId } })
  })
}
