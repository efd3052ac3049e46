import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { Database } from '@agent-service/sdk/services/database'
import type { MemoryCalls } from './backend/memory-calls.js'
import { type ChatChoices, chatChoiceCollection } from './chats/chat-choice.js'
import { limits } from './common/limits.js'
import { migratedUserCollection } from './migration/migration-store.js'

/**
 * The chats that are not to be remembered, and the memories of a back end whose plugin has no
 * `user.data` of its own, in the neutral format. Every back end that runs is told to erase a user,
 * and every one that may have a copy of theirs.
 */
export function createMemoryUserData(dependencies: {
  readonly database: Database
  readonly choices: Pick<ChatChoices, 'excluded' | 'decisions'>
  /** The back end in use, and one to which memories are being copied. */
  readonly backends: () => readonly MemoryCalls[]
  /** Whether the plugin of this back end exports what it keeps itself. */
  readonly hasOwnData: (backend: string) => boolean
  /** Before anything of the user is erased. */
  readonly onEraseBegin: (userId: string) => Promise<void>
  readonly onErase: (userId: string, signal: AbortSignal) => Promise<void>
  /** What is remembered of the user's texts counts no more: the account may go on. */
  readonly onErased: (userId: string) => void
}): UserData {
  const { database, choices, backends, hasOwnData, onEraseBegin, onErase, onErased } = dependencies
  const running = (): readonly MemoryCalls[] => backends().filter((calls) => calls.state().available)
  const exported = (): MemoryCalls | undefined => running().find(({ id }) => !hasOwnData(id))
  const recordsOf = (calls: MemoryCalls, userId: string, signal: AbortSignal) =>
    calls.stream({ what: 'export', signal }, (backend, limited) => backend.export(userId, { signal: limited }))

  return {
    specVersion: 1,
    id: 'memory',
    collections: [chatChoiceCollection.name, migratedUserCollection.name],
    shownBy: ['listMemories'],
    async *export(userId, { signal }) {
      let count = 0
      const calls = exported()
      if (calls)
        for await (const record of recordsOf(calls, userId, signal)) {
          count += 1
          yield { path: `memory/records/${String(count).padStart(6, '0')}.json`, json: JSON.parse(JSON.stringify(record)) }
        }
      for await (const { chatId, at: since } of choices.excluded(userId))
        yield { path: `memory/excluded_chats/${chatId}.json`, json: { chat_id: chatId, since } }
    },
    async erase(userId, { signal }) {
      await onEraseBegin(userId)
      for (const calls of running())
        await calls.call({ what: 'erase', signal, limitMs: limits.transferMs }, (backend, limited) =>
          backend.erase(userId, { signal: limited }),
        )
      for await (const { chatId } of choices.decisions(userId)) await database.collection(chatChoiceCollection).delete(chatId)
      await onErase(userId, signal)
      onErased(userId)
    },
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      const calls = exported()
      if (calls)
        for await (const record of recordsOf(calls, userId, signal)) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(record))
        }
      for await (const { chatId } of choices.decisions(userId)) {
        records += 1
        bytes += chatId.length
      }
      return { records, bytes }
    },
  }
}
