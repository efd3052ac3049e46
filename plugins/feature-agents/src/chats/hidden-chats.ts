import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import { chatCollection } from '../store/chats/chat.js'
import { chatDeletionCollection } from '../store/chats/chat-deletion.js'
import { deletedChatCollection } from '../store/chats/deleted-chat.js'
import { runCollection } from '../store/runs/run.js'

/** The hidden chats of the runs below a run: only that run leads to them. */
export async function hiddenChatsBelow(database: Database, runId: string): Promise<readonly string[]> {
  const ids = new Set<string>()
  for await (const { chat_id } of documentsOf(database, runCollection, { index: 'by_parent', equals: [runId], pageSize: 200 })) {
    if ((await database.collection(chatCollection).get(chat_id))?.listing === 'hidden') ids.add(chat_id)
  }
  return [...ids]
}

/** The hidden chats to which only the runs of a chat lead, and the runs of those, each once. */
async function* hiddenChatsUnder(database: Database, chatId: string): AsyncGenerator<string, void, undefined> {
  const under = new Set([chatId])
  // What is added while it is read is read as well.
  for (const id of under) {
    for await (const run of documentsOf(database, runCollection, { index: 'by_chat', equals: [id], pageSize: 200 })) {
      for (const below of await hiddenChatsBelow(database, run.id)) {
        if (under.has(below)) continue
        under.add(below)
        yield below
      }
    }
  }
}

/**
 * Marks the hidden chats under a chat as deleted or not, as it is at that moment: a deletion and a
 * restoration may run at the same time. `restoring`: the chat is about to be restored. One that is
 * being erased stays as it is. Gives each once it is marked.
 */
export async function* markHiddenUnder(
  database: Database,
  chatId: string,
  { restoring = false }: { readonly restoring?: boolean } = {},
): AsyncGenerator<string, void, undefined> {
  for await (const id of hiddenChatsUnder(database, chatId)) {
    await database.transaction(async (transaction) => {
      const deleting = !restoring && (await transaction.get(deletedChatCollection, chatId)) !== undefined
      const chat = await transaction.get(chatCollection, id)
      if (chat?.listing !== 'hidden' || chat.deleting === deleting || (await transaction.get(chatDeletionCollection, id))) return
      transaction.put(chatCollection, { ...chat, deleting })
    })
    yield id
  }
}
